"""Inventions: rules that would go round for ever, each time with a new number.

A rule whose head is on a cycle may hand on values that some row holds already, and no other: one
that is calculated in the head, or by an `=` or aggregate that binds a variable of the head, might
be new in each round.
"""

from collections.abc import Iterator

from rules import syntax
from rules.bindings import bind, names_in, outside_variables
from rules.dependencies import Dependencies, Reading, note_of
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unit import NamedRule, Unit


def find_inventions(unit: Unit, dependencies: Dependencies) -> Iterator[Diagnostic]:
    """Each calculated term in the head of a recursive rule, with the cycle."""
    recursive: dict[str, Reading] = {}
    for readings in dependencies.inside.values():
        for reading in readings:
            recursive.setdefault(reading.named.id, reading)
    for named in unit.rules:
        if named.id in recursive and _may_calculate(named.clause):
            reading = recursive[named.id]
            for term in _calculated(unit, named):
                yield _fault(term, reading, dependencies)


def _may_calculate(clause: syntax.Clause) -> bool:
    """Whether a clause holds anything that gives a value besides the rows of its atoms."""
    return any(term.leaves for term in clause.head.terms) or any(
        isinstance(literal, syntax.Comparison | syntax.Aggregate) for literal in clause.body
    )


def _calculated(unit: Unit, named: NamedRule) -> Iterator[syntax.Term]:
    clause = named.clause
    outside = outside_variables(clause)
    found = bind(unit, clause.body, (), outside)
    invented: set[str] = set()
    for source in found.sources:
        if _invents(unit, source.literal, source.term, invented):
            invented.add(source.name)
    for term in clause.head.terms:
        if term.leaves or invented.intersection(names_in((term,))):
            yield term


def _invents(unit: Unit, literal: syntax.Literal, term: syntax.Term, invented: set[str]) -> bool:
    """Whether a variable that is bound so may get a value that no row holds."""
    if isinstance(literal, syntax.Aggregate):
        return _may_grow(unit, literal)
    return bool(term.leaves) or not invented.isdisjoint(names_in((term,)))


def _may_grow(unit: Unit, aggregate: syntax.Aggregate) -> bool:
    """Whether an aggregate has a target that is not made of rows of lower strata alone.

    A count never exceeds the rows that there are; what it counts must lie in lower strata.
    """
    if aggregate.target is None:
        return False
    drawn = bind(unit, aggregate.body, ()).drawn
    return not drawn.issuperset(names_in((aggregate.target,)))


def _fault(term: syntax.Term, reading: Reading, dependencies: Dependencies) -> Diagnostic:
    head, read = reading.edge
    back = dependencies.way(read, head)
    law = "round after round there could be a new number, and no end"
    hint = "calculate in a relation that is not on the cycle, or draw the number from given rows"
    notes = dict.fromkeys((note_of(reading), *back.notes))
    what = "arithmetic" if term.leaves else f"calculated {show(term.token.text)}"
    message = f"{what} in the head of a recursive rule: `{head} -> {reading.written}{back.text}`"
    return finding("R310", term.token.place, message, law, *notes, hint=hint)
