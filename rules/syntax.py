"""Rule text as a tree: what was written, each part with its place.

Terms already are the engine's; everything else keeps the words of the author until the passes have
looked at it.
"""

from dataclasses import dataclass
from typing import TypeAlias

import engine
from rules.diagnostics import Place


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a mark or the text of a symbol."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the engine where it was written."""

    value: engine.Term
    place: Place


@dataclass(frozen=True, slots=True)
class Atom:
    """`relation(term, …)`."""

    relation: Word
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """`!relation(term, …)`."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: Word
    left: Term
    right: Term


Literal: TypeAlias = Atom | Negated | Comparison


@dataclass(frozen=True, slots=True)
class Annotation:
    """`@[name]`, `@[name = "value"]` or `@[name = ["value", …]]`."""

    name: Word
    value: Word | tuple[Word, ...] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, or a fact iff the body is empty."""

    head: Atom
    body: tuple[Literal, ...]
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Column:
    """`name:Type`."""

    name: Word
    type: Word


@dataclass(frozen=True, slots=True)
class Relation:
    """`.decl name(column, …)`."""

    name: Word
    columns: tuple[Column, ...]
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Type:
    """`.type Name <: base`."""

    name: Word
    base: Word
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """`.input relation` or `.output relation`."""

    direction: str
    relation: Word
    annotations: tuple[Annotation, ...]


Statement: TypeAlias = Rule | Relation | Type | Exchange


@dataclass(frozen=True, slots=True)
class Tree:
    """One source, and the names that its unreadable declarations and rules were about."""

    types: tuple[Type, ...]
    relations: tuple[Relation, ...]
    rules: tuple[Rule, ...]
    exchanges: tuple[Exchange, ...]
    unread_declarations: frozenset[str]
    unread_rules: frozenset[str]


def is_marked(relation: Relation, name: str) -> bool:
    """Whether a relation carries the annotation, such as `given`."""
    return any(annotation.name.text == name for annotation in relation.annotations)


def texts(statement: Statement, name: str) -> tuple[Word, ...]:
    """The texts of all annotations of that name on a statement, in the order written."""
    found: list[Word] = []
    for annotation in statement.annotations:
        if annotation.name.text == name:
            match annotation.value:
                case None:
                    pass
                case Word():
                    found.append(annotation.value)
                case values:
                    found.extend(values)
    return tuple(found)


def values_of(declared: Type) -> tuple[str, ...] | None:
    """The values of an enumeration, None iff the type is none."""
    return tuple(word.text for word in texts(declared, "values")) or None
