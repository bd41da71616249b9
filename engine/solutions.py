"""Solutions: the ways in which a body holds over rows."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.arithmetic import bounded, holds, value_of
from engine.plans import Plan, Scan, Test
from engine.program import Program
from engine.rows import Rows
from engine.terms import (
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Negated,
    Pattern,
    Row,
    Value,
    Variable,
)

Binding: TypeAlias = dict[str, Value]
Matchers: TypeAlias = Mapping[str, Callable[[Row], bool]]
Count: TypeAlias = Callable[[int], None]
Select: TypeAlias = Callable[[Scan, Pattern], Collection[Row]]


class NoMatcherError(Exception):
    """A program asks for a matcher that was not passed in."""

    def __init__(self, relation: str, matcher: str) -> None:
        super().__init__(f"relation `{relation}` needs the matcher `{matcher}`")
        self.relation = relation
        self.matcher = matcher


class MatcherFaultError(Exception):
    """A matcher cannot decide a row, such as for a pattern that is none; there is no answer."""


@dataclass(frozen=True, slots=True)
class World:
    """What a body is held against: all rows that are known, and the matchers."""

    program: Program
    rows: Rows
    matchers: Mapping[str, Callable[[Row], bool]]
    count: Count

    def select(self, scan: Scan, pattern: Pattern) -> Collection[Row]:
        """All known rows of the scanned relation that fit the pattern."""
        return self.rows.matching(scan.atom.relation, pattern)


@dataclass(frozen=True, slots=True)
class Solution:
    """One way in which a body holds: the binding, and a row for each scan in plan order."""

    binding: Binding
    rows: tuple[Row, ...]


def pattern_of(atom: Atom, binding: Mapping[str, Value]) -> Pattern:
    """The atom under a binding; unbound variables and `_` become holes."""
    return tuple(value_of(term, binding) for term in atom.terms)


def ground(atom: Atom, binding: Mapping[str, Value]) -> Row:
    """The atom as a row. Raises `KeyError` for an unbound variable (refused before evaluation)."""
    row: list[Value] = []
    for term in atom.terms:
        value = value_of(term, binding)
        if value is None:
            raise KeyError(str(term))
        row.append(value)
    return tuple(row)


def solve(
    plan: Plan, world: World, start: Binding, select: Select | None = None
) -> Iterator[Solution]:
    """Every solution of a body from a start; `select` narrows the rows of scans.

    The world's `count` is told of the rows that a scan touches before they are used.
    """
    opened = tested(plan.early, world, start)
    if opened is None:
        return iter(())
    if not plan.scans:
        finished = tested(plan.tests, world, opened)
        return iter(()) if finished is None else iter((Solution(finished, ()),))
    return _scanned(plan, world, opened, select or world.select)


def _scanned(plan: Plan, world: World, start: Binding, select: Select) -> Iterator[Solution]:
    """The solutions of a body with scans: one inside the other, depth first, without recursion."""

    def candidates(scan: Scan, binding: Binding) -> Iterator[Row]:
        found = select(scan, pattern_of(scan.atom, binding))
        world.count(len(found))
        return iter(found)

    depth = len(plan.scans)
    stack: list[tuple[Binding, tuple[Row, ...], Iterator[Row]]] = [
        (start, (), candidates(plan.scans[0], start))
    ]
    while stack:
        binding, rows, found = stack[-1]
        scan = plan.scans[len(stack) - 1]
        row = next(found, None)
        extended = None if row is None else extend(scan.atom, row, binding)
        if row is None:
            stack.pop()
        elif extended is None or (extended := tested(scan.tests, world, extended)) is None:
            continue
        elif len(stack) < depth:
            below = candidates(plan.scans[len(stack)], extended)
            stack.append((extended, (*rows, row), below))
        elif (finished := tested(plan.tests, world, extended)) is not None:
            yield Solution(finished, (*rows, row))


def extend(atom: Atom, row: Row, binding: Binding) -> Binding | None:
    """The binding extended so that the atom is that row; None iff it cannot be.

    Arithmetic is left out: it stands in heads only, and must not fault for the row of another rule.
    """
    extended = dict(binding)
    for term, value in zip(atom.terms, row, strict=True):
        if isinstance(term, Variable):
            if extended.setdefault(term.name, value) != value:
                return None
        elif isinstance(term, Constant) and term.value != value:
            return None
    return extended


def tested(tests: Sequence[Test], world: World, binding: Binding) -> Binding | None:
    """The binding once all tests were passed in order; None iff one of them fails."""
    current: Binding | None = binding
    for test in tests:
        if current is None:
            return None
        current = _tried(test, world, current)
    return current


def _tried(test: Test, world: World, binding: Binding) -> Binding | None:
    literal = test.literal
    if isinstance(literal, Comparison):
        return _compared(literal, binding)
    if isinstance(literal, Aggregate):
        value = aggregate_value(test, world, binding)
        if value is None:
            return None
        result = literal.result.name
        return binding | {result: value} if binding.get(result, value) == value else None
    wanted = not isinstance(literal, Negated)
    atom = literal.atom if isinstance(literal, Negated) else literal
    return binding if is_there(atom, world, binding) == wanted else None


def is_there(atom: Atom, world: World, binding: Mapping[str, Value]) -> bool:
    """Whether some row fits an atom under a binding; a computed relation asks its matcher."""
    return not is_excluded(atom.relation, pattern_of(atom, binding), world)


def is_excluded(relation: str, pattern: Pattern, world: World) -> bool:
    """Whether no row of a relation fits a pattern; a computed relation asks its matcher."""
    matcher = world.program.relations[relation].computed
    if matcher is None:
        return not world.rows.matching(relation, pattern)
    if matcher not in world.matchers:
        raise NoMatcherError(relation, matcher)
    row = tuple(value for value in pattern if value is not None)
    return not world.matchers[matcher](row)


def _compared(comparison: Comparison, binding: Binding) -> Binding | None:
    """The binding if a comparison is true; `=` binds the side that is an unbound variable."""
    if comparison.operator == "=":
        for target, source in (
            (comparison.left, comparison.right),
            (comparison.right, comparison.left),
        ):
            if isinstance(target, Variable) and target.name not in binding:
                value = value_of(source, binding)
                if value is not None:
                    return binding | {target.name: value}
    return binding if holds(comparison, binding) else None


def contributions(test: Test, world: World, binding: Mapping[str, Value]) -> Iterator[Solution]:
    """The solutions that an aggregate ranges over under a binding of its shared variables."""
    if test.inner is None:
        return iter(())
    start = {name: binding[name] for name in test.shared}
    return solve(test.inner, world, start)


def aggregate_value(test: Test, world: World, binding: Mapping[str, Value]) -> int | None:
    """The value of an aggregate, None for `min` and `max` of nothing.

    Every solution of the body counts once, so equal target values count as often as they occur.
    """
    literal = test.literal
    if not isinstance(literal, Aggregate):
        raise TypeError(type(literal).__name__)
    found = contributions(test, world, binding)
    if literal.function == "count":
        return sum(1 for _ in found)
    values = (_number(literal, solution) for solution in found)
    if literal.function == "sum":
        return bounded(sum(values))
    return (min if literal.function == "min" else max)(values, default=None)


def _number(aggregate: Aggregate, solution: Solution) -> int:
    value = None if aggregate.target is None else value_of(aggregate.target, solution.binding)
    if not isinstance(value, int):
        raise TypeError(aggregate.function)
    return value
