"""Nemo's rule files as a tree. Names and prefixes are resolved, parameters are filled in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import engine


@dataclass(frozen=True, slots=True)
class Existential:
    """`!x`: some new value."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator, `+ - * /`, over terms."""

    name: str
    arguments: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """`#function(target, distinct, …)` over the different rows of target and distinct."""

    function: str
    target: "Term"
    distinct: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Several:
    """`(term, …)`."""

    terms: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Odd:
    """A term that our subset leaves out, by the name of its construct."""

    construct: str


Term: TypeAlias = (
    engine.Variable | engine.Constant | engine.Wildcard | Existential | Call | Fold | Several | Odd
)


@dataclass(frozen=True, slots=True)
class Atom:
    """`predicate(term, …)`."""

    predicate: str
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """`~predicate(term, …)`."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`."""

    operator: str
    left: Term
    right: Term


Literal: TypeAlias = Atom | Negated | Comparison | Odd


@dataclass(frozen=True, slots=True)
class Rule:
    """Heads and a body, which is empty for facts."""

    heads: tuple[Atom, ...]
    body: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """`@import` or `@export` of a predicate; `computed` iff variables stand behind it."""

    predicate: str
    format: str
    attributes: Mapping[str, Term]
    computed: bool


@dataclass(slots=True)
class Program:
    """A file: its rules, what it reads and writes, and its directives that are left out."""

    rules: list[Rule] = field(default_factory=list[Rule])
    imports: list[Exchange] = field(default_factory=list[Exchange])
    exports: list[Exchange] = field(default_factory=list[Exchange])
    odd: list[str] = field(default_factory=list[str])


def inside(term: Term) -> Iterator[Term]:
    """A term and all terms inside it, from left to right."""
    yield term
    parts: tuple[Term, ...] = ()
    match term:
        case Call():
            parts = term.arguments
        case Several():
            parts = term.terms
        case Fold():
            parts = (term.target, *term.distinct)
        case _:
            pass
    for part in parts:
        yield from inside(part)


def terms_of(literal: Literal) -> tuple[Term, ...]:
    """The terms of a literal."""
    match literal:
        case Atom():
            return literal.terms
        case Negated():
            return literal.atom.terms
        case Comparison():
            return (literal.left, literal.right)
        case Odd():
            return (literal,)


def widths_of(program: Program) -> dict[str, int]:
    """How many terms each predicate of the rules has, where it stands first."""
    found: dict[str, int] = {}
    for rule in program.rules:
        for literal in (*rule.heads, *rule.body):
            atom = literal.atom if isinstance(literal, Negated) else literal
            if isinstance(atom, Atom):
                found.setdefault(atom.predicate, len(atom.terms))
    return found
