"""The model of a program over given facts, with what it took to compute it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.facts import Fact
from engine.program import Program
from engine.rows import Rows
from engine.terms import Row


@dataclass(frozen=True, slots=True)
class Model:
    """All rows that follow. `facts` leads from a given row back to its fact (the least id)."""

    program: Program
    rows: Rows
    facts: Mapping[tuple[str, Row], Fact]
    bounds: Mapping[str, Mapping[str, int]]
    matchers: Mapping[str, Callable[[Row], bool]] = field(
        default_factory=dict[str, Callable[[Row], bool]]
    )

    def of(self, relation: str) -> frozenset[Row]:
        """The rows of one relation; empty for a relation without rows."""
        return frozenset(self.rows.of(relation))
