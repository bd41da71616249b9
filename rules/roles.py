"""Roles: a relation is given or derived, and one that must stay empty is derived."""

from collections.abc import Iterator

from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.syntax import is_marked
from rules.unit import Unit, atoms_of


def find_role_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Given relations that are derived or never, `never` without rules, and reads of nothing."""
    derived = {named.rule.head.relation.text for named in unit.rules} | unit.unread_rules
    for named in unit.rules:
        head = named.rule.head.relation
        if unit.is_given(head.text):
            note = f"marked `given` at {unit.relations[head.text].name.place}"
            law = "the rows of a given relation are facts from outside, no rule adds to them"
            message = f"given relation {show(head.text)} is derived"
            yield finding("R211", head.place, message, note, law)
    for relation in unit.relations.values():
        yield from _never_faults(relation, derived)
    yield from _input_faults(unit)
    yield from _empty_reads(unit, derived)


def _never_faults(relation: syntax.Relation, derived: set[str]) -> Iterator[Diagnostic]:
    if not is_marked(relation, "never"):
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


def _input_faults(unit: Unit) -> Iterator[Diagnostic]:
    for tree in unit.trees:
        for exchange in tree.exchanges:
            name = exchange.relation
            declared = name.text in unit.relations
            if exchange.direction == "input" and declared and not unit.is_given(name.text):
                law = "only given relations take rows from outside"
                hint = f"mark the declaration of `{name.text}` with `@[given]`"
                message = f"input of {show(name.text)}, which is not given"
                yield finding("R218", name.place, message, law, hint=hint)


def _empty_reads(unit: Unit, derived: set[str]) -> Iterator[Diagnostic]:
    warned: set[str] = set()
    for named in unit.rules:
        for atom, _ in atoms_of(named.rule):
            name = atom.relation.text
            relation = unit.relations.get(name)
            if relation is None or name in derived or name in warned or unit.is_given(name):
                continue
            warned.add(name)
            note = f"read at {atom.relation.place}"
            hint = "mark it `@[given]` if its rows are facts from outside"
            message = f"relation {show(name)} is read but has no rules"
            yield finding("R402", relation.name.place, message, note, hint=hint)
