"""Alternatives: the conjunctions that a body with `;` and parentheses stands for.

They come in Soufflé's order: `(a; b), (c; d)` is `a, c` and `a, d` and `b, c` and `b, d`. How many
there are is counted, in numbers that cannot overflow, before any of them is written out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from rules import syntax

ALTERNATIVES_LIMIT: Final = 1_000
"""So many rules one rule may stand for, its heads multiplied with the alternatives of its body."""

LITERALS_LIMIT: Final = 100_000
"""So many literals all rules that stand for several may come to in one program."""


class Size(NamedTuple):
    """How many alternatives a body has, and how many literals these have together."""

    alternatives: int
    literals: int


def size(body: syntax.Body | None) -> Size:
    """The size of a body, without writing out its alternatives; a fact has one without literals."""
    match body:
        case None:
            return Size(1, 0)
        case syntax.Disjunction():
            sizes = [size(part) for part in body.parts]
            return Size(sum(s.alternatives for s in sizes), sum(s.literals for s in sizes))
        case syntax.Conjunction():
            count, literals = 1, 0
            for part in map(size, body.parts):
                literals = literals * part.alternatives + part.literals * count
                count *= part.alternatives
            return Size(count, literals)
        case _:
            return Size(1, 1)


def spell_out(body: syntax.Body | None) -> Iterator[tuple[syntax.Literal, ...]]:
    """The alternatives of a body, in order; a fact has an empty one."""
    match body:
        case None:
            yield ()
        case syntax.Disjunction():
            for part in body.parts:
                yield from spell_out(part)
        case syntax.Conjunction():
            yield from map(_joined, product(*(list(spell_out(part)) for part in body.parts)))
        case _:
            yield (body,)


def first_alternative(body: syntax.Body) -> tuple[syntax.Literal, ...]:
    """The first of the alternatives, without the others."""
    match body:
        case syntax.Disjunction():
            return first_alternative(body.parts[0])
        case syntax.Conjunction():
            return _joined(map(first_alternative, body.parts))
        case _:
            return (body,)


def _joined(parts: Iterable[tuple[syntax.Literal, ...]]) -> tuple[syntax.Literal, ...]:
    return tuple(literal for part in parts for literal in part)


@dataclass
class Allowance:
    """What all rules of a program that stand for several rules may still come to."""

    literals: int = LITERALS_LIMIT

    def clauses(self, rule: syntax.Rule) -> tuple[syntax.Clause, ...]:
        """The clauses of a rule: for each head each alternative; none iff they are too many."""
        found = size(rule.body)
        count = found.alternatives * len(rule.heads)
        if count > 1:
            written = found.literals * len(rule.heads)
            if count > ALTERNATIVES_LIMIT or written > self.literals:
                return ()
            self.literals -= written
        bodies = list(spell_out(rule.body))
        return tuple(syntax.Clause(head, body) for head in rule.heads for body in bodies)
