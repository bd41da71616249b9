"""Constructs: what pyDatalog cannot be told of the language, and what it is not left to do.

Reasons are measured on pyDatalog 0.22.4. What stands in neither table is its own work: positive
atoms with constants, `_` and repeated variables, negated atoms, comparisons, `=` that binds, sums,
differences and products, recursion.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COMPUTED: Final = "computed relation"
UNSAFE: Final = "unsafe variable"

INEXPRESSIBLE: Final[Mapping[str, str]] = {
    COMPUTED: "a matcher is a function of ours; expressible iff the rows that hold are given",
    UNSAFE: "pyDatalog answers `True`, nothing, or an error; our checks refuse such a rule before",
}
"""Each construct with the reason why rules that have it stay unchecked."""

ASSISTED: Final[Mapping[str, str]] = {
    "aggregate": (
        "pyDatalog derives the rows that it ranges over, the worker counts, sums or compares them:"
        " there a group of nothing has no row instead of 0, `len_` counts different targets, and a"
        " sum of `x * 2` is empty without a word"
    ),
    "mutual recursion": (
        "relations that need one another are one predicate with a column that tells them apart, and"
        " its rules ask it for all rows: `a(X) <= c(X)`, `b(X) <= a(X)`, `c(X) <= b(X)` never"
        " returns, nor does a right-recursive path over a cycle of three"
    ),
    "two recursive atoms in one rule": (
        "the second reads the rows of the run before, until a run gives no new ones: asked for all"
        " rows, 465 of them took 42 s instead of 0.2"
    ),
    "negation": (
        "of complete relations only, which are facts by then, each one declared: a negated atom"
        " over a relation without rows and rules is an error, a positive one is silently empty"
    ),
    "division and remainder": (
        "a function of the worker that pyDatalog calls: its own rounds down, and a division by zero"
        " becomes a value; so it does before the test that should keep it off is tried"
    ),
    "symbol": (
        "a code in byte order: `Term('X')` is a variable, `Term('')` an error, 1, True and 1.0 are"
        " one value, and text that is loaded runs as Python"
    ),
}
"""Each construct that worker or translation have a part in, with that part and its reason."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that cannot be expressed: the construct, and the relation or variable that it is."""

    construct: str
    rule_id: str
    name: str

    def __str__(self) -> str:
        return f"rule `{self.rule_id}`: {self.construct} `{self.name}`"
