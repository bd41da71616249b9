"""Strata: the order in which relations can be computed.

A stratum is one strongly connected component of the dependency graph, so that it depends on the
rules alone; the order is the one in which Tarjan's algorithm finishes the components (R. Tarjan,
Depth-first search and linear graph algorithms, 1972) when relations are visited by name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.program import Program, Rule
from engine.terms import Atom, Negated


class UnstratifiedError(Exception):
    """A relation depends on its own absence. `cycle` is the witness, first relation repeated."""

    def __init__(self, cycle: tuple[str, ...], rule_id: str) -> None:
        super().__init__(f"negation through recursion in rule `{rule_id}`: {' -> '.join(cycle)}")
        self.cycle = cycle
        self.rule_id = rule_id


@dataclass(frozen=True, slots=True)
class Stratum:
    """Relations that need one another, and the rules that derive them, by rule id."""

    relations: frozenset[str]
    rules: tuple[Rule, ...]


def stratify(rules: Sequence[Rule]) -> tuple[Stratum, ...]:
    """The strata of the derived relations, each after all that it depends on.

    Raises `UnstratifiedError` iff some relation depends on its own absence.
    """
    graph = dependencies(rules)
    by_head: dict[str, list[Rule]] = {}
    for rule in rules:
        by_head.setdefault(rule.head.relation, []).append(rule)
    strata: list[Stratum] = []
    for component in _components(graph):
        mine = [rule for relation in sorted(component) for rule in by_head.get(relation, ())]
        mine.sort(key=lambda rule: rule.id)
        for rule in mine:
            for literal in rule.body:
                if isinstance(literal, Negated) and literal.atom.relation in component:
                    path = _path(graph, literal.atom.relation, rule.head.relation, component)
                    raise UnstratifiedError((rule.head.relation, *path), rule.id)
        if mine:
            strata.append(Stratum(frozenset(component), tuple(mine)))
    return tuple(strata)


def dependencies(rules: Sequence[Rule]) -> dict[str, set[str]]:
    """For each relation the relations that its rules read, positively or negated."""
    graph: dict[str, set[str]] = {}
    for rule in rules:
        read = graph.setdefault(rule.head.relation, set())
        for literal in rule.body:
            atom = literal.atom if isinstance(literal, Negated) else literal
            if isinstance(atom, Atom):
                read.add(atom.relation)
                graph.setdefault(atom.relation, set())
    return graph


def restrict(program: Program, relations: Iterable[str]) -> Program:
    """The program with just the rules that some of the named relations depend on."""
    graph = dependencies(program.rules)
    reached: set[str] = set()
    stack = list(relations)
    while stack:
        relation = stack.pop()
        if relation not in reached:
            reached.add(relation)
            stack.extend(graph.get(relation, ()))
    return replace(program, rules=tuple(r for r in program.rules if r.head.relation in reached))


def _components(graph: dict[str, set[str]]) -> list[set[str]]:
    """Strongly connected components, dependencies first; iterative."""
    search = _Search()
    for start in sorted(graph):
        work = [(start, iter(sorted(graph[start])))] if start not in search.order else []
        while work:
            node, successors = work[-1]
            search.enter(node)
            onward = next((s for s in successors if search.is_new(node, s)), None)
            if onward is not None:
                work.append((onward, iter(sorted(graph[onward]))))
                continue
            work.pop()
            search.leave(node, work[-1][0] if work else None)
    return search.found


class _Search:
    """The state of Tarjan's search: visiting order, low links, and the relations still open."""

    def __init__(self) -> None:
        self.order: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: dict[str, None] = {}
        self.found: list[set[str]] = []

    def enter(self, node: str) -> None:
        if node not in self.order:
            self.order[node] = self.low[node] = len(self.order)
            self.open[node] = None

    def is_new(self, node: str, successor: str) -> bool:
        """Whether a successor was never visited; one that is still open lowers the node's link."""
        if successor in self.open:
            self.low[node] = min(self.low[node], self.order[successor])
        return successor not in self.order

    def leave(self, node: str, parent: str | None) -> None:
        """Close a node; the root of a component takes the component with it."""
        if parent is not None:
            self.low[parent] = min(self.low[parent], self.low[node])
        if self.low[node] == self.order[node]:
            component: set[str] = set()
            while node not in component:
                component.add(self.open.popitem()[0])
            self.found.append(component)


def _path(
    graph: dict[str, set[str]], start: str, goal: str, component: set[str]
) -> tuple[str, ...]:
    """A shortest way from one relation to another inside a component, both ends included."""
    came: dict[str, str | None] = {start: None}
    queue = [start]
    for node in queue:
        if node == goal:
            break
        for successor in sorted(graph[node] & component):
            if successor not in came:
                came[successor] = node
                queue.append(successor)
    way: list[str] = []
    step: str | None = goal
    while step is not None:
        way.append(step)
        step = came[step]
    return tuple(reversed(way))
