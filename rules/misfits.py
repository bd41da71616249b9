"""Misfits: constants and variables that are not of the type of their column.

As in Soufflé, a positive atom of the body narrows its variables, and values flow from a subtype to
its base: a variable in a `LessonId` and in a `symbol` column is a `LessonId`, and fits a head of
either type. Two subtypes never meet. Stricter than Soufflé: neither do they in a negated atom or
in a comparison, where the one would be true and the other false whatever the facts are.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

import engine
from rules import syntax
from rules.declarations import BASES
from rules.diagnostics import Diagnostic, finding
from rules.printer import write_value
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit, atoms_of

_VALUES_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class _Use:
    """The type of a variable so far, unknown iff empty, and the place that says so."""

    type: str
    word: Token


def find_misfits(unit: Unit) -> Iterator[Diagnostic]:
    """Constants outside their column's type, variables and comparisons of types that never meet."""
    for named in unit.rules:
        rule = named.rule
        uses: dict[str, _Use] = {}
        atoms = tuple(atoms_of(rule))
        for atom, negated in atoms:
            if not negated:
                yield from _narrow(unit, atom, uses)
        for atom, negated in atoms:
            if negated:
                yield from _narrow(unit, atom, ChainMap({}, uses))
        yield from _head_faults(unit, rule.head, uses)
        for literal in rule.body:
            if isinstance(literal, syntax.Comparison):
                yield from _comparison_faults(unit, literal, uses)


def base_of(unit: Unit, type_name: str) -> str:
    """`symbol` or `number`, or nothing for a type that is not declared well."""
    declared = unit.types.get(type_name)
    base = declared.base.text if declared else type_name
    return base if base in BASES else ""


def meet(unit: Unit, left: str, right: str) -> str | None:
    """The narrower of two types; None iff no value is of both."""
    if left == right or base_of(unit, left) == right:
        return left
    return right if base_of(unit, right) == left else None


def _columns(unit: Unit, atom: syntax.Atom) -> Iterable[tuple[syntax.Column, syntax.Term]]:
    """The columns of an atom whose types are known, each with its term."""
    relation = unit.relation_of(atom)
    if relation is not None:
        for column, term in zip(relation.columns, atom.terms, strict=True):
            if base_of(unit, column.type.text):
                yield column, term


def _narrow(unit: Unit, atom: syntax.Atom, uses: MutableMapping[str, _Use]) -> Iterator[Diagnostic]:
    for column, term in _columns(unit, atom):
        match term.value:
            case engine.Constant(value):
                yield from _constant_faults(unit, column, value, term, atom)
            case engine.Variable(name):
                here = _Use(column.type.text, term.token)
                before = uses.setdefault(name, here)
                narrower = meet(unit, before.type, here.type) if before.type else ""
                if narrower is None:
                    yield _apart(before, here)
                uses[name] = before if narrower == before.type else _Use(narrower or "", here.word)
            case engine.Wildcard():
                pass


def _apart(before: _Use, here: _Use) -> Diagnostic:
    name = show(here.word.text)
    note = f"{name} is a `{before.type}` at {before.word.place}"
    law = "a subtype meets its base and nothing else"
    message = f"variable {name} is a `{here.type}` here and a `{before.type}` elsewhere"
    return finding("R207", here.word.place, message, note, law)


def _head_faults(unit: Unit, head: syntax.Atom, uses: dict[str, _Use]) -> Iterator[Diagnostic]:
    for column, term in _columns(unit, head):
        wanted = column.type.text
        match term.value:
            case engine.Constant(value):
                yield from _constant_faults(unit, column, value, term, head)
            case engine.Variable(name) if name in uses and uses[name].type:
                use = uses[name]
                if wanted not in {use.type, base_of(unit, use.type)}:
                    where = f"column {show(column.name.text)} of {show(head.relation.text)}"
                    note = f"{show(name)} is a `{use.type}` at {use.word.place}"
                    hint = f"read {show(name)} from a column of type `{wanted}` in the body"
                    message = f"variable {show(name)} is a `{use.type}`, {where} takes a `{wanted}`"
                    yield finding("R208", term.token.place, message, note, hint=hint)
            case engine.Variable() | engine.Wildcard():
                pass


def _constant_faults(
    unit: Unit, column: syntax.Column, value: engine.Value, term: syntax.Term, atom: syntax.Atom
) -> Iterator[Diagnostic]:
    base = base_of(unit, column.type.text)
    if base != _base_of_value(value):
        where = f"column {show(column.name.text)} of {show(atom.relation.text)}"
        written = show(write_value(value))
        message = f"{written} is a `{_base_of_value(value)}`, {where} takes a `{column.type.text}`"
        yield finding("R205", term.token.place, message, f"declared at {column.type.place}")
    else:
        yield from _enumeration_faults(unit, column.type.text, value, term)


def _enumeration_faults(
    unit: Unit, type_name: str, value: engine.Value, term: syntax.Term
) -> Iterator[Diagnostic]:
    values = unit.enumerations.get(type_name)
    if not values or not isinstance(value, str) or value in values:
        return
    shown = ", ".join(show(write_value(known)) for known in islice(values, _VALUES_SHOWN))
    more = f" and {len(values) - _VALUES_SHOWN} more" if len(values) > _VALUES_SHOWN else ""
    place = unit.types[type_name].name.place
    note = f"the values of `{type_name}` are {shown}{more}, declared at {place}"
    near = unit.spelling.nearest(value, values)
    hint = f"did you mean {show(write_value(near))}?" if near is not None else ""
    message = f"{show(write_value(value))} is not a value of `{type_name}`"
    yield finding("R206", term.token.place, message, note, hint=hint)


def _comparison_faults(
    unit: Unit, comparison: syntax.Comparison, uses: dict[str, _Use]
) -> Iterator[Diagnostic]:
    left, right = comparison.left, comparison.right
    left_type, right_type = _type_of(left, uses), _type_of(right, uses)
    if not left_type or not right_type:
        return
    if meet(unit, left_type, right_type) is None:
        law = "values of different types are neither equal nor ordered"
        message = f"comparison of a `{left_type}` with a `{right_type}`"
        yield finding("R209", comparison.operator.place, message, law)
        return
    for constant, other in ((left, right_type), (right, left_type)):
        if isinstance(constant.value, engine.Constant):
            yield from _enumeration_faults(unit, other, constant.value.value, constant)


def _type_of(term: syntax.Term, uses: dict[str, _Use]) -> str:
    """The type of a term, empty iff nothing says it."""
    match term.value:
        case engine.Constant(value):
            return _base_of_value(value)
        case engine.Variable(name):
            return uses[name].type if name in uses else ""
        case engine.Wildcard():
            return ""


def _base_of_value(value: engine.Value) -> str:
    return engine.SYMBOL if isinstance(value, str) else engine.NUMBER
