"""Suspicions: what is allowed and is hardly meant."""

from collections import Counter
from collections.abc import Iterator

import engine
from rules import syntax
from rules.bindings import bind, outside_variables, shared_variables
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit


def find_suspicions(unit: Unit) -> Iterator[Diagnostic]:
    """Variables that are used once, unless their name begins with `_`.

    Of a rule that stands for several: once in each of those that name the variable there.
    """
    lonely: dict[Token, str] = {}
    used: set[Token] = set()
    for named in unit.rules:
        words = list(_variables(named.clause))
        counts = Counter(word.text for word, _ in words)
        if not named.clause.body or not (named.alternative or 1 in counts.values()):
            continue
        bound = _bound(unit, named.clause)
        for word, hint in words:
            if counts[word.text] > 1:
                used.add(word)
            elif word.text in bound and not word.text.startswith("_"):
                lonely[word] = hint
    for word, hint in lonely.items():
        if word not in used:
            yield finding("R401", word.place, f"variable {show(word.text)} is used once", hint=hint)


def _bound(unit: Unit, clause: syntax.Clause) -> set[str]:
    """The variables that are bound, inside aggregates too; the others are faults already."""
    outside = outside_variables(clause)
    found = bind(unit, clause.body, (), outside).bound
    for literal in clause.body:
        if isinstance(literal, syntax.Aggregate):
            shared = shared_variables(literal, outside)
            found |= bind(unit, literal.body, shared).bound
    return found


def _variables(clause: syntax.Clause) -> Iterator[tuple[Token, str]]:
    """Each mention of a variable, those inside aggregates too, and what to do if it is alone."""
    yield from _named(clause.head.terms, "")
    for literal in clause.body:
        yield from _mentioned(literal)
        if isinstance(literal, syntax.Aggregate):
            yield from _named(() if literal.target is None else (literal.target,), "")
            for ranged in literal.body:
                yield from _mentioned(ranged)


def _mentioned(literal: syntax.Literal) -> Iterator[tuple[Token, str]]:
    hint = "write `_` if any value will do"
    if isinstance(literal, syntax.Comparison | syntax.Aggregate):
        hint = "nothing depends on it: leave out what binds it"
    yield from _named(syntax.terms_of(literal), hint)


def _named(terms: tuple[syntax.Term, ...], hint: str) -> Iterator[tuple[Token, str]]:
    for term in syntax.words_of(terms):
        if isinstance(term.value, engine.Variable):
            yield term.token, hint
