"""Bodies of rules, solved a second time in the most obvious way: every row is tried for every atom.

It shares nothing with the engine but the types of values. A number outside 64 bits and a division
by zero raise `FaultError`.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from engine import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Literal,
    Negated,
    Row,
    Rule,
    Term,
    Value,
    Variable,
)

Ground = tuple[str, Row]
Binding = dict[str, Value]
Solution = tuple[Binding, tuple[Ground, ...]]

SIGNS: Mapping[str, Callable[[str | int, str | int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class FaultError(Exception):
    """Arithmetic has no value; the argument is the id of the rule once it is known."""


def solutions(
    body: Sequence[Literal],
    rows: Mapping[Ground, int],
    start: Binding | None = None,
    rule_names: frozenset[str] = frozenset(),
) -> Iterator[Solution]:
    """Every binding under which a body holds, with the rows that its positive atoms are.

    All positive atoms first; then the others, each time the first one whose variables are bound.
    """
    partial: list[Solution] = [(dict(start or {}), ())]
    for atom in (literal for literal in body if isinstance(literal, Atom)):
        partial = [
            (extended, (*premises, ground))
            for binding, premises in partial
            for ground in rows
            if (extended := unify(atom, ground, binding)) is not None
        ]
    for binding, premises in partial:
        full = _passed(_tests(body, premises), rows, binding, rule_names)
        if full is not None:
            yield full, premises


def _tests(body: Sequence[Literal], premises: Sequence[Ground]) -> list[Literal]:
    """What is left to be tried once each atom is a row: arithmetic in atoms is an equality."""
    found: list[Literal] = []
    behind = iter(premises)
    for literal in body:
        if isinstance(literal, Atom):
            _, row = next(behind)
            found += [
                Comparison("=", Constant(value_there), term)
                for term, value_there in zip(literal.terms, row, strict=True)
                if isinstance(term, Arithmetic)
            ]
        else:
            found.append(literal)
    return found


def _passed(
    tests: list[Literal], rows: Mapping[Ground, int], start: Binding, rule_names: frozenset[str]
) -> Binding | None:
    binding = dict(start)
    while tests:
        ready = next(test for test in tests if is_ready(test, binding, rule_names))
        tests.remove(ready)
        result = tried(ready, rows, binding, rule_names)
        if result is None:
            return None
        binding = result
    return binding


def is_ready(test: Literal, binding: Binding, rule_names: frozenset[str]) -> bool:
    match test:
        case Aggregate():
            return shared_names(test, rule_names) <= set(binding)
        case Comparison(operator="="):
            left, right = names_in(test.left), names_in(test.right)
            return (left <= set(binding) and (right <= set(binding) or is_name(test.right))) or (
                right <= set(binding) and is_name(test.left)
            )
        case Comparison():
            return names_in(test.left) | names_in(test.right) <= set(binding)
        case Atom() | Negated():
            atom = test.atom if isinstance(test, Negated) else test
            return all(names_in(term) <= set(binding) for term in atom.terms)


def tried(
    test: Literal, rows: Mapping[Ground, int], binding: Binding, rule_names: frozenset[str]
) -> Binding | None:
    """The binding if a test is true, with what the test itself binds."""
    match test:
        case Comparison(operator="=", left=Variable(name)) if name not in binding:
            return {**binding, name: value(test.right, binding)}
        case Comparison(operator="=", right=Variable(name)) if name not in binding:
            return {**binding, name: value(test.left, binding)}
        case Comparison():
            left, right = value(test.left, binding), value(test.right, binding)
            return binding if SIGNS[test.operator](left, right) else None
        case Negated():
            wanted = [hole(term, binding) for term in test.atom.terms]
            fits = any(
                relation == test.atom.relation
                and all(w in (None, v) for w, v in zip(wanted, row, strict=True))
                for relation, row in rows
            )
            return None if fits else binding
        case Aggregate():
            found = total(test, rows, binding, rule_names)
            if found is None or binding.get(test.result.name, found) != found:
                return None
            return {**binding, test.result.name: found}
        case Atom():
            raise AssertionError(test.relation)


def behind(
    test: Aggregate, rows: Mapping[Ground, int], binding: Binding, rule_names: frozenset[str]
) -> list[Solution]:
    """The solutions that an aggregate ranges over."""
    shared = shared_names(test, rule_names)
    start = {name: found for name, found in binding.items() if name in shared}
    return list(solutions(test.body, rows, start, rule_names))


def total(
    test: Aggregate, rows: Mapping[Ground, int], binding: Binding, rule_names: frozenset[str]
) -> int | None:
    found = behind(test, rows, binding, rule_names)
    if test.target is None:
        return len(found)
    numbers = [int(value(test.target, inner)) for inner, _ in found]
    if test.function == "sum":
        return bounded(sum(numbers))
    if not numbers:
        return None
    return sorted(numbers)[0 if test.function == "min" else -1]


def unify(atom: Atom, ground: Ground, binding: Binding) -> Binding | None:
    """The binding under which an atom is a row, as far as it must be extended."""
    relation, row = ground
    if relation != atom.relation:
        return None
    extended = dict(binding)
    for term, found in zip(atom.terms, row, strict=True):
        if isinstance(term, Constant):
            wanted: Value = term.value
        elif isinstance(term, Variable):
            wanted = extended.setdefault(term.name, found)
        else:
            continue
        if wanted != found:
            return None
    return extended


def hole(term: Term, binding: Binding) -> Value | None:
    return value(term, binding) if isinstance(term, Variable | Constant | Arithmetic) else None


def value(term: Term, binding: Binding) -> Value:
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, Arithmetic):
        left, right = value(term.left, binding), value(term.right, binding)
        if isinstance(left, str) or isinstance(right, str):
            raise TypeError(term.operator)
        return bounded(_combined(term.operator, left, right))
    assert isinstance(term, Variable)
    return binding[term.name]


def _combined(sign: str, left: int, right: int) -> int:
    if sign in "+-*":
        return {"+": left + right, "-": left - right, "*": left * right}[sign]
    if right == 0:
        raise FaultError
    whole, rest = divmod(abs(left), abs(right))
    if sign == "%":
        return rest if left >= 0 else -rest
    return whole if (left < 0) == (right < 0) else -whole


def bounded(number: int) -> int:
    if not -(2**63) <= number < 2**63:
        raise FaultError
    return number


def instance(atom: Atom, binding: Binding) -> Row:
    return tuple(value(term, binding) for term in atom.terms)


def is_name(term: Term) -> bool:
    return isinstance(term, Variable)


def names_in(term: Term) -> set[str]:
    return set(_names(term))


def _names(term: Term) -> list[str]:
    if isinstance(term, Arithmetic):
        return [*_names(term.left), *_names(term.right)]
    return [term.name] if isinstance(term, Variable) else []


def terms(literal: Literal) -> tuple[Term, ...]:
    match literal:
        case Atom():
            return literal.terms
        case Negated():
            return literal.atom.terms
        case Comparison():
            return (literal.left, literal.right)
        case Aggregate():
            return (literal.result,)


def names_of(rule: Rule) -> list[str]:
    """The variables of a rule from left to right, head first, each once; no local ones."""
    literals = (rule.head, *rule.body)
    return list(dict.fromkeys(n for x in literals for term in terms(x) for n in _names(term)))


def shared_names(test: Aggregate, rule_names: frozenset[str]) -> frozenset[str]:
    inside = {n for x in test.body for term in terms(x) for n in _names(term)}
    inside |= set() if test.target is None else names_in(test.target)
    return frozenset(inside & rule_names)
