"""Terms and literals: what rules are made of.

A `Value` is a symbol (text, compared by its bytes) or a number (64-bit signed). The two never
meet: no symbol equals a number, and neither is ever a Python `bool`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

Value: TypeAlias = str | int
Row: TypeAlias = tuple[Value, ...]
Pattern: TypeAlias = tuple[Value | None, ...]
"""A row with holes: `None` stands for any value."""

NUMBER_MIN: Final = -(2**63)
NUMBER_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """A named variable; the same name in one rule is the same value."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A symbol or a number written in a rule."""

    value: Value


@dataclass(frozen=True, slots=True)
class Wildcard:
    """The term `_`: some value in a positive atom, no value in a negated one."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left operator right` with one of `+ - * / %`, over numbers.

    Division cuts towards zero and the remainder has the sign of the dividend, as in C.
    """

    operator: str
    left: "Term"
    right: "Term"


Term: TypeAlias = Variable | Constant | Wildcard | Arithmetic


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation applied to terms: `p(x, "a", _)`."""

    relation: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """`!p(x, _)`: holds iff no row of the relation fits the atom."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right` with one of `= != < <= > >=`; symbols compare by their bytes.

    `=` with an unbound variable on one side binds it to the other side.
    """

    operator: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`result = function target : { body }` with one of `count sum min max`.

    It ranges over all ways in which the whole body holds. A variable that the rule also names
    outside of aggregates is shared and must be bound there; every other one is local. Nothing to
    range over gives 0 for `count` and `sum`, and no value for `min` and `max`. `count` has no
    target.
    """

    result: Variable
    function: str
    target: Term | None
    body: tuple["Atom | Negated | Comparison", ...]


Literal: TypeAlias = Atom | Negated | Comparison | Aggregate


def order_key(row: Pattern) -> tuple[tuple[int, int, str], ...]:
    """The sort key of term order: holes, then numbers by value, then symbols by bytes."""
    return tuple(
        (0, 0, "") if value is None else (1, value, "") if isinstance(value, int) else (2, 0, value)
        for value in row
    )
