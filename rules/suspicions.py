"""Suspicions: what is allowed and is hardly meant."""

from collections.abc import Iterator

import engine
from rules import syntax
from rules.contradictions import contradiction
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unit import Unit, atoms_of


def find_suspicions(unit: Unit) -> Iterator[Diagnostic]:
    """Variables that are used once, unless their name begins with `_`; rules that never fire."""
    for named in unit.rules:
        yield from _lonely_variables(named.rule)
        witness = contradiction(named.rule)
        if witness:
            law = f"{witness}, whatever the facts are"
            place = named.rule.head.relation.place
            yield finding("R403", place, f"rule {show(named.id)} can never fire", law)


def _lonely_variables(rule: syntax.Rule) -> Iterator[Diagnostic]:
    """Only those of positive atoms: elsewhere a variable that is used once is unsafe."""
    counts: dict[str, int] = {}
    for term in _terms(rule):
        if isinstance(term.value, engine.Variable):
            counts[term.value.name] = counts.get(term.value.name, 0) + 1
    if 1 not in counts.values():
        return
    for atom, negated in atoms_of(rule):
        for term in atom.terms:
            name = term.value.name if isinstance(term.value, engine.Variable) else "_"
            if not negated and not name.startswith("_") and counts[name] == 1:
                hint = "write `_` if any value will do"
                message = f"variable {show(name)} is used once"
                yield finding("R401", term.token.place, message, hint=hint)


def _terms(rule: syntax.Rule) -> Iterator[syntax.Term]:
    yield from rule.head.terms
    for literal in rule.body:
        match literal:
            case syntax.Atom():
                yield from literal.terms
            case syntax.Negated():
                yield from literal.atom.terms
            case syntax.Comparison():
                yield literal.left
                yield literal.right
