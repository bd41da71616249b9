"""Operands: what is calculated with or compared is of types that allow it."""

from collections.abc import Iterable, Iterator, Mapping

import engine
from rules import syntax
from rules.constants import find_enumeration_faults
from rules.diagnostics import Diagnostic, finding
from rules.printer import write_term
from rules.symbols import show
from rules.unit import Unit
from rules.uses import Use, base_of, meet, use_of


def find_operand_faults(
    unit: Unit, terms: Iterable[syntax.Term], uses: Mapping[str, Use]
) -> Iterator[Diagnostic]:
    """Symbols inside arithmetic."""
    for term in terms:
        for leaf in term.leaves:
            use = use_of(leaf, uses)
            if use and base_of(unit, use.type) == engine.SYMBOL:
                law = "only numbers are calculated with"
                note = "" if use.word is leaf.token else f"a `{use.type}` at {use.word.place}"
                message = f"arithmetic with {show(write_term(leaf.value))}, which is a `{use.type}`"
                yield finding("R221", leaf.token.place, message, *filter(None, (note, law)))


def find_comparison_faults(
    unit: Unit, comparison: syntax.Comparison, uses: Mapping[str, Use]
) -> Iterator[Diagnostic]:
    """Sides whose types never meet, and a constant outside the other side's enumeration."""
    yield from find_operand_faults(unit, syntax.terms_of(comparison), uses)
    left, right = use_of(comparison.left, uses), use_of(comparison.right, uses)
    if left is None or right is None:
        return
    if meet(unit, left.type, right.type) is None:
        law = "values of different types are neither equal nor ordered"
        message = f"comparison of a `{left.type}` with a `{right.type}`"
        yield finding("R209", comparison.operator.place, message, law)
        return
    for constant, other in ((left, right), (right, left)):
        if constant.value is not None:
            value, word = constant.value, constant.word
            yield from find_enumeration_faults(unit, other.type, value, word)


def find_target_faults(
    unit: Unit, aggregate: syntax.Aggregate, uses: Mapping[str, Use]
) -> Iterator[Diagnostic]:
    """A target that is calculated from symbols or is one."""
    if aggregate.target is None:
        return
    yield from find_operand_faults(unit, (aggregate.target,), uses)
    use = use_of(aggregate.target, uses)
    if use and base_of(unit, use.type) == engine.SYMBOL:
        function = aggregate.function.text
        law = f"`{function}` ranges over numbers"
        hint = "take a number that orders them, or `count`" if function != "sum" else ""
        what = show(write_term(aggregate.target.value))
        message = f"`{function}` of {what}, which is a `{use.type}`"
        yield finding("R221", aggregate.target.token.place, message, law, hint=hint)
