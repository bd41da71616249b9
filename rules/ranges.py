"""Ranges of aggregates: what they share with their rule, and what they range over.

Two of Soufflé's habits are refused rather than followed: there a variable of a target never is the
rule's variable of that name, and a sum over several atoms forgets columns without a name, so that
equal rows count once.
"""

from collections.abc import Collection, Iterator

import engine
from rules import syntax
from rules.bindings import bind, names_in, shared_variables
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unbound import Notes, find_unbound, find_wild_arithmetic, free_variables
from rules.unit import Unit


def find_range_faults(
    unit: Unit,
    aggregate: syntax.Aggregate,
    bound: Collection[str],
    outside: frozenset[str],
    notes: Notes,
) -> Iterator[Diagnostic]:
    """What is wrong with an aggregate whose rule binds these variables and names those outside."""
    shared = shared_variables(aggregate, outside)
    result = aggregate.result.token.text
    targeted = shared.intersection(names_in(_target(aggregate)))
    if result in shared:
        yield _own_result(aggregate)
    yield from _shared_targets(aggregate, targeted - {result})
    yield from _unbound_shared(aggregate, shared - targeted - {result}, bound, notes)
    inner = bind(unit, aggregate.body, shared).bound
    for literal in aggregate.body:
        yield from find_unbound(unit, literal, inner, notes)
    yield from _target_faults(aggregate, inner)
    if aggregate.function.text == "sum":
        yield from _forgotten_columns(unit, aggregate)


def _target(aggregate: syntax.Aggregate) -> tuple[syntax.Term, ...]:
    return () if aggregate.target is None else (aggregate.target,)


def _own_result(aggregate: syntax.Aggregate) -> Diagnostic:
    name, function = aggregate.result.token.text, aggregate.function.text
    word = next(
        term.token
        for term in syntax.words_of(syntax.terms_inside(aggregate))
        if term.value == aggregate.result.value
    )
    law = "a result is known only when its aggregate is"
    hint = "give the one inside another name"
    message = f"{show(name)} is the result of `{function}` and stands inside it"
    return finding("R309", word.place, message, law, hint=hint)


def _shared_targets(aggregate: syntax.Aggregate, names: Collection[str]) -> Iterator[Diagnostic]:
    function = aggregate.function.text
    for word in free_variables(_target(aggregate), ()):
        if word.text in names:
            law = "Soufflé takes it for another variable than the rule's, so neither is meant here"
            hint = f"write `{function} z : {{ …, z = … }}` with a new name `z`"
            message = f"variable {show(word.text)} in the target of `{function}` is named outside"
            yield finding("R315", word.place, message, law, hint=hint)


def _unbound_shared(
    aggregate: syntax.Aggregate, shared: Collection[str], bound: Collection[str], notes: Notes
) -> Iterator[Diagnostic]:
    function = aggregate.function.text
    for word in free_variables(syntax.terms_inside(aggregate), bound):
        if word.text in shared:
            law = "a variable that the rule names outside too is shared, and gets its value there"
            atom = _atom_with(aggregate, word.text)
            hint = f"bind {show(word.text)} outside too" if atom else ""
            if atom:
                hint += f", such as by an atom of `{atom.relation.text}`"
            message = f"variable {show(word.text)} of `{function}` is not bound outside of it"
            yield finding("R307", word.place, message, law, *notes, hint=hint)


def _atom_with(aggregate: syntax.Aggregate, name: str) -> syntax.Atom | None:
    atoms = (literal for literal in aggregate.body if isinstance(literal, syntax.Atom))
    return next((atom for atom in atoms if name in names_in(atom.terms)), None)


def _target_faults(aggregate: syntax.Aggregate, inner: Collection[str]) -> Iterator[Diagnostic]:
    target = _target(aggregate)
    function = aggregate.function.text
    for word in free_variables(target, inner):
        law = "the body of an aggregate binds each variable of its target"
        message = f"unsafe variable {show(word.text)} in the target of `{function}`"
        yield finding("R307", word.place, message, law)
    yield from find_wild_arithmetic(target)
    for term in target:
        if isinstance(term.value, engine.Wildcard):
            law = "the target says of which values"
            hint = "name the column that is meant"
            message = f"`_` as the target of `{function}`"
            yield finding("R312", term.token.place, message, law, hint=hint)


def _forgotten_columns(unit: Unit, aggregate: syntax.Aggregate) -> Iterator[Diagnostic]:
    atoms = [
        literal
        for literal in aggregate.body
        if isinstance(literal, syntax.Atom) and not unit.is_computed(literal.relation.text)
    ]
    named = [name for atom in atoms for name in names_in(atom.terms)]
    if len(atoms) == 1 and len(set(named)) == len(named):
        return
    for atom in atoms:
        for term in atom.terms:
            if isinstance(term.value, engine.Wildcard):
                law = "Soufflé would add the values of rows that differ in this column once only"
                hint = "give the column a name such as `_c`: then each row counts"
                message = "`_` in a `sum` whose columns are joined"
                yield finding("R316", term.token.place, message, law, hint=hint)
