"""Substitutions: the ways in which a rule's body holds over rows."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from engine.rows import Rows
from engine.terms import (
    Atom,
    Comparison,
    Constant,
    Literal,
    Negated,
    Pattern,
    Row,
    Term,
    Value,
    Variable,
)

Binding: TypeAlias = dict[str, Value]
Count: TypeAlias = Callable[[int], None]

OPERATORS: Final[Mapping[str, Callable[[Value, Value], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def pattern_of(atom: Atom, binding: Mapping[str, Value]) -> Pattern:
    """The atom under a binding; unbound variables and `_` become holes."""
    return tuple(_value(term, binding) for term in atom.terms)


def ground(atom: Atom, binding: Mapping[str, Value]) -> Row:
    """The atom as a row. Raises `KeyError` for an unbound variable (refused before evaluation)."""
    return tuple(t.value if isinstance(t, Constant) else binding[_name(t)] for t in atom.terms)


def holds(comparison: Comparison, binding: Mapping[str, Value]) -> bool:
    """Whether a comparison of bound terms is true."""
    left, right = _value(comparison.left, binding), _value(comparison.right, binding)
    if left is None or right is None:
        raise KeyError(comparison.operator)
    return OPERATORS[comparison.operator](left, right)


def substitutions(
    body: Sequence[Literal], rows: Rows, start: Binding, count: Count
) -> Iterator[Binding]:
    """Every binding that makes the body true; positive atoms first, in the order written.

    `count` is told of each row that a join touches before the row is used.
    """
    atoms = [literal for literal in body if isinstance(literal, Atom)]
    tests = [literal for literal in body if not isinstance(literal, Atom)]

    def candidates(atom: Atom, binding: Binding) -> Iterator[Row]:
        found = rows.matching(atom.relation, pattern_of(atom, binding))
        count(len(found))
        return iter(found)

    stack = [(start, candidates(atoms[0], start))] if atoms else []
    if not atoms and all(passes(test, rows, start) for test in tests):
        yield start
    while stack:
        binding, found = stack[-1]
        for row in found:
            extended = extend(atoms[len(stack) - 1], row, binding)
            if extended is None:
                continue
            if len(stack) < len(atoms):
                stack.append((extended, candidates(atoms[len(stack)], extended)))
                break
            if all(passes(test, rows, extended) for test in tests):
                yield extended
        else:
            stack.pop()


def passes(test: Negated | Comparison, rows: Rows, binding: Mapping[str, Value]) -> bool:
    """Whether a negated atom or a comparison is true under a binding."""
    if isinstance(test, Comparison):
        return holds(test, binding)
    return not rows.matching(test.atom.relation, pattern_of(test.atom, binding))


def extend(atom: Atom, row: Row, binding: Binding) -> Binding | None:
    """The binding extended so that the atom is that row; None iff it cannot be."""
    extended = dict(binding)
    for term, value in zip(atom.terms, row, strict=True):
        if isinstance(term, Constant):
            if term.value != value:
                return None
        elif isinstance(term, Variable) and extended.setdefault(term.name, value) != value:
            return None
    return extended


def _value(term: Term, binding: Mapping[str, Value]) -> Value | None:
    if isinstance(term, Constant):
        return term.value
    return binding.get(term.name) if isinstance(term, Variable) else None


def _name(term: Term) -> str:
    return term.name if isinstance(term, Variable) else "_"
