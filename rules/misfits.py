"""Misfits: constants and variables that are not of the type of their column.

As in Soufflé, a positive atom of the body narrows its variables, and values flow from a subtype to
its base: a variable in a `LessonId` and in a `symbol` column is a `LessonId`, and fits a head of
either type. A variable that `=` or an aggregate binds has the type of what it is bound to;
constants and calculated numbers fit every subtype of their base. Two subtypes never meet. Stricter
than Soufflé: neither do they in a negated atom or in a comparison, where the one would be true and
the other false whatever the facts are; and only rows narrow, `=` and matchers do not.
"""

from collections import ChainMap, deque
from collections.abc import Iterable, Iterator, MutableMapping, Sequence

import engine
from rules import syntax
from rules.bindings import bind, outside_variables, shared_variables
from rules.constants import find_constant_faults
from rules.diagnostics import Diagnostic, finding
from rules.operands import find_comparison_faults, find_operand_faults, find_target_faults
from rules.printer import write_term
from rules.symbols import show
from rules.unit import Unit
from rules.uses import Use, base_of, fits, meet, use_of


def find_misfits(unit: Unit) -> Iterator[Diagnostic]:
    """Constants outside their column's type, variables and comparisons of types that never meet."""
    for named in unit.rules:
        clause = named.clause
        outside = outside_variables(clause)
        uses: dict[str, Use] = {}
        yield from _body_faults(unit, clause.body, uses, outside)
        for literal in clause.body:
            if isinstance(literal, syntax.Aggregate):
                yield from _aggregate_faults(unit, literal, uses, outside)
        yield from _head_faults(unit, clause.head, uses)


def _body_faults(
    unit: Unit,
    body: Sequence[syntax.Literal],
    uses: MutableMapping[str, Use],
    outside: frozenset[str],
    shared: frozenset[str] = frozenset(),
) -> Iterator[Diagnostic]:
    """The faults of a body but for those inside aggregates; `uses` learns its variables."""
    yield from _learn(unit, body, uses, outside, shared)
    for literal in body:
        match literal:
            case syntax.Atom():
                if unit.is_computed(literal.relation.text):
                    yield from _narrow(unit, literal, ChainMap({}, uses))
                yield from find_operand_faults(unit, literal.terms, uses)
            case syntax.Negated():
                yield from _narrow(unit, literal.atom, ChainMap({}, uses))
                yield from find_operand_faults(unit, literal.atom.terms, uses)
            case syntax.Comparison():
                yield from find_comparison_faults(unit, literal, uses)
            case syntax.Aggregate():
                pass


def _aggregate_faults(
    unit: Unit, aggregate: syntax.Aggregate, uses: dict[str, Use], outside: frozenset[str]
) -> Iterator[Diagnostic]:
    inside = ChainMap[str, Use]({}, uses)
    shared = shared_variables(aggregate, outside)
    yield from _body_faults(unit, aggregate.body, inside, outside, shared)
    yield from find_target_faults(unit, aggregate, inside)
    use = uses.get(aggregate.result.token.text)
    if use and use.type and base_of(unit, use.type) != engine.NUMBER:
        name = show(aggregate.result.token.text)
        note = f"{name} is a `{use.type}` at {use.word.place}"
        message = f"{name} is the number that `{aggregate.function.text}` gives, and a `{use.type}`"
        yield finding("R221", aggregate.result.token.place, message, note)


def _learn(
    unit: Unit,
    body: Sequence[syntax.Literal],
    uses: MutableMapping[str, Use],
    outside: frozenset[str],
    shared: frozenset[str] = frozenset(),
) -> Iterator[Diagnostic]:
    """The uses that rows, `=` and aggregates give to the variables of a body."""
    for literal in body:
        if isinstance(literal, syntax.Atom) and not unit.is_computed(literal.relation.text):
            yield from _narrow(unit, literal, uses)
    for source in bind(unit, body, shared, outside).sources:
        if isinstance(source.literal, syntax.Aggregate):
            uses.setdefault(source.name, _result(unit, source.literal, uses, outside))
        elif use := use_of(source.term, uses):
            uses.setdefault(source.name, use)


