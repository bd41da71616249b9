"""Contradictions inside one body that need no facts to be seen."""

import operator
from collections.abc import Callable, Iterator, Mapping
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
"""So many atoms of a relation, or bounds of a variable, are looked at: all pairs are too many."""

_MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def contradiction(rule: syntax.Rule) -> str:
    """Why the body holds for no facts, empty iff no reason is seen."""
    comparisons = [literal for literal in rule.body if isinstance(literal, syntax.Comparison)]
    if not comparisons and not any(isinstance(literal, syntax.Negated) for literal in rule.body):
        return ""
    return next(
        (
            witness
            for find in (_atom_and_negation, _false_comparison, _clash)
            for witness in find(rule, comparisons)
        ),
        "",
    )


def _atom_and_negation(rule: syntax.Rule, _: list[syntax.Comparison]) -> Iterator[str]:
    positive: dict[str, list[syntax.Atom]] = {}
    for literal in rule.body:
        if isinstance(literal, syntax.Atom):
            positive.setdefault(literal.relation.text, []).append(literal)
    for literal in rule.body:
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


def _false_comparison(_: syntax.Rule, comparisons: list[syntax.Comparison]) -> Iterator[str]:
    for comparison in comparisons:
        left, sign, right = comparison.left.value, comparison.operator.text, comparison.right.value
        match left, right:
            case engine.Constant(a), engine.Constant(b):
                false = isinstance(a, str) == isinstance(b, str) and not _TESTS[sign](a, b)
            case engine.Variable(), engine.Variable():
                false = left == right and sign in {"!=", "<", ">"}
            case _:
                false = False
        if false:
            yield f"{_written(left, sign, right)} is false"


def _clash(_: syntax.Rule, comparisons: list[syntax.Comparison]) -> Iterator[str]:
    """Two comparisons of one variable with constants that no value passes both."""
    seen: dict[engine.Variable, list[tuple[str, engine.Value]]] = {}
    for comparison in comparisons:
        left, sign, right = comparison.left.value, comparison.operator.text, comparison.right.value
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
