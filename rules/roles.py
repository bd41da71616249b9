"""Roles: a relation is given or derived, and one that must stay empty is derived."""

from collections.abc import Iterator

from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.syntax import is_marked
from rules.tokens import Token
from rules.unit import Unit, exchanges, mentions


def find_role_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Given relations that are derived or never, `never` without rules, and reads of nothing."""
    rules: dict[str, Token] = {}
    for named in unit.rules:
        head = named.clause.head.relation
        rules.setdefault(head.text, head)
        if unit.is_given(head.text):
            note = f"marked `given` at {unit.relations[head.text].name.place}"
            law = "the rows of a given relation are facts from outside, no rule adds to them"
            message = f"given relation {show(head.text)} is derived"
            yield finding("R211", head.place, message, note, law)
    derived = {*rules, *unit.unread_rules}
    for relation in unit.relations.values():
        yield from _never_faults(relation, derived)
    yield from _input_faults(unit, rules)
    yield from _empty_reads(unit, derived)


def _never_faults(relation: syntax.Relation, derived: set[str]) -> Iterator[Diagnostic]:
    if not is_marked(relation, "never") or is_marked(relation, "computed"):
        return
    name = relation.name
    if is_marked(relation, "given"):
        law = "`never` is for relations whose rules look for what must not be"
        message = f"given relation {show(name.text)} is marked `never`"
        yield finding("R213", name.place, message, law)
    elif name.text not in derived:
        law = "without rules it is empty whatever the facts are, so nothing is promised"
        message = f"relation {show(name.text)} is marked `never` and has no rules"
        yield finding("R212", name.place, message, law)


def _input_faults(unit: Unit, rules: dict[str, Token]) -> Iterator[Diagnostic]:
    """Only of relations that an `.input` does not make given, though it would otherwise."""
    for exchange in exchanges(unit.trees, "input"):
        name = exchange.relation
        relation = unit.relations.get(name.text)
        if relation is None or unit.is_given(name.text) or unit.is_computed(name.text):
            continue
        if is_marked(relation, "never"):
            note = f"marked `never` at {relation.name.place}"
            message = f"input of {show(name.text)}, which must stay empty"
        elif name.text in rules:
            note = f"the first rule stands at {rules[name.text].place}"
            message = f"input of {show(name.text)}, which has rules"
        else:
            continue
        law = "the rows of a relation come from outside or from rules, never from both"
        hint = "let the rules read an input of another name"
        yield finding("R218", name.place, message, note, law, hint=hint)


def _empty_reads(unit: Unit, derived: set[str]) -> Iterator[Diagnostic]:
    warned: set[str] = set()
    for named in unit.rules:
        for atom, _ in mentions(named.clause.body):
            name = atom.relation.text
            relation = unit.relations.get(name)
            if relation is None or name in derived or name in warned:
                continue
            if unit.is_given(name) or unit.is_computed(name):
                continue
            warned.add(name)
            note = f"read at {atom.relation.place}"
            hint = "mark it `@[given]` if its rows are facts from outside"
            message = f"relation {show(name)} is read but has no rules"
            yield finding("R402", relation.name.place, message, note, hint=hint)
