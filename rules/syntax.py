"""Rule text as a tree: what was written, each part with its place.

Terms already are the engine's; everything else keeps the words of the author until the passes have
looked at it.
"""

from dataclasses import dataclass
from typing import TypeAlias

import engine
from rules.tokens import Token


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the engine where it was written."""

    value: engine.Term
    token: Token


@dataclass(frozen=True, slots=True)
class Atom:
    """`relation(term, …)`."""

    relation: Token
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """`!relation(term, …)`."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: Token
    left: Term
    right: Term


Literal: TypeAlias = Atom | Negated | Comparison


@dataclass(frozen=True, slots=True)
class Annotation:
    """`@[name]`, `@[name = "value"]` or `@[name = ["value", …]]`."""

    name: Token
    value: Token | tuple[Token, ...] | None


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

    name: Token
    type: Token


@dataclass(frozen=True, slots=True)
class Relation:
    """`.decl name(column, …)`."""

    name: Token
    columns: tuple[Column, ...]
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Type:
    """`.type Name <: base`."""

    name: Token
    base: Token
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """`.input relation` or `.output relation`."""

    direction: str
    relation: Token
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


def texts(statement: Statement, name: str) -> tuple[Token, ...]:
    """The texts of all annotations of that name on a statement, in the order written."""
    found: list[Token] = []
    for annotation in statement.annotations:
        if annotation.name.text == name:
            match annotation.value:
                case None:
                    pass
                case Token():
                    found.append(annotation.value)
                case values:
                    found.extend(values)
    return tuple(found)


def values_of(declared: Type) -> tuple[str, ...] | None:
    """The values of an enumeration, None iff the type is none."""
    return tuple(word.text for word in texts(declared, "values")) or None
