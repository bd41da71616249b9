"""Aggregates in heads, which range over different rows, as aggregates in bodies.

`p(x, #sum(y, z)) :- body` gives, for each x, the sum of y over the different pairs of y and z:

    g(x, y, z) :- body.
    p(x, s) :- g(x, _, _), s = sum a : { g(x, a, b) }.

A group is made of all other head terms that hold a variable, and of the variables beside the
aggregate in its own term; Nemo's `nemo/src/execution/planning/normalization/atom/head.rs` says so.
"""

from collections.abc import Iterator

from nemo_syntax import Atom, Call, Fold, Term, inside
from nemo_text import atom, name, rule, written
from suite_report import OutsideError

import engine


def folds_of(head: Atom) -> list[Fold]:
    """The aggregates in the terms of a head."""
    return [found for term in head.terms for found in inside(term) if isinstance(found, Fold)]


def folded(head: Atom, body: str, relation: str) -> Iterator[str]:
    """The two rules of a head with an aggregate, by a new relation that holds the rows of groups.

    Raises `OutsideError` for a head with several aggregates.
    """
    fold, *more = folds_of(head)
    if more:
        raise OutsideError("several aggregates in a head")
    groups = list(dict.fromkeys(_groups(head)))
    terms = (fold.target, *fold.distinct)
    yield rule(atom(relation, (*groups, *terms)), body)
    names: dict[Term, Term] = {t: engine.Variable(f"g{i}") for i, t in enumerate(groups)}
    keys = tuple(names.values())
    drawn = [engine.Variable(f"a{i}") for i in range(len(terms))]
    some = atom(relation, (*keys, *(engine.Wildcard() for _ in drawn)))
    target = "" if fold.function == "count" else f" {written(drawn[0])}"
    result = engine.Variable("r")
    aggregate = f"{fold.function}{target} : {{ {atom(relation, (*keys, *drawn))} }}"
    names[fold] = result
    heads = [_replaced(term, names) for term in head.terms]
    yield rule(atom(name("p", head.predicate), heads), f"{some}, {written(result)} = {aggregate}")


def _groups(head: Atom) -> Iterator[Term]:
    for term in head.terms:
        if any(isinstance(part, Fold) for part in inside(term)):
            yield from (part for part in _beside(term) if isinstance(part, engine.Variable))
        elif any(isinstance(part, engine.Variable) for part in inside(term)):
            yield term


def _beside(term: Term) -> Iterator[Term]:
    """The terms inside a term that stand outside its aggregate."""
    if isinstance(term, Call):
        for part in term.arguments:
            yield from _beside(part)
    elif not isinstance(term, Fold):
        yield term


def _replaced(term: Term, names: dict[Term, Term]) -> Term:
    if term in names:
        return names[term]
    if isinstance(term, Call):
        return Call(term.name, tuple(_replaced(part, names) for part in term.arguments))
    return term
