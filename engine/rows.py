"""Rows of all relations, each with the round in which it first appeared."""

from collections.abc import Collection, Sequence
from typing import TypeGuard

from engine.terms import Pattern, Row


class Rows:
    """Relations as sets of rows with rounds; lookups by any set of bound columns.

    An index is built the first time that a combination of columns is asked for, and kept up to
    date by `add`. Rows keep the order in which they were added, which is the order of rounds.
    """

    def __init__(self) -> None:
        self._round: dict[str, dict[Row, int]] = {}
        self._index: dict[str, dict[tuple[int, ...], dict[Pattern, list[Row]]]] = {}

    def add(self, relation: str, row: Row, number: int) -> bool:
        """Add a row that first appeared in round `number`; False iff it was there already.

        The rounds of a relation never go down from one row to the next.
        """
        known = self._round.setdefault(relation, {})
        if row in known:
            return False
        known[row] = number
        for columns, index in self._index.get(relation, {}).items():
            index.setdefault(tuple(row[i] for i in columns), []).append(row)
        return True

    def of(self, relation: str) -> Sequence[Row]:
        """All rows of a relation, in the order in which they appeared."""
        return tuple(self._round.get(relation, ()))

    def round_of(self, relation: str, row: Row) -> int | None:
        """The round in which a row first appeared, 0 for given rows; None iff it is not there."""
        return self._round.get(relation, {}).get(row)

    def matching(self, relation: str, pattern: Pattern) -> Collection[Row]:
        """The rows that fit a pattern, in the order in which they appeared.

        A view and no copy, so that asking whether there is any costs the same for any number of
        rows; it is read before the next `add`.
        """
        known = self._round.get(relation, {})
        if is_whole(pattern):
            return (pattern,) if pattern in known else ()
        columns = tuple(i for i, value in enumerate(pattern) if value is not None)
        if not columns:
            return known.keys()
        indexes = self._index.setdefault(relation, {})
        if columns not in indexes:
            index: dict[Pattern, list[Row]] = {}
            for row in known:
                index.setdefault(tuple(row[i] for i in columns), []).append(row)
            indexes[columns] = index
        return indexes[columns].get(tuple(pattern[i] for i in columns), ())


def is_whole(pattern: Pattern) -> TypeGuard[Row]:
    """Whether a pattern has no holes, so that only one row can fit."""
    return None not in pattern
