"""Computed relations: a matcher decides their rows, so they have no rules and no facts."""

from collections.abc import Iterator

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.syntax import is_marked, texts
from rules.tokens import Token
from rules.unit import Unit, exchanges
from rules.uses import base_of

_MATCHED = 2


def find_computed_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Computed relations whose matcher or columns are not known, or that get rows elsewhere too."""
    for relation in unit.relations.values():
        for word in texts(relation, "computed"):
            yield from _matcher_faults(unit, word)
            yield from _column_faults(unit, relation)
            yield from _role_faults(relation)
    for named in unit.rules:
        head = named.clause.head.relation
        if unit.is_computed(head.text):
            yield _elsewhere(head, unit.relations[head.text].name, "has a rule")
    for direction in ("input", "output"):
        for exchange in exchanges(unit.trees, direction):
            name = exchange.relation
            if unit.is_computed(name.text):
                yield _elsewhere(name, unit.relations[name.text].name, f"has an `.{direction}`")


def _matcher_faults(unit: Unit, word: Token) -> Iterator[Diagnostic]:
    if word.text not in unit.matchers:
        names = sorted(unit.matchers)
        note = f"the matchers are {', '.join(show(name) for name in names)}" if names else ""
        note = note or "no matchers were passed in"
        hint = unit.spelling.hint(word.text, names)
        yield finding("R226", word.place, f"unknown matcher {show(word.text)}", note, hint=hint)


def _column_faults(unit: Unit, relation: syntax.Relation) -> Iterator[Diagnostic]:
    bases = [base_of(unit, column.type.text) for column in relation.columns]
    if len(bases) != _MATCHED or engine.NUMBER in bases:
        name = show(relation.name.text)
        law = "a matcher decides about a pattern and a text"
        hint = f"declare `{relation.name.text}(pattern:symbol, text:symbol)`"
        message = f"computed relation {name} does not have two symbol columns"
        yield finding("R227", relation.name.place, message, law, hint=hint)


def _role_faults(relation: syntax.Relation) -> Iterator[Diagnostic]:
    for role in ("given", "never"):
        if is_marked(relation, role):
            yield _elsewhere(relation.name, relation.name, f"is marked `{role}`")


def _elsewhere(word: Token, relation: Token, what: str) -> Diagnostic:
    law = "a matcher decides which rows it holds, they are neither given nor listed"
    note = f"declared at {relation.place}"
    message = f"computed relation {show(relation.text)} {what}"
    return finding("R225", word.place, message, *((note,) if word is not relation else ()), law)
