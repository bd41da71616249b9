"""Includes: sources that other sources name, each read once.

What a source includes comes before it, as if the include stood at its top; sources that nothing
includes come in the order in which they were given.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.parser import parse
from rules.spelling import Spelling
from rules.symbols import show
from rules.tokens import Source

Include: TypeAlias = Callable[[str, str], Source | None]
"""Given the name of the including source and the path written there, the included source.

None iff there is none. Two includes are of one source iff its name is the same.
"""

SOURCES_LIMIT: Final = 1_000


@dataclass
class Reading:
    """All sources that were read, with their trees and what was wrong with their syntax."""

    sources: list[Source] = field(default_factory=list[Source])
    trees: list[syntax.Tree] = field(default_factory=list[syntax.Tree])
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])


@dataclass(slots=True)
class _Open:
    """A source that was begun, and the includes of it that were not looked at yet."""

    source: Source
    tree: syntax.Tree
    left: Iterator[syntax.Include]


def read_all(sources: Sequence[Source], spelling: Spelling, include: Include | None) -> Reading:
    """The trees of some sources and of all that they include."""
    return _Reader(spelling, include).read(sources)


class _Reader:
    """Reads sources depth first, keeping its way in a list, so that depth is no limit."""

    def __init__(self, spelling: Spelling, include: Include | None) -> None:
        self._reading = Reading()
        self._spelling = spelling
        self._include = include
        self._included: set[str] = set()
        self._way: list[_Open] = []

    def read(self, sources: Sequence[Source]) -> Reading:
        """All that was read, in order."""
        for source in sources:
            if source.name not in self._included:
                self._begin(source)
            while self._way:
                self._go_on(self._way[-1])
        return self._reading

    def _begin(self, source: Source) -> None:
        tree, faults = parse(source, self._spelling)
        self._reading.findings.extend(faults)
        self._way.append(_Open(source, tree, iter(tree.includes)))

    def _go_on(self, top: _Open) -> None:
        included = next(top.left, None)
        if included is None:
            self._reading.sources.append(top.source)
            self._reading.trees.append(top.tree)
            self._way.pop()
            return
        found = self._found(top.source, included)
        if found is None:
            return
        names = [opened.source.name for opened in self._way]
        if found.name in names:
            cycle = " -> ".join((*names[names.index(found.name) :], found.name))
            self._refuse("R118", included, f"sources include one another: {show(cycle)}")
        elif found.name not in self._included and not self._was_read(found):
            self._included.add(found.name)
            self._begin(found)

    def _found(self, source: Source, included: syntax.Include) -> Source | None:
        path = included.path.text
        if self._include is None:
            law = "sources are passed in, and nothing was passed in that could find more"
            self._refuse("R117", included, f"include of {show(path)}", law)
        elif len(self._included) >= SOURCES_LIMIT:
            law = f"a program includes at most {SOURCES_LIMIT} sources"
            self._refuse("R117", included, f"include of {show(path)}", law)
        elif (found := self._include(source.name, path)) is None:
            self._refuse("R117", included, f"no source at {show(path)}")
        else:
            return found
        return None

    def _was_read(self, source: Source) -> bool:
        return any(source.name == read.name for read in self._reading.sources)

    def _refuse(self, code: str, included: syntax.Include, message: str, *notes: str) -> None:
        place = included.path.place
        self._reading.findings.append(finding(code, place, message, *notes))
