"""Contradictions inside one body that need no facts to be seen.

Linear in the body, but for the atoms of one relation and the bounds of one variable, of which so
many are compared and no more.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

import engine
from rules import syntax
from rules.printer import write_term
from rules.symbols import show

_TESTS: Final[Mapping[str, Callable[[engine.Value, engine.Value], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_REMEMBERED: Final = 16

_MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_CASES: Final = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""Which of less, equal and greater each comparison allows."""


def contradiction(body: Sequence[syntax.Literal]) -> str:
    """Why a body holds for no facts, empty iff no reason is seen."""
    comparisons = [literal for literal in body if isinstance(literal, syntax.Comparison)]
    if not comparisons and not any(isinstance(literal, syntax.Negated) for literal in body):
        return ""
    witnesses = (
        witness
        for found in (
            _atom_and_negation(body),
            _false_comparisons(comparisons),
            _opposed(comparisons),
            _clashes(comparisons),
        )
        for witness in found
    )
    return next(witnesses, "")


def _atom_and_negation(body: Iterable[syntax.Literal]) -> Iterator[str]:
    positive: dict[str, list[syntax.Atom]] = {}
    for literal in body:
        if isinstance(literal, syntax.Atom):
            positive.setdefault(literal.relation.text, []).append(literal)
    for literal in body:
        if isinstance(literal, syntax.Negated):
            for atom in positive.get(literal.atom.relation.text, [])[:_REMEMBERED]:
                if _covers(literal.atom, atom):
                    yield f"{show(atom.relation.text)} is asked for and denied of the same terms"


def _covers(negated: syntax.Atom, atom: syntax.Atom) -> bool:
    """Whether each row that fits the positive atom fits the negated one."""
    return len(negated.terms) == len(atom.terms) and all(
        isinstance(denied.value, engine.Wildcard) or denied.value == asked.value
        for denied, asked in zip(negated.terms, atom.terms, strict=True)
    )


def _false_comparisons(comparisons: Iterable[syntax.Comparison]) -> Iterator[str]:
    for comparison in comparisons:
        left, sign, right = comparison.left.value, comparison.operator.kind, comparison.right.value
        if isinstance(left, engine.Constant) and isinstance(right, engine.Constant):
            same_base = isinstance(left.value, str) == isinstance(right.value, str)
            false = same_base and not _TESTS[sign](left.value, right.value)
        else:
            false = left == right and "=" not in _CASES[sign]
        if false:
            yield f"{_written(left, sign, right)} is false"


def _opposed(comparisons: Iterable[syntax.Comparison]) -> Iterator[str]:
    """Comparisons of the same two terms that are never all true."""
    allowed: dict[tuple[engine.Term, engine.Term], set[str]] = {}
    first: dict[tuple[engine.Term, engine.Term], str] = {}
    for comparison in comparisons:
        left, sign, right = comparison.left.value, comparison.operator.kind, comparison.right.value
        if (right, left) in allowed:
            left, sign, right = right, _MIRRORED[sign], left
        here = _written(left, sign, right)
        cases = allowed.setdefault((left, right), set("<=>"))
        before = first.setdefault((left, right), here)
        cases.intersection_update(_CASES[sign])
        if not cases and before != here:
            yield f"{before} and {here} are never both true"


def _clashes(comparisons: Iterable[syntax.Comparison]) -> Iterator[str]:
    """Two comparisons of one variable with constants that no value passes both."""
    seen: dict[engine.Variable, list[tuple[str, engine.Value]]] = {}
    for comparison in comparisons:
        left, sign, right = comparison.left.value, comparison.operator.kind, comparison.right.value
        if isinstance(left, engine.Constant):
            left, sign, right = right, _MIRRORED[sign], left
        if isinstance(left, engine.Variable) and isinstance(right, engine.Constant):
            bounds = seen.setdefault(left, [])
            for other_sign, other in bounds[:_REMEMBERED]:
                if not _fit(sign, right.value, other_sign, other):
                    first = _written(left, other_sign, engine.Constant(other))
                    yield f"{first} and {_written(left, sign, right)} are never both true"
            bounds.append((sign, right.value))


def _fit(sign: str, value: engine.Value, other_sign: str, other: engine.Value) -> bool:
    """Whether some value passes both tests; values between two symbols are taken to exist."""
    if isinstance(value, str) != isinstance(other, str):
        return True
    if sign == "=":
        return _TESTS[other_sign](value, other)
    if other_sign == "=":
        return _TESTS[sign](other, value)
    if sign[0] == "<" and other_sign[0] == ">":
        return _between(other_sign, other, sign, value)
    if sign[0] == ">" and other_sign[0] == "<":
        return _between(sign, value, other_sign, other)
    return True


def _between(lower_sign: str, lower: engine.Value, upper_sign: str, upper: engine.Value) -> bool:
    """Whether some value lies above the one and below the other."""
    if isinstance(lower, int) and isinstance(upper, int):
        return lower + (lower_sign == ">") <= upper - (upper_sign == "<")
    strict = lower_sign == ">" or upper_sign == "<"
    return _TESTS["<" if strict else "<="](lower, upper)


def _written(left: engine.Term, sign: str, right: engine.Term) -> str:
    return show(f"{write_term(left)} {sign} {write_term(right)}")
