"""Safety: every variable takes its values from a positive atom of the body."""

from collections.abc import Iterator

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit, atoms_of


def find_unsafe(unit: Unit) -> Iterator[Diagnostic]:
    """Variables that no positive atom binds, and `_` where it has no meaning."""
    for named in unit.rules:
        rule = named.rule
        bound = {
            term.value.name
            for atom, negated in atoms_of(rule)
            if not negated
            for term in atom.terms
            if isinstance(term.value, engine.Variable)
        }
        yield from _head_faults(rule, bound)
        for literal in rule.body:
            match literal:
                case syntax.Atom():
                    pass
                case syntax.Negated():
                    yield from _negated_faults(literal.atom, bound)
                case syntax.Comparison():
                    yield from _comparison_faults(literal, bound)


def free_variables(terms: tuple[syntax.Term, ...], bound: set[str]) -> Iterator[Token]:
    """The variables among some terms that are not bound, each once, at its first place."""
    seen: set[str] = set()
    for term in terms:
        if isinstance(term.value, engine.Variable):
            name = term.value.name
            if name not in bound and name not in seen:
                seen.add(name)
                yield term.token


def _head_faults(rule: syntax.Rule, bound: set[str]) -> Iterator[Diagnostic]:
    relation = show(rule.head.relation.text)
    for word in free_variables(rule.head.terms, bound):
        if rule.body:
            law = "each variable of a head stands in a positive atom of the body"
            hint = f"add an atom that says which values {show(word.text)} takes"
        else:
            law = "a fact holds constants only"
            hint = f'a symbol is written in quotes: `"{word.text}"`'
        message = f"unsafe variable {show(word.text)} in the head of {relation}"
        yield finding("R301", word.place, message, law, hint=hint)
    for term in rule.head.terms:
        if isinstance(term.value, engine.Wildcard):
            law = "a head says which rows follow, so each column needs a value"
            yield finding("R304", term.token.place, f"`_` in the head of {relation}", law)


def _negated_faults(atom: syntax.Atom, bound: set[str]) -> Iterator[Diagnostic]:
    for word in free_variables(atom.terms, bound):
        law = "each variable of a negated atom stands in a positive atom of the body"
        hint = 'write `_` to say "for no value"'
        name = show(atom.relation.text)
        message = f"unsafe variable {show(word.text)} in negated {name}"
        yield finding("R302", word.place, message, law, hint=hint)


def _comparison_faults(comparison: syntax.Comparison, bound: set[str]) -> Iterator[Diagnostic]:
    terms = (comparison.left, comparison.right)
    for word in free_variables(terms, bound):
        law = "a comparison tests values, it binds no variable"
        hint = ""
        if comparison.operator.text == "=":
            hint = f"write the other side in place of {show(word.text)}"
        message = f"unsafe variable {show(word.text)} in a comparison"
        yield finding("R303", word.place, message, law, hint=hint)
    for term in terms:
        if isinstance(term.value, engine.Wildcard):
            law = "`_` stands for a column of an atom"
            yield finding("R305", term.token.place, "`_` in a comparison", law)
