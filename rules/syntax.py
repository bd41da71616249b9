"""Rule text as a tree: what was written, each part with its place.

Terms already are the engine's; everything else keeps the words of the author until the passes have
looked at it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import engine
from rules.tokens import Token


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the engine where it was written.

    Of arithmetic the place is that of its first word, `leaves` are its variables and constants from
    left to right, and `depth` is how many operators stand one inside the other.
    """

    value: engine.Term
    token: Token
    leaves: tuple["Term", ...] = ()
    depth: int = 0


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


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`result = function target : { body }`; `count` has no target."""

    function: Token
    result: Term
    target: Term | None
    body: tuple["Atom | Negated | Comparison", ...]


Literal: TypeAlias = Atom | Negated | Comparison | Aggregate


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`part, part, …`: all hold."""

    parts: tuple["Body", ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`part; part; …`: at least one holds."""

    parts: tuple["Body", ...]


Body: TypeAlias = Literal | Conjunction | Disjunction


@dataclass(frozen=True, slots=True)
class Annotation:
    """`@[name]`, `@[name = "value"]` or `@[name = ["value", …]]`."""

    name: Token
    value: Token | tuple[Token, ...] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as written, with one head or several, or a fact iff it has no body."""

    heads: tuple[Atom, ...]
    body: Body | None
    annotations: tuple[Annotation, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One head of a rule with one alternative of its body."""

    head: Atom
    body: tuple[Literal, ...]


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
    """`.input relation` or `.output relation`, with parameters such as `filename="x.facts"`."""

    direction: str
    relation: Token
    parameters: tuple[tuple[Token, Token], ...]
    annotations: tuple[Annotation, ...]


@dataclass(frozen=True, slots=True)
class Include:
    """`.include "path"`."""

    path: Token
    annotations: tuple[Annotation, ...]


Statement: TypeAlias = Rule | Relation | Type | Exchange | Include


@dataclass(frozen=True, slots=True)
class Tree:
    """One source, and the names that its unreadable declarations and rules were about."""

    types: tuple[Type, ...]
    relations: tuple[Relation, ...]
    rules: tuple[Rule, ...]
    exchanges: tuple[Exchange, ...]
    includes: tuple[Include, ...]
    unread_declarations: frozenset[str]
    unread_rules: frozenset[str]


def words_of(terms: Iterable[Term]) -> Iterator[Term]:
    """The variables, constants and `_` of terms from left to right, inside arithmetic too."""
    for term in terms:
        if term.leaves:
            yield from term.leaves
        else:
            yield term


def terms_of(literal: Literal) -> tuple[Term, ...]:
    """The terms of a literal from left to right; of an aggregate its result alone."""
    match literal:
        case Atom():
            return literal.terms
        case Negated():
            return literal.atom.terms
        case Comparison():
            return (literal.left, literal.right)
        case Aggregate():
            return (literal.result,)


def terms_inside(aggregate: Aggregate) -> tuple[Term, ...]:
    """The terms of an aggregate's target and body, in the order written."""
    target = () if aggregate.target is None else (aggregate.target,)
    return (*target, *(term for literal in aggregate.body for term in terms_of(literal)))


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
