"""Unbound variables of literals, and `_` where a value is needed."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit

Notes: TypeAlias = tuple[str, ...]


def find_unbound(
    unit: Unit, literal: syntax.Literal, bound: Collection[str], notes: Notes
) -> Iterator[Diagnostic]:
    """What is not bound in an atom, negated atom or comparison; `notes` go with each finding."""
    match literal:
        case syntax.Atom() if unit.is_computed(literal.relation.text):
            yield from _computed_faults(literal, bound, notes)
        case syntax.Atom():
            arithmetic = [term for term in literal.terms if term.leaves]
            yield from _each(arithmetic, bound, lambda word: _in_arithmetic(literal, word, notes))
        case syntax.Negated(atom=atom) if unit.is_computed(atom.relation.text):
            yield from _computed_faults(atom, bound, notes)
        case syntax.Negated():
            yield from _each(
                literal.atom.terms, bound, lambda word: _in_negated(literal.atom, word, notes)
            )
        case syntax.Comparison():
            yield from _comparison_faults(literal, bound, notes)
        case syntax.Aggregate():
            pass
    yield from find_wild_arithmetic(syntax.terms_of(literal))


def free_variables(terms: Iterable[syntax.Term], bound: Collection[str]) -> Iterator[Token]:
    """The variables among some terms that are not bound, each once, at its first place."""
    seen: set[str] = set()
    for term in syntax.words_of(terms):
        if isinstance(term.value, engine.Variable):
            name = term.value.name
            if name not in bound and name not in seen:
                seen.add(name)
                yield term.token


def find_wild_arithmetic(terms: Iterable[syntax.Term]) -> Iterator[Diagnostic]:
    """Each `_` that is calculated with."""
    for term in terms:
        for leaf in term.leaves:
            if isinstance(leaf.value, engine.Wildcard):
                law = "`_` stands for any value, so there is none to calculate with"
                yield finding("R312", leaf.token.place, "`_` in arithmetic", law)


def _each(
    terms: Iterable[syntax.Term], bound: Collection[str], fault: Callable[[Token], Diagnostic]
) -> Iterator[Diagnostic]:
    return map(fault, free_variables(terms, bound))


def _in_arithmetic(atom: syntax.Atom, word: Token, notes: Notes) -> Diagnostic:
    law = "arithmetic in an atom is compared with its rows, it binds no variable"
    hint = f"bind {show(word.text)} elsewhere, or name the column and write `=` behind the atom"
    message = f"unsafe variable {show(word.text)} in arithmetic in {show(atom.relation.text)}"
    return finding("R311", word.place, message, law, *notes, hint=hint)


def _in_negated(atom: syntax.Atom, word: Token, notes: Notes) -> Diagnostic:
    law = "a negated atom binds no variable"
    hint = 'write `_` to say "for no value"'
    message = f"unsafe variable {show(word.text)} in negated {show(atom.relation.text)}"
    return finding("R302", word.place, message, law, *notes, hint=hint)


def _computed_faults(
    atom: syntax.Atom, bound: Collection[str], notes: Notes
) -> Iterator[Diagnostic]:
    name = show(atom.relation.text)
    law = "a matcher decides about two values, it lists none"
    for word in free_variables(atom.terms, bound):
        hint = f"add an atom that says which values {show(word.text)} takes"
        message = f"unsafe variable {show(word.text)} in computed {name}"
        yield finding("R313", word.place, message, law, *notes, hint=hint)
    for term in atom.terms:
        if isinstance(term.value, engine.Wildcard):
            yield finding("R314", term.token.place, f"`_` in computed {name}", law)


def _comparison_faults(
    comparison: syntax.Comparison, bound: Collection[str], notes: Notes
) -> Iterator[Diagnostic]:
    terms = (comparison.left, comparison.right)
    blamed = [t for t, other in zip(terms, terms[::-1], strict=True) if _is_cause(t, other, bound)]
    if comparison.operator.kind != "=":
        blamed = list(terms)
    for word in free_variables(blamed, bound):
        law = "a comparison tests values, only `=` binds a variable"
        hint = ""
        if comparison.operator.kind == "=":
            law = "`=` binds a variable that stands alone, once the other side is bound"
            if _is_only_free(word, comparison, bound):
                hint = f"solve it for {show(word.text)}: `{word.text} = …`"
        message = f"unsafe variable {show(word.text)} in a comparison"
        yield finding("R303", word.place, message, law, *notes, hint=hint)
    for term in terms:
        if isinstance(term.value, engine.Wildcard):
            law = "`_` stands for a column of an atom"
            yield finding("R305", term.token.place, "`_` in a comparison", law)


def _is_only_free(word: Token, comparison: syntax.Comparison, bound: Collection[str]) -> bool:
    """Whether an equation has one variable that is not bound, somewhere inside arithmetic."""
    terms = (comparison.left, comparison.right)
    inside = any(word is leaf.token for term in terms for leaf in term.leaves)
    return inside and len(list(free_variables(terms, bound))) == 1


def _is_cause(term: syntax.Term, other: syntax.Term, bound: Collection[str]) -> bool:
    """Whether a side of `=` lacks more than the other side, by which it would be bound."""
    alone = isinstance(term.value, engine.Variable)
    return not alone or not any(free_variables(other.leaves, bound))
