"""Dependencies: which relation reads which, in which rules, and the ways round.

Linear but for the ways that are shown as witnesses, which share a budget of steps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from rules.components import find_components
from rules.symbols import show
from rules.unit import Mention, NamedRule, Unit, mentions

_STEPS: Final = 500_000
_STEPS_SHOWN: Final = 16
_RULES_SHOWN: Final = 8

Edge: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """An atom in the body of a rule, and what is asked of it."""

    named: NamedRule
    mention: Mention

    @property
    def edge(self) -> Edge:
        """The relation that needs and the relation that is needed."""
        return self.named.clause.head.relation.text, self.mention.atom.relation.text

    @property
    def written(self) -> str:
        """The relation that is needed, with `!` or the name of the aggregate before it."""
        mark, name = self.mention.mark, self.mention.atom.relation.text
        return f"{mark}{' ' if len(mark) > 1 else ''}{name}"


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a relation back to the one that reads it, as text, and the rules on it."""

    text: str
    notes: tuple[str, ...]


class Dependencies:
    """The readings of a unit that stay inside a strongly connected component, and ways there.

    Shortest ways; once the budget of steps is spent, ways are left out.
    """

    def __init__(self, unit: Unit) -> None:
        graph: dict[str, set[str]] = {}
        for reading in _readings(unit):
            graph.setdefault(reading.edge[0], set()).add(reading.edge[1])
            graph.setdefault(reading.edge[1], set())
        component = find_components(graph)
        self.inside: dict[Edge, list[Reading]] = {}
        for reading in _readings(unit):
            head, read = reading.edge
            if component[head] == component[read]:
                self.inside.setdefault(reading.edge, []).append(reading)
        self._successors: dict[str, list[str]] = {}
        for head, read in sorted(self.inside):
            self._successors.setdefault(head, []).append(read)
        self._left = _STEPS
        self._found: dict[Edge, Way] = {}

    def way(self, start: str, goal: str) -> Way:
        """The shortest way from start to goal, of two the one with the lesser names."""
        edge = (start, goal)
        if edge not in self._found:
            way = self._search(start, goal)
            self._found[edge] = self._write(way) if way else Way(f" -> … -> {goal}", ())
        return self._found[edge]

    def _search(self, start: str, goal: str) -> tuple[str, ...]:
        came: dict[str, str] = {start: ""}
        queue = [start]
        for name in queue:
            if name == goal:
                return _back(came, goal)
            self._left -= 1 + len(self._successors[name])
            if self._left < 0:
                break
            for read in self._successors[name]:
                if read not in came:
                    came[read] = name
                    queue.append(read)
        return ()

    def _write(self, way: tuple[str, ...]) -> Way:
        steps: list[str] = []
        notes: list[str] = []
        for edge in pairwise(way):
            self._left -= len(self.inside[edge])
            carriers = sorted(self.inside[edge], key=lambda r: (r.mention.mark, r.named.id))
            steps.append(f" -> {carriers[0].written}")
            notes += [note_of(reading) for reading in carriers[:_RULES_SHOWN]]
            if len(carriers) > _RULES_SHOWN:
                notes.append(f"{len(carriers) - _RULES_SHOWN} more rules do the same")
        if len(steps) > _STEPS_SHOWN:
            half = _STEPS_SHOWN // 2
            left_out = len(steps) - _STEPS_SHOWN
            steps = [*steps[:half], f" -> ({left_out} more)", *steps[-half:]]
            notes = notes[:_STEPS_SHOWN]
        return Way("".join(steps), tuple(notes))


def note_of(reading: Reading) -> str:
    """Which rule reads which relation, and where it stands."""
    head = reading.named.clause.head.relation
    name = show(reading.named.id)
    return f"rule {name} at {head.place}: `{head.text}` reads `{reading.written}`"


def _readings(unit: Unit) -> Iterator[Reading]:
    for named in unit.rules:
        for mention in mentions(named.clause.body):
            yield Reading(named, mention)


def _back(came: Mapping[str, str], goal: str) -> tuple[str, ...]:
    way = [goal]
    while came[way[-1]]:
        way.append(came[way[-1]])
    return tuple(reversed(way))
