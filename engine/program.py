"""Declarations, rules and programs, as values; how they are written is the business of `rules`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.terms import Atom, Comparison, Literal, Negated, Term, Variable

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
class Relation:
    """A declared relation. `given`: its rows are facts; `never`: it must stay empty."""

    name: str
    columns: tuple[Column, ...]
    given: bool = False
    never: bool = False
    output: bool = False


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
    """The terms of a literal from left to right."""
    match literal:
        case Atom():
            return literal.terms
        case Negated():
            return literal.atom.terms
        case Comparison():
            return (literal.left, literal.right)


def variables_of(rule: Rule) -> tuple[Variable, ...]:
    """The variables of a rule, each once, in the order in which head and then body name them."""

    def named() -> Iterator[Variable]:
        for literal in (rule.head, *rule.body):
            for term in terms_of(literal):
                if isinstance(term, Variable):
                    yield term

    return tuple(dict.fromkeys(named()))
