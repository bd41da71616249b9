"""Spelling: which known name somebody may have meant."""

from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 64
_BUDGET: Final = 200_000
_COMPARISON_COST: Final = 20


class Spelling:
    """Finds near names until its budget is spent, so that suggestions stay cheap.

    A program with thousands of unknown names does not need a suggestion for each.
    """

    def __init__(self) -> None:
        self._left = _BUDGET

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """The known name within a third of the name's length in edits; the nearest, then least.

        Names that differ in case only are always near.
        """
        allowed = len(name) // 3
        best: tuple[int, str] | None = None
        if len(name) > _LONGEST:
            return None
        for candidate in known:
            if self._left <= 0:
                break
            self._left -= 1
            if candidate != name and abs(len(candidate) - len(name)) <= allowed:
                self._left -= _COMPARISON_COST
                found = (edits(name.lower(), candidate.lower()), candidate)
                best = min(best or found, found)
        return best[1] if best and best[0] <= allowed else None

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The hint "did you mean …?", empty iff no known name is near."""
        near = self.nearest(name, known)
        return f"did you mean `{near}`?" if near else ""


def edits(left: str, right: str) -> int:
    """The least number of characters put in, left out, replaced or swapped with a neighbour.

    The optimal string alignment distance (L. Boytsov, Indexing methods for approximate dictionary
    searching, 2011, section 2.1).
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
