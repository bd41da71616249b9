"""Cycles: relations that depend on their own absence.

Every negated atom inside a strongly connected component of the dependency graph is a fault, in
whatever order the rules stand. Linear but for the witnesses, which share a budget of steps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from rules import syntax
from rules.components import find_components
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.unit import NamedRule, Unit, atoms_of

_STEPS: Final = 500_000
_STEPS_SHOWN: Final = 16
_RULES_SHOWN: Final = 8

Edge: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Reading:
    """An atom in the body of a rule, and whether it is negated."""

    named: NamedRule
    atom: syntax.Atom
    negated: bool

    @property
    def edge(self) -> Edge:
        """The relation that needs and the relation that is needed."""
        return self.named.rule.head.relation.text, self.atom.relation.text


def find_cycles(unit: Unit) -> Iterator[Diagnostic]:
    """Each negated atom on a cycle, with a shortest such cycle and the rules on it."""
    graph: dict[str, set[str]] = {}
    for reading in _readings(unit):
        graph.setdefault(reading.edge[0], set()).add(reading.edge[1])
        graph.setdefault(reading.edge[1], set())
    component = find_components(graph)
    inside: dict[Edge, list[_Reading]] = {}
    for reading in _readings(unit):
        head, read = reading.edge
        if component[head] == component[read]:
            inside.setdefault(reading.edge, []).append(reading)
    witnesses = _Witnesses(inside)
    for (head, read), readings in inside.items():
        for reading in readings:
            if reading.negated:
                yield _fault(reading, witnesses.find(read, head))


def _readings(unit: Unit) -> Iterator[_Reading]:
    for named in unit.rules:
        for atom, negated in atoms_of(named.rule):
            yield _Reading(named, atom, negated)


def _fault(reading: _Reading, back: "_Way") -> Diagnostic:
    negated = reading.atom.relation
    cycle = f"`{reading.named.rule.head.relation.text} -> !{negated.text}{back.text}`"
    law = "what a relation holds cannot rest on what it does not hold"
    notes = dict.fromkeys((_note(reading), *back.notes))
    hint = "let the negated relation be decided without the relation that negates it"
    message = f"negation through recursion: {cycle}"
    return finding("R306", negated.place, message, law, *notes, hint=hint)


@dataclass(frozen=True, slots=True)
class _Way:
    """The way from a relation back to the one that negates it, as text, and the rules on it."""

    text: str
    notes: tuple[str, ...]


class _Witnesses:
    """Shortest ways inside components; once the budget of steps is spent, ways are left out."""

    def __init__(self, readings: Mapping[Edge, list[_Reading]]) -> None:
        self._readings = readings
        self._inside: dict[str, list[str]] = {}
        for head, read in sorted(readings):
            self._inside.setdefault(head, []).append(read)
        self._left = _STEPS
        self._found: dict[Edge, _Way] = {}

    def find(self, start: str, goal: str) -> _Way:
        """The shortest way from start to goal, of two the one with the lesser names."""
        edge = (start, goal)
        if edge not in self._found:
            way = self._search(start, goal)
            self._found[edge] = self._write(way) if way else _Way(f" -> … -> {goal}", ())
        return self._found[edge]

    def _search(self, start: str, goal: str) -> tuple[str, ...]:
        came: dict[str, str] = {start: ""}
        queue = [start]
        for name in queue:
            if name == goal:
                return _back(came, goal)
            self._left -= 1 + len(self._inside[name])
            if self._left < 0:
                break
            for read in self._inside[name]:
                if read not in came:
                    came[read] = name
                    queue.append(read)
        return ()

    def _write(self, way: tuple[str, ...]) -> _Way:
        steps: list[str] = []
        notes: list[str] = []
        for edge in pairwise(way):
            self._left -= len(self._readings[edge])
            carriers = sorted(self._readings[edge], key=lambda r: (r.negated, r.named.id))
            steps.append(f" -> !{edge[1]}" if carriers[0].negated else f" -> {edge[1]}")
            notes += [_note(reading) for reading in carriers[:_RULES_SHOWN]]
            if len(carriers) > _RULES_SHOWN:
                notes.append(f"{len(carriers) - _RULES_SHOWN} more rules do the same")
        if len(steps) > _STEPS_SHOWN:
            half = _STEPS_SHOWN // 2
            left_out = len(steps) - _STEPS_SHOWN
            steps = [*steps[:half], f" -> ({left_out} more)", *steps[-half:]]
            notes = notes[:_STEPS_SHOWN]
        return _Way("".join(steps), tuple(notes))


def _back(came: Mapping[str, str], goal: str) -> tuple[str, ...]:
    way = [goal]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(reversed(way))


def _note(reading: _Reading) -> str:
    head, read = reading.named.rule.head.relation, reading.atom.relation
    mark = "!" if reading.negated else ""
    name = show(reading.named.id)
    return f"rule {name} at {head.place}: `{head.text}` reads `{mark}{read.text}`"
