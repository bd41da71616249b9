"""Values of terms: arithmetic on signed 64-bit numbers, exact or refused."""

import operator
from collections.abc import Callable, Mapping
from typing import Final

from engine.terms import (
    NUMBER_MAX,
    NUMBER_MIN,
    Arithmetic,
    Comparison,
    Constant,
    Term,
    Value,
    Variable,
)

OPERATORS: Final[Mapping[str, Callable[[Value, Value], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class ArithmeticFaultError(Exception):
    """A number left 64 bits, or something was divided by zero; there is no answer."""

    def __init__(self, problem: str, rule_id: str | None = None) -> None:
        super().__init__(f"{problem} in rule `{rule_id}`" if rule_id else problem)
        self.problem = problem
        self.rule_id = rule_id


def bounded(number: int) -> int:
    """The number itself; raises `ArithmeticFaultError` iff it does not fit in 64 bits."""
    if NUMBER_MIN <= number <= NUMBER_MAX:
        return number
    raise ArithmeticFaultError("number outside 64 bits")


def value_of(term: Term, binding: Mapping[str, Value]) -> Value | None:
    """The value of a term, None iff it holds an unbound variable or is `_`.

    Raises `ArithmeticFaultError`, and `TypeError` for arithmetic on a symbol (refused before
    evaluation).
    """
    if isinstance(term, Variable):
        return binding.get(term.name)
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, Arithmetic):
        left, right = value_of(term.left, binding), value_of(term.right, binding)
        if left is None or right is None:
            return None
        return _combine(term.operator, left, right)
    return None


def holds(comparison: Comparison, binding: Mapping[str, Value]) -> bool:
    """Whether a comparison of bound terms is true. Raises `KeyError` for an unbound one."""
    left, right = value_of(comparison.left, binding), value_of(comparison.right, binding)
    if left is None or right is None:
        raise KeyError(comparison.operator)
    return OPERATORS[comparison.operator](left, right)


def _combine(operator_: str, left: Value, right: Value) -> int:
    if isinstance(left, str) or isinstance(right, str):
        raise TypeError(operator_)
    match operator_:
        case "+":
            return bounded(left + right)
        case "-":
            return bounded(left - right)
        case "*":
            return bounded(left * right)
        case _:
            return _divide(operator_, left, right)


def _divide(operator_: str, left: int, right: int) -> int:
    """Quotient or remainder as in C: the quotient cuts towards zero."""
    if right == 0:
        raise ArithmeticFaultError("division by zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return bounded(quotient) if operator_ == "/" else left - quotient * right
