"""Bindings: which variables of a body get a value, and from what.

The notion is the engine's. The variables that stand by themselves in a positive atom are drawn from
its rows; computed relations have no rows to draw from. Then `x = …` binds `x` once all variables of
the other side are bound, and an aggregate binds its result once the variables are bound that it
shares with the rule. Linear in the body: each literal waits for a number of variables.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import engine
from rules import syntax
from rules.syntax import terms_inside, terms_of, words_of
from rules.unit import Unit

Binder: TypeAlias = syntax.Comparison | syntax.Aggregate


@dataclass(frozen=True, slots=True)
class Source:
    """What gives a variable its value: an aggregate, or the other side of an `=`."""

    name: str
    literal: Binder
    term: syntax.Term
    """The other side; of an aggregate its result."""


@dataclass(slots=True)
class Bindings:
    """The variables of a body that are bound, and for those that no atom binds, in order, by what.

    `drawn` are the variables that stand in a positive atom; `bound` holds them too.
    """

    drawn: frozenset[str]
    bound: set[str]
    sources: list[Source] = field(default_factory=list[Source])


def bind(
    unit: Unit,
    body: Sequence[syntax.Literal],
    start: Iterable[str],
    outside: frozenset[str] = frozenset(),
) -> Bindings:
    """What a body binds whose `start` variables are bound; `outside` are the rule's own."""
    drawn = frozenset(
        term.value.name
        for literal in body
        if isinstance(literal, syntax.Atom) and not unit.is_computed(literal.relation.text)
        for term in literal.terms
        if isinstance(term.value, engine.Variable)
    )
    found = Bindings(drawn, {*start, *drawn})
    waiting = _Waiting(found)
    for literal in body:
        for source, needed in _offers(literal, outside):
            waiting.add(source, needed)
    waiting.run()
    return found


def outside_variables(clause: syntax.Clause) -> frozenset[str]:
    """The variables that a clause names outside of aggregates; their results are among them."""
    terms = [*clause.head.terms, *(t for literal in clause.body for t in terms_of(literal))]
    return frozenset(names_in(terms))


def names_in(terms: Iterable[syntax.Term]) -> Iterator[str]:
    """The names of the variables of terms, inside arithmetic too."""
    for word in words_of(terms):
        if isinstance(word.value, engine.Variable):
            yield word.value.name


def shared_variables(aggregate: syntax.Aggregate, outside: frozenset[str]) -> frozenset[str]:
    """The variables of an aggregate that its rule names outside of aggregates too."""
    return outside.intersection(names_in(terms_inside(aggregate)))


def _offers(
    literal: syntax.Literal, outside: frozenset[str]
) -> Iterator[tuple[Source, frozenset[str]]]:
    """The variables that a literal may bind, each with those that must be bound before."""
    match literal:
        case syntax.Aggregate(result=result) if isinstance(result.value, engine.Variable):
            needed = shared_variables(literal, outside)
            yield Source(result.value.name, literal, result), needed
        case syntax.Comparison() if literal.operator.kind == "=":
            for side, other in (
                (literal.left, literal.right),
                (literal.right, literal.left),
            ):
                if isinstance(side.value, engine.Variable):
                    source = Source(side.value.name, literal, other)
                    yield source, frozenset(names_in((other,)))
        case _:
            pass


class _Waiting:
    """Literals that bind a variable once all that they need is bound."""

    def __init__(self, found: Bindings) -> None:
        self._found = found
        self._missing: list[tuple[Source, set[str]]] = []
        self._by_name: dict[str, list[int]] = {}
        self._ready: list[Source] = []

    def add(self, source: Source, needed: frozenset[str]) -> None:
        """Take in a literal that binds a variable."""
        missing = set(needed - self._found.bound)
        if not missing:
            self._ready.append(source)
            return
        for name in missing:
            self._by_name.setdefault(name, []).append(len(self._missing))
        self._missing.append((source, missing))

    def run(self) -> None:
        """Bind whatever can be bound."""
        for source in self._ready:
            if source.name in self._found.bound:
                continue
            self._found.bound.add(source.name)
            self._found.sources.append(source)
            for index in self._by_name.pop(source.name, ()):
                waiting, missing = self._missing[index]
                missing.discard(source.name)
                if not missing:
                    self._ready.append(waiting)
