"""Outcomes of a vote: the second evaluator agrees, diverges, or could not check."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine import Row, Value
from obligations.crosscheck.constructs import Finding

SHOWN: Final = 20
"""At most so many rows of each side are named in a difference."""


@dataclass(frozen=True, slots=True)
class Agrees:
    """The named relations have the same rows on both sides."""

    relations: tuple[str, ...]

    def __str__(self) -> str:
        return f"agrees in {len(self.relations)} relations"


@dataclass(frozen=True, slots=True)
class Difference:
    """A relation with rows that one side alone has: the first `SHOWN` of each, and how many."""

    relation: str
    only_ours: tuple[Row, ...]
    only_theirs: tuple[Row, ...]
    count_ours: int
    count_theirs: int

    @classmethod
    def between(
        cls, relation: str, ours: Iterable[Row], theirs: Iterable[Row]
    ) -> "Difference | None":
        """The difference of two relations in term order, None iff both have the same rows.

        Values of different types are different: `True` is not 1.
        """
        mine, yours = ({_typed(row): row for row in rows} for rows in (ours, theirs))
        only_ours = [mine[key] for key in sorted(mine.keys() - yours.keys())]
        only_theirs = [yours[key] for key in sorted(yours.keys() - mine.keys())]
        if not only_ours and not only_theirs:
            return None
        counts = len(only_ours), len(only_theirs)
        return cls(relation, tuple(only_ours[:SHOWN]), tuple(only_theirs[:SHOWN]), *counts)

    def __str__(self) -> str:
        return f"`{self.relation}`: {self.count_ours} only ours, {self.count_theirs} only theirs"


@dataclass(frozen=True, slots=True)
class Diverges:
    """Relations in which the sides differ, in the order in which they were asked for."""

    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        return f"diverges in {'; '.join(map(str, self.differences))}"


@dataclass(frozen=True, slots=True)
class Inexpressible:
    """Rules, by id, that the second evaluator cannot be told."""

    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        return "; ".join(map(str, self.findings))


@dataclass(frozen=True, slots=True)
class OutOfLimit:
    """The second evaluator ran out of `seconds` or `memory_bytes`."""

    limit: str
    value: float

    def __str__(self) -> str:
        return f"limit `{self.limit}` of {self.value:.12g} reached by the second evaluator"


@dataclass(frozen=True, slots=True)
class WorkerFailed:
    """The second evaluator did not start, ended early, or answered what nobody can read."""

    problem: str

    def __str__(self) -> str:
        return f"the second evaluator failed: {self.problem}"


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Nothing is known of the answer, neither for it nor against it."""

    reason: Inexpressible | OutOfLimit | WorkerFailed

    def __str__(self) -> str:
        return f"unchecked: {self.reason}"


Vote: TypeAlias = Agrees | Diverges | Unchecked


def _typed(row: Row) -> tuple[tuple[str, Value], ...]:
    """The row with the types of its values, `int` before `str`, as term order has them."""
    return tuple((type(value).__name__, value) for value in row)
