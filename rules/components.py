"""Strongly connected components of a graph, in linear time and without recursion."""

from collections.abc import Iterator, Mapping


def find_components(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """For each name a number, equal for two names iff each is reached from the other.

    R. Tarjan, Depth-first search and linear graph algorithms, 1972.
    """
    search = _Search(graph)
    for start in graph:
        search.visit(start)
    return search.component


class _Search:
    """A depth-first search that keeps its way in a list, so that depth is no limit."""

    def __init__(self, graph: Mapping[str, set[str]]) -> None:
        self.component: dict[str, int] = {}
        self._graph = graph
        self._order: dict[str, int] = {}
        self._low: dict[str, int] = {}
        self._unfinished: list[str] = []
        self._way: list[tuple[str, Iterator[str]]] = []

    def visit(self, start: str) -> None:
        """Number all that is reached from a name and has no number yet."""
        if start not in self._order:
            self._enter(start)
        while self._way:
            name, successors = self._way[-1]
            deeper = self._look(name, successors)
            if deeper is None:
                self._leave(name)
            else:
                self._enter(deeper)

    def _look(self, name: str, successors: Iterator[str]) -> str | None:
        """The next successor that was never entered; None iff there is no more."""
        for successor in successors:
            if successor not in self._order:
                return successor
            if successor not in self.component:
                self._low[name] = min(self._low[name], self._order[successor])
        return None

    def _enter(self, name: str) -> None:
        self._order[name] = self._low[name] = len(self._order)
        self._unfinished.append(name)
        self._way.append((name, iter(self._graph[name])))

    def _leave(self, name: str) -> None:
        self._way.pop()
        if self._way:
            below = self._way[-1][0]
            self._low[below] = min(self._low[below], self._low[name])
        if self._low[name] == self._order[name]:
            number, last = len(self.component), ""
            while last != name:
                last = self._unfinished.pop()
                self.component[last] = number
