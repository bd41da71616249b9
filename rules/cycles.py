"""Cycles: relations that depend on their own absence, or on an aggregate over themselves.

Every negated or aggregated atom inside a strongly connected component of the dependency graph is a
fault, in whatever order the rules stand.
"""

from collections.abc import Iterator

from rules.dependencies import Dependencies, Reading, Way, note_of
from rules.diagnostics import Diagnostic, finding
from rules.inventions import find_inventions
from rules.unit import Unit


def find_cycles(unit: Unit) -> Iterator[Diagnostic]:
    """Each negated or aggregated atom on a cycle, with a shortest such cycle and the rules on it.

    Arithmetic in the head of a rule on a cycle too, since it is the same graph that tells.
    """
    dependencies = Dependencies(unit)
    for (head, read), readings in dependencies.inside.items():
        for reading in readings:
            if reading.mention.mark:
                back = dependencies.way(read, head)
                yield (
                    _negation(reading, back)
                    if reading.mention.mark == "!"
                    else _aggregation(reading, back)
                )
    yield from find_inventions(unit, dependencies)


def _negation(reading: Reading, back: Way) -> Diagnostic:
    law = "what a relation holds cannot rest on what it does not hold"
    hint = "let the negated relation be decided without the relation that negates it"
    message = f"negation through recursion: `{_cycle(reading, back)}`"
    notes = (law, *_rules(reading, back))
    return finding("R306", reading.mention.atom.relation.place, message, *notes, hint=hint)


def _aggregation(reading: Reading, back: Way) -> Diagnostic:
    head, read = reading.edge
    function = reading.mention.mark
    law = "an aggregate needs all rows of what it ranges over before its rule gives any"
    free = f"needs no `{function}`" if head == read else f"needs no `{head}`"
    hint = (
        f"split `{read}`: what {free} goes into a relation of its own, and `{function}` "
        f"ranges over that"
    )
    message = f"aggregation through recursion: `{_cycle(reading, back)}`"
    notes = (law, *_rules(reading, back))
    return finding("R308", reading.mention.atom.relation.place, message, *notes, hint=hint)


def _cycle(reading: Reading, back: Way) -> str:
    return f"{reading.edge[0]} -> {reading.written}{back.text}"


def _rules(reading: Reading, back: Way) -> tuple[str, ...]:
    return tuple(dict.fromkeys((note_of(reading), *back.notes)))
