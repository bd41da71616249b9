"""Safety: every variable gets its values from somewhere; `bindings` says from where."""

from collections.abc import Collection, Iterator

import engine
from rules import syntax
from rules.bindings import bind, names_in, outside_variables
from rules.diagnostics import Diagnostic, finding
from rules.ranges import find_range_faults
from rules.symbols import show
from rules.unbound import Notes, find_unbound, find_wild_arithmetic, free_variables
from rules.unit import Unit


def find_unsafe(unit: Unit) -> Iterator[Diagnostic]:
    """Variables that nothing binds, and `_` where it has no meaning."""
    for named in unit.rules:
        clause = named.clause
        outside = outside_variables(clause)
        bound = bind(unit, clause.body, (), outside).bound
        # Of an aggregate that cannot be tried its own fault is enough: its result counts as bound.
        known = bind(unit, clause.body, {*bound, *_results(clause)}, outside).bound
        notes = (
            (f"alternative {named.alternative} of the rule does not bind it",)
            if named.alternative
            else ()
        )
        yield from _head_faults(clause, known, notes)
        for literal in clause.body:
            if isinstance(literal, syntax.Aggregate):
                yield from find_range_faults(unit, literal, bound, outside, notes)
            else:
                yield from find_unbound(unit, literal, known, notes)
            if isinstance(literal, syntax.Comparison):
                known.update(names_in(syntax.terms_of(literal)))


def _results(clause: syntax.Clause) -> Iterator[str]:
    aggregates = (literal for literal in clause.body if isinstance(literal, syntax.Aggregate))
    return (aggregate.result.token.text for aggregate in aggregates)


def _head_faults(
    clause: syntax.Clause, bound: Collection[str], notes: Notes
) -> Iterator[Diagnostic]:
    head = clause.head
    relation = show(head.relation.text)
    for word in free_variables(head.terms, bound):
        if clause.body:
            law = "a positive atom, `=` or an aggregate binds each variable of a head"
            hint = f"add an atom that says which values {show(word.text)} takes"
        else:
            law = "a fact holds constants only"
            hint = f'a symbol is written in quotes: `"{word.text}"`'
        message = f"unsafe variable {show(word.text)} in the head of {relation}"
        yield finding("R301", word.place, message, law, *notes, hint=hint)
    yield from find_wild_arithmetic(head.terms)
    for term in head.terms:
        if isinstance(term.value, engine.Wildcard):
            law = "a head says which rows follow, so each column needs a value"
            yield finding("R304", term.token.place, f"`_` in the head of {relation}", law)
