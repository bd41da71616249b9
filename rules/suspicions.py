"""Suspicions: what is allowed and is hardly meant."""

from collections import Counter
from collections.abc import Iterable, Iterator

import engine
from rules import syntax
from rules.contradictions import contradiction
from rules.diagnostics import Diagnostic, Place, finding
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
    counts = Counter(name for name, _ in _variables(_terms(rule)))
    positive = [term for atom, negated in atoms_of(rule) if not negated for term in atom.terms]
    for name, place in _variables(positive):
        if counts[name] == 1 and not name.startswith("_"):
            hint = "write `_` if any value will do"
            yield finding("R401", place, f"variable {show(name)} is used once", hint=hint)


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


def _variables(terms: Iterable[syntax.Term]) -> Iterator[tuple[str, Place]]:
    for term in terms:
        if isinstance(term.value, engine.Variable):
            yield term.value.name, term.token.place
