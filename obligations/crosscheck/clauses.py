"""Clauses: rules without aggregates, and what is left of the aggregates.

An aggregate becomes three relations. For

    big(g, n) :- group(g), n = sum x : { item(g, x, _) }, n > 9.

these are the shared values that occur, the ways in which the body holds with the target in the last
column, and the value, which no clause gives: the worker does, from the other two.

    domain(g)          :- group(g).
    extent(g, x, w, x) :- domain(g), item(g, x, w).
    big(g, n)          :- group(g), value(g, n), n > 9.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from engine import (
    Aggregate,
    Atom,
    Comparison,
    Literal,
    Negated,
    Rule,
    Term,
    Variable,
    Wildcard,
    terms_of,
    variables_in,
)
from obligations.crosscheck.bodies import (
    flattened,
    names_in,
    ordered,
    require_bound,
    shared_by,
)

Plain: TypeAlias = Atom | Negated | Comparison


@dataclass(frozen=True, slots=True)
class Clause:
    """A head without arithmetic, and a body that can be resolved from left to right."""

    head: Atom
    body: tuple[Plain, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """The relations of an aggregate; the first `shared` columns of each are the shared values."""

    domain: Atom
    extent: Atom
    value: Atom
    shared: int
    function: str


def clauses_of(rule: Rule) -> tuple[list[Clause], list[Fold]]:
    """The clauses that mean a rule, and the folds that they need. Raises `UnboundError`."""
    fresh = _fresh()
    head, wanted = flattened(rule.head, fresh)
    outside = names_in(t for literal in (rule.head, *rule.body) for t in terms_of(literal))
    body = ordered((*_flat(rule.body, fresh), *wanted), (), outside)
    require_bound(head.terms, body, ())
    clauses: list[Clause] = []
    folds: list[Fold] = []
    done: list[Plain] = []
    for literal in body:
        if isinstance(literal, Aggregate):
            names = f"#{rule.id}.{len(folds)}"
            shared = shared_by(literal, outside)
            fold, extent = _fold(literal, shared, names, fresh)
            clauses += (Clause(fold.domain, tuple(done)), extent)
            folds.append(fold)
            done.append(fold.value)
        else:
            done.append(literal)
    return [*clauses, Clause(head, tuple(done))], folds


def _fold(
    aggregate: Aggregate, shared: list[Variable], names: str, fresh: Iterator[Variable]
) -> tuple[Fold, Clause]:
    """The fold of an aggregate, and the clause that gives its extent."""
    domain = Atom(f"{names}.domain", tuple(shared))
    known = names_in(shared)
    body = _flat((_named(literal, fresh) for literal in aggregate.body), fresh)
    terms = (term for literal in body if isinstance(literal, Atom) for term in terms_of(literal))
    local = [v for v in dict.fromkeys(variables_in(terms)) if v.name not in known]
    target: tuple[Term, ...] = () if aggregate.target is None else (aggregate.target,)
    extent, wanted = flattened(Atom(f"{names}.extent", (*shared, *local, *target)), fresh)
    inner = ordered((*body, *wanted), known, ())
    require_bound(extent.terms, inner, known)
    value = Atom(f"{names}.value", (*shared, aggregate.result))
    plain = tuple(literal for literal in inner if not isinstance(literal, Aggregate))
    fold = Fold(domain, extent, value, len(shared), aggregate.function)
    return fold, Clause(extent, (domain, *plain))


def _flat(body: Iterable[Literal], fresh: Iterator[Variable]) -> list[Literal]:
    """The body with equalities in place of arithmetic in positive atoms."""
    literals: list[Literal] = []
    for literal in body:
        if isinstance(literal, Atom):
            atom, equalities = flattened(literal, fresh)
            literals += (atom, *equalities)
        else:
            literals.append(literal)
    return literals


def _named(literal: Literal, fresh: Iterator[Variable]) -> Literal:
    """A positive atom with a variable for each `_`, because rows that differ there count twice."""
    if not isinstance(literal, Atom):
        return literal
    terms = (next(fresh) if isinstance(term, Wildcard) else term for term in literal.terms)
    return Atom(literal.relation, tuple(terms))


def _fresh() -> Iterator[Variable]:
    """Variables that no rule names: `#` is in no name of the language."""
    return (Variable(f"#{number}") for number in count())