def _result(
    unit: Unit, aggregate: syntax.Aggregate, uses: MutableMapping[str, Use], outside: frozenset[str]
) -> Use:
    """The use of an aggregate's result: of a count any number, else what its target is."""
    number = Use(engine.NUMBER, aggregate.result.token, loose=True)
    if aggregate.target is None:
        return number
    inside = ChainMap[str, Use]({}, uses)
    shared = shared_variables(aggregate, outside)
    deque(_learn(unit, aggregate.body, inside, outside, shared), maxlen=0)
    use = use_of(aggregate.target, inside)
    return use if use and base_of(unit, use.type) == engine.NUMBER else number


def _columns(unit: Unit, atom: syntax.Atom) -> Iterable[tuple[syntax.Column, syntax.Term]]:
    """The columns of an atom whose types are known, each with its term."""
    relation = unit.relation_of(atom)
    if relation is not None:
        for column, term in zip(relation.columns, atom.terms, strict=True):
            if base_of(unit, column.type.text):
                yield column, term


def _narrow(unit: Unit, atom: syntax.Atom, uses: MutableMapping[str, Use]) -> Iterator[Diagnostic]:
    for column, term in _columns(unit, atom):
        match term.value:
            case engine.Variable(name) if name in uses and uses[name].loose:
                yield from _loose_faults(unit, column, uses[name], term, atom)
            case engine.Variable(name):
                here = Use(column.type.text, term.token)
                before = uses.setdefault(name, here)
                narrower = meet(unit, before.type, here.type) if before.type else ""
                if narrower is None:
                    yield _apart(before, here)
                uses[name] = before if narrower == before.type else Use(narrower or "", here.word)
            case _:
                yield from _term_faults(unit, column, term, atom)


def _loose_faults(
    unit: Unit, column: syntax.Column, use: Use, term: syntax.Term, atom: syntax.Atom
) -> Iterator[Diagnostic]:
    """What is wrong with a variable in a column that no row narrows: its value is what it is."""
    if not fits(unit, use, column.type.text):
        yield _apart(use, Use(column.type.text, term.token))
    elif use.value is not None:
        yield from find_constant_faults(unit, column, use.value, use.word, atom)


def _apart(before: Use, here: Use) -> Diagnostic:
    name = show(here.word.text)
    note = f"{name} is a `{before.type}` at {before.word.place}"
    law = "a subtype meets its base and nothing else"
    message = f"variable {name} is a `{here.type}` here and a `{before.type}` elsewhere"
    return finding("R207", here.word.place, message, note, law)


def _head_faults(
    unit: Unit, head: syntax.Atom, uses: MutableMapping[str, Use]
) -> Iterator[Diagnostic]:
    yield from find_operand_faults(unit, head.terms, uses)
    for column, term in _columns(unit, head):
        use = use_of(term, uses)
        if not isinstance(term.value, engine.Variable):
            yield from _term_faults(unit, column, term, head)
        elif use and not fits(unit, use, column.type.text):
            name, wanted = show(term.token.text), column.type.text
            where = f"column {show(column.name.text)} of {show(head.relation.text)}"
            note = f"{name} is a `{use.type}` at {use.word.place}"
            hint = f"read {name} from a column of type `{wanted}` in the body"
            message = f"variable {name} is a `{use.type}`, {where} takes a `{wanted}`"
            yield finding("R208", term.token.place, message, note, hint=hint)
        elif use and use.value is not None:
            yield from find_constant_faults(unit, column, use.value, use.word, head)


def _term_faults(
    unit: Unit, column: syntax.Column, term: syntax.Term, atom: syntax.Atom
) -> Iterator[Diagnostic]:
    """What is wrong with a constant, or with arithmetic, in a column."""
    if isinstance(term.value, engine.Constant):
        yield from find_constant_faults(unit, column, term.value.value, term.token, atom)
    elif term.leaves and base_of(unit, column.type.text) == engine.SYMBOL:
        where = f"column {show(column.name.text)} of {show(atom.relation.text)}"
        written = show(write_term(term.value))
        message = f"{written} is a `number`, {where} takes a `{column.type.text}`"
        yield finding("R221", term.token.place, message, f"declared at {column.type.place}")
