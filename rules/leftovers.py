"""Leftovers: derived relations that nothing asks for."""

from collections.abc import Iterator

from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.syntax import is_marked
from rules.unit import Unit, exchanges, mentions


def find_leftovers(unit: Unit) -> Iterator[Diagnostic]:
    """Relations with rules that are neither read, nor output, nor meant to stay empty.

    Only in a program that says by some `.output` what it is for.
    """
    outputs = {exchange.relation.text for exchange in exchanges(unit.trees, "output")}
    if not outputs or not outputs <= set(unit.relations):
        return
    read = {
        mention.atom.relation.text
        for named in unit.rules
        for mention in mentions(named.clause.body)
        if mention.atom.relation.text != named.clause.head.relation.text
    }
    derived = {named.clause.head.relation.text for named in unit.rules}
    for name in derived - outputs - read:
        relation = unit.relations.get(name)
        if relation is not None and not is_marked(relation, "never"):
            message = f"relation {show(name)} is neither read nor output"
            hint = f"write `.output {name}` if it is asked for"
            yield finding("R501", relation.name.place, message, hint=hint)
