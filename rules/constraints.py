"""Constraints: keys and references, as they are written in annotations, and what they may name.

key         = column { "," column }
reference   = key "->" relation "(" key ")"
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.syntax import texts
from rules.tokens import Token
from rules.unit import Unit
from rules.uses import base_of, meet

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*+"
_NAMES: Final = rf"\s*+{_NAME}(?:\s*+,\s*+{_NAME})*+\s*+"
_KEY: Final = re.compile(rf"({_NAMES})")
_REFERENCE: Final = re.compile(rf"({_NAMES})->\s*+({_NAME})\s*+\(({_NAMES})\)\s*+")
_WORD: Final = re.compile(_NAME)


@dataclass(frozen=True, slots=True)
class Reference:
    """The words of a reference, each with its place."""

    columns: tuple[Token, ...]
    relation: Token
    targets: tuple[Token, ...]


def columns_of(word: Token) -> tuple[Token, ...]:
    """The columns that a key names, none iff the text is no key."""
    found = _KEY.fullmatch(word.text)
    return _words(word, *found.span(1)) if found else ()


def reference_of(word: Token) -> Reference | None:
    """What a reference names, None iff the text is no reference."""
    found = _REFERENCE.fullmatch(word.text)
    if found is None:
        return None
    (relation,) = _words(word, *found.span(2))
    return Reference(_words(word, *found.span(1)), relation, _words(word, *found.span(3)))


def find_constraint_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Keys and references that are malformed, or name what is not there, not given or no fit."""
    for relation in unit.relations.values():
        for word in texts(relation, "key"):
            yield from _key_faults(unit, relation, word)
        for word in texts(relation, "references"):
            yield from _reference_faults(unit, relation, word)


def _words(word: Token, start: int, end: int) -> tuple[Token, ...]:
    """The names between two offsets of a text; without escapes each has a place of its own."""
    plain = word.length == len(word.text) + 2
    found = list(_WORD.finditer(word.text, start, end))
    if not plain:
        return tuple(word._replace(text=name.group()) for name in found)
    return tuple(
        word._replace(
            text=name.group(), column=word.column + 1 + name.start(), length=len(name.group())
        )
        for name in found
    )


def _key_faults(unit: Unit, relation: syntax.Relation, word: Token) -> Iterator[Diagnostic]:
    columns = columns_of(word)
    if not columns:
        hint = 'write the columns with commas: `@[key = "a, b"]`'
        yield finding("R216", word.place, f"{show(word.text)} is no key", hint=hint)
    yield from _column_faults(unit, relation, columns)
    if not unit.is_given(relation.name.text):
        yield _not_given(word, relation.name, "a key")


def _reference_faults(unit: Unit, relation: syntax.Relation, word: Token) -> Iterator[Diagnostic]:
    reference = reference_of(word)
    if reference is None:
        hint = 'write columns, relation and its columns: `@[references = "a, b -> p(x, y)"]`'
        yield finding("R216", word.place, f"{show(word.text)} is no reference", hint=hint)
        return
    yield from _column_faults(unit, relation, reference.columns)
    if not unit.is_given(relation.name.text):
        yield _not_given(word, relation.name, "a reference")
    target = unit.relations.get(reference.relation.text)
    if target is None:
        if reference.relation.text not in unit.unread_declarations:
            hint = unit.spelling.hint(reference.relation.text, unit.relations)
            message = f"undeclared relation {show(reference.relation.text)}"
            yield finding("R201", reference.relation.place, message, hint=hint)
        return
    yield from _column_faults(unit, target, reference.targets)
    if not unit.is_given(target.name.text):
        yield _not_given(reference.relation, target.name, "a reference to it")
    yield from _fit_faults(unit, relation, target, reference)


def _column_faults(
    unit: Unit, relation: syntax.Relation, words: tuple[Token, ...]
) -> Iterator[Diagnostic]:
    known = [column.name.text for column in relation.columns]
    seen: set[str] = set()
    for word in words:
        if word.text not in known:
            message = f"{show(relation.name.text)} has no column {show(word.text)}"
            note = f"declared at {relation.name.place}"
            hint = unit.spelling.hint(word.text, known)
            yield finding("R222", word.place, message, note, hint=hint)
        elif word.text in seen:
            yield finding("R220", word.place, f"column {show(word.text)} repeated")
        seen.add(word.text)


def _not_given(word: Token, relation: Token, what: str) -> Diagnostic:
    law = "keys and references are held against the facts of given relations"
    hint = "a derived relation is held to one by a relation marked `@[never]`"
    message = f"{what} of {show(relation.text)}, which is not given"
    return finding("R223", word.place, message, law, hint=hint)


def _fit_faults(
    unit: Unit, relation: syntax.Relation, target: syntax.Relation, reference: Reference
) -> Iterator[Diagnostic]:
    columns, targets = reference.columns, reference.targets
    if len(columns) != len(targets):
        message = f"a reference of {_count(columns)} to {_count(targets)}"
        law = "each column refers to the one at the same place behind `->`"
        yield finding("R224", reference.relation.place, message, law)
        return
    for word, other in zip(columns, targets, strict=True):
        left, right = _type_of(relation, word), _type_of(target, other)
        if base_of(unit, left) and base_of(unit, right) and meet(unit, left, right) is None:
            message = f"a reference from a `{left}` to a `{right}`"
            law = "values of different types never meet"
            yield finding("R224", word.place, message, law)


def _count(words: tuple[Token, ...]) -> str:
    return "1 column" if len(words) == 1 else f"{len(words)} columns"


def _type_of(relation: syntax.Relation, word: Token) -> str:
    """The type of a column, empty iff there is no such column."""
    return next((c.type.text for c in relation.columns if c.name.text == word.text), "")
