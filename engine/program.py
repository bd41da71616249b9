"""Declarations, rules and programs, as values; how they are written is the business of `rules`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.terms import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Literal,
    Negated,
    Term,
    Variable,
)

SYMBOL = "symbol"
NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Subtype:
    """A declared type: a named part of `symbol` or `number`, an enumeration iff `values` is set."""

    name: str
    base: str
    values: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a relation: its name and the name of its type."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns of a relation whose values must stand in columns of another, row by row."""

    columns: tuple[str, ...]
    relation: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A declared relation.

    `given`: its rows are facts. `never`: it must stay empty. `output`: it is asked for.
    `computed`: the name of the matcher that decides its rows, all columns being bound. `keys` and
    `references` are what its given rows must satisfy.
    """

    name: str
    columns: tuple[Column, ...]
    given: bool = False
    never: bool = False
    output: bool = False
    computed: str | None = None
    keys: tuple[tuple[str, ...], ...] = ()
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.` under an id that is unique in its program; a fact has an empty body."""

    id: str
    head: Atom
    body: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Types, relations and rules that belong together; relations and types by name."""

    types: Mapping[str, Subtype]
    relations: Mapping[str, Relation]
    rules: tuple[Rule, ...]

    def base_of(self, type_name: str) -> str:
        """`symbol` or `number`: the base that a type name stands for."""
        while type_name in self.types:
            type_name = self.types[type_name].base
        return type_name


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


def variables_in(terms: Iterable[Term]) -> Iterator[Variable]:
    """The variables of terms from left to right, inside arithmetic too, repeats included."""
    stack = list(terms)[::-1]
    while stack:
        term = stack.pop()
        if isinstance(term, Variable):
            yield term
        elif isinstance(term, Arithmetic):
            stack += (term.right, term.left)


def variables_of(rule: Rule) -> tuple[Variable, ...]:
    """The variables of a rule, each once, in the order in which head and then body name them.

    Variables that are local to an aggregate are not among them.
    """
    literals = (rule.head, *rule.body)
    named = (variable for literal in literals for variable in variables_in(terms_of(literal)))
    return tuple(dict.fromkeys(named))


def variables_inside(aggregate: Aggregate) -> tuple[Variable, ...]:
    """The variables of an aggregate's body and target, each once, shared ones included."""
    terms = [term for literal in aggregate.body for term in terms_of(literal)]
    target = () if aggregate.target is None else (aggregate.target,)
    return tuple(dict.fromkeys(variables_in((*terms, *target))))


def atoms_of(literals: Iterable[Literal]) -> Iterator[tuple[Atom, bool]]:
    """Every atom of a body, with whether it needs its relation complete: negated or aggregated."""
    for literal in literals:
        match literal:
            case Atom():
                yield literal, False
            case Negated():
                yield literal.atom, True
            case Comparison():
                pass
            case Aggregate():
                yield from ((atom, True) for atom, _ in atoms_of(literal.body))
