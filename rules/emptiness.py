"""Emptiness: relations that can never have a row, and the rules that wait for one.

A relation may have rows if it is given or computed, or if one of its rules may fire. A rule may
fire unless its body contradicts itself, or asks for a row of a relation that never has one; `count`
and `sum` of nothing are 0, `min` and `max` of nothing are no value. The least such set is found in
linear time: each rule waits for a number of relations.
"""

from collections.abc import Iterator, Sequence

from rules import syntax
from rules.contradictions import contradiction
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unit import NamedRule, Unit


def find_dead_rules(unit: Unit) -> Iterator[Diagnostic]:
    """Rules that can never fire, each with the reason."""
    reasons = [contradiction(named.clause.body) for named in unit.rules]
    sound = [named for named, reason in zip(unit.rules, reasons, strict=True) if not reason]
    empty = _empty_relations(unit, sound)
    for named, reason in zip(unit.rules, reasons, strict=True):
        if reason:
            yield _dead(named, f"{reason}, whatever the facts are")
            continue
        atom = next((a for a in _wanted(named.clause) if a.relation.text in empty), None)
        if atom is not None:
            name = show(atom.relation.text)
            note = f"it asks for a row of {name} at {atom.relation.place}"
            yield _dead(named, note, f"no rule of {name} can ever fire")


def _dead(named: NamedRule, *notes: str) -> Diagnostic:
    place = named.clause.head.relation.place
    return finding("R403", place, f"rule {show(named.id)} can never fire", *notes)


def _empty_relations(unit: Unit, rules: Sequence[NamedRule]) -> set[str]:
    """The relations with rules none of which can ever fire; those without any are known anyway."""
    derived = {named.clause.head.relation.text for named in unit.rules} - unit.unread_rules
    bare = {name for name in unit.relations if not _has_facts(unit, name)} - unit.unread_rules
    missing: list[int] = []
    waiting: dict[str, list[int]] = {}
    inhabited: list[str] = []
    for index, named in enumerate(rules):
        wanted = {atom.relation.text for atom in _wanted(named.clause)} & bare
        missing.append(len(wanted))
        for name in wanted:
            waiting.setdefault(name, []).append(index)
        if not wanted:
            inhabited.append(named.clause.head.relation.text)
    found: set[str] = set()
    for name in inhabited:
        if name not in found:
            found.add(name)
            for index in waiting.get(name, ()):
                missing[index] -= 1
                if not missing[index]:
                    inhabited.append(rules[index].clause.head.relation.text)
    return (derived & bare) - found


def _has_facts(unit: Unit, name: str) -> bool:
    return unit.is_given(name) or unit.is_computed(name)


def _wanted(clause: syntax.Clause) -> Iterator[syntax.Atom]:
    """The atoms of which a rule needs a row."""
    for literal in clause.body:
        if isinstance(literal, syntax.Atom):
            yield literal
        elif isinstance(literal, syntax.Aggregate) and literal.function.text in {"min", "max"}:
            yield from (atom for atom in literal.body if isinstance(atom, syntax.Atom))
