"""Uses: the type that a variable has in a rule so far, and which types meet."""

from collections.abc import Mapping
from dataclasses import dataclass

import engine
from rules import syntax
from rules.declarations import BASES
from rules.tokens import Token
from rules.unit import Unit


@dataclass(frozen=True, slots=True)
class Use:
    """The type of a term, unknown iff empty, and the place that says so.

    It is `loose` iff it fits every subtype of its base, as a constant and a calculated number do;
    `value` is the constant.
    """

    type: str
    word: Token
    loose: bool = False
    value: engine.Value | None = None


def use_of(term: syntax.Term, uses: Mapping[str, Use]) -> Use | None:
    """The use of a term, None iff nothing says its type."""
    match term.value:
        case engine.Constant(value):
            return Use(base_of_value(value), term.token, loose=True, value=value)
        case engine.Variable(name):
            use = uses.get(name)
            return use if use and use.type else None
        case engine.Arithmetic():
            return Use(engine.NUMBER, term.token, loose=True)
        case engine.Wildcard():
            return None


def base_of(unit: Unit, type_name: str) -> str:
    """`symbol` or `number`, or nothing for a type that is not declared well."""
    declared = unit.types.get(type_name)
    base = declared.base.text if declared else type_name
    return base if base in BASES else ""


def base_of_value(value: engine.Value) -> str:
    """`symbol` or `number`: the base of a constant."""
    return engine.SYMBOL if isinstance(value, str) else engine.NUMBER


def meet(unit: Unit, left: str, right: str) -> str | None:
    """The narrower of two types; None iff no value is of both."""
    if left == right or base_of(unit, left) == right:
        return left
    return right if base_of(unit, right) == left else None


def fits(unit: Unit, use: Use, wanted: str) -> bool:
    """Whether every value of a use belongs to a type; the values of an enumeration aside."""
    base = base_of(unit, use.type)
    return wanted in {use.type, base} or (use.loose and base_of(unit, wanted) == base)
