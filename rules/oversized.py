"""Oversized rules: those that stand for more rules than anybody would read."""

from collections.abc import Iterator

from rules.alternatives import ALTERNATIVES_LIMIT, LITERALS_LIMIT, size
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unit import Unit

_DIGITS_SHOWN = 12


def find_oversized(unit: Unit) -> Iterator[Diagnostic]:
    """Rules whose heads and alternatives multiply beyond the limits."""
    for rule in unit.oversized:
        found = size(rule.body)
        count = found.alternatives * len(rule.heads)
        head = rule.heads[0].relation
        hint = "let relations of their own hold the alternatives"
        if count > ALTERNATIVES_LIMIT:
            law = f"one rule stands for at most {ALTERNATIVES_LIMIT} rules"
            message = f"this rule of {show(head.text)} stands for {_written(count)} rules"
        else:
            law = f"all rules with alternatives come to at most {LITERALS_LIMIT} literals"
            literals = _written(found.literals * len(rule.heads))
            message = f"this rule of {show(head.text)} comes to {literals} literals"
        yield finding("R116", head.place, message, law, hint=hint)


def _written(number: int) -> str:
    """The number in digits, or its size when nobody would read them."""
    bits = number.bit_length()
    return str(number) if bits < 4 * _DIGITS_SHOWN else f"at least 2^{bits - 1}"
