"""Declarations: names declared twice, columns and types that name no type."""

from collections.abc import Iterator
from typing import Final

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.omissions import BASE_TYPES, omission
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit

BASES: Final = (engine.NUMBER, engine.SYMBOL)
_TAKEN: Final = frozenset({*BASES, *BASE_TYPES})


def find_declaration_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Duplicate names of types, relations and columns; undeclared types; types of other bases."""
    yield from _duplicates(unit)
    for tree in unit.trees:
        for declared in tree.types:
            yield from _base_faults(unit, declared)
        for relation in tree.relations:
            yield from _column_faults(unit, relation)


def _duplicates(unit: Unit) -> Iterator[Diagnostic]:
    """Soufflé has one space of names for types and relations, so a clash between them counts."""
    seen: dict[str, Token] = {}
    for name in _declared_names(unit):
        if name.text in _TAKEN:
            note = f"`{name.text}` is a type of the language, in Soufflé or here"
            yield finding("R203", name.place, f"{show(name.text)} is declared twice", note)
            continue
        first = seen.setdefault(name.text, name)
        if first is not name:
            note = f"the first declaration stands at {first.place}"
            yield finding("R203", name.place, f"{show(name.text)} is declared twice", note)


def _declared_names(unit: Unit) -> Iterator[Token]:
    for tree in unit.trees:
        names = [declared.name for declared in tree.types]
        names += [relation.name for relation in tree.relations]
        yield from sorted(names, key=lambda name: (name.line, name.column))


def _base_faults(unit: Unit, declared: syntax.Type) -> Iterator[Diagnostic]:
    base = declared.base
    if base.text in BASE_TYPES:
        yield omission(base, BASE_TYPES[base.text])
    elif base.text not in BASES:
        law = "every type is a subtype of `symbol` or of `number`, none of another subtype"
        hint = unit.spelling.hint(base.text, BASES)
        message = f"type {show(declared.name.text)} is made of {show(base.text)}"
        yield finding("R217", base.place, message, law, hint=hint)


def _column_faults(unit: Unit, relation: syntax.Relation) -> Iterator[Diagnostic]:
    seen: dict[str, Token] = {}
    for column in relation.columns:
        name, type_name = column.name, column.type
        first = seen.setdefault(name.text, name)
        if first is not name:
            note = f"the first one stands at {first.place}"
            message = f"two columns of {show(relation.name.text)} have the name {show(name.text)}"
            yield finding("R219", name.place, message, note)
        known = type_name.text in BASES or type_name.text in unit.types
        if type_name.text in BASE_TYPES:
            yield omission(type_name, BASE_TYPES[type_name.text])
        elif not known and type_name.text not in unit.unread_declarations:
            hint = unit.spelling.hint(type_name.text, (*BASES, *unit.types))
            message = f"undeclared type {show(type_name.text)}"
            law = "a column is a `symbol`, a `number`, or of a type declared with `.type`"
            yield finding("R202", type_name.place, message, law, hint=hint)
