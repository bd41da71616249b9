"""The meaning of rules written a second time, in the most obvious way, without any index.

It shares nothing with the engine but the types of values: components are found by reachability,
bodies by trying every row, the canonical application by sorting all of them.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from engine import (
    Atom,
    Comparison,
    Constant,
    Fact,
    Literal,
    Negated,
    Program,
    Row,
    Rule,
    Term,
    Value,
    Variable,
)

Ground = tuple[str, Row]
Rounds = dict[Ground, int]
Binding = dict[str, Value]
Application = tuple[Rule, Binding, tuple[Ground, ...]]
Order = list[tuple[bool, int, bytes]]

SIGNS: Mapping[str, Callable[[str | int, str | int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def rounds_of(program: Program, facts: Sequence[Fact]) -> Rounds:
    """Every row of the model with the round of its component in which it first appears."""
    rounds: Rounds = {(fact.relation, fact.values): 0 for fact in facts}
    for component in components(program):
        rules = [rule for rule in program.rules if rule.head.relation in component]
        number = 1
        while True:
            new = {
                (rule.head.relation, instance(rule.head, binding))
                for rule in rules
                for binding, _ in solutions(rule.body, rounds)
            } - set(rounds)
            if not new:
                break
            rounds.update(dict.fromkeys(new, number))
            number += 1
    return rounds


def components(program: Program) -> list[frozenset[str]]:
    """Sets of derived relations that need one another, each after those that it needs."""
    needs: dict[str, set[str]] = {rule.head.relation: set() for rule in program.rules}
    for rule in program.rules:
        needs[rule.head.relation] |= {relation_of(x) for x in rule.body} & set(needs)
    for middle, onward in needs.items():
        for reached in needs.values():
            reached.update(onward if middle in reached else ())
    found: list[frozenset[str]] = []
    open_ = set(needs)
    while open_:
        first = min(name for name in open_ if all(name in needs[n] for n in needs[name] & open_))
        mutual = frozenset({first} | {n for n in needs[first] if first in needs[n]})
        found.append(mutual)
        open_ -= mutual
    return found


def relation_of(literal: Literal) -> str:
    match literal:
        case Atom():
            return literal.relation
        case Negated():
            return literal.atom.relation
        case Comparison():
            return ""


def solutions(
    body: Sequence[Literal], rows: Mapping[Ground, int], start: Binding | None = None
) -> Iterator[tuple[Binding, tuple[Ground, ...]]]:
    """Every binding under which a body holds, with the rows that its positive atoms are."""
    atoms = [literal for literal in body if isinstance(literal, Atom)]
    partial: list[tuple[Binding, tuple[Ground, ...]]] = [(dict(start or {}), ())]
    for atom in atoms:
        partial = [
            (extended, (*premises, ground))
            for binding, premises in partial
            for ground in rows
            if (extended := unify(atom, ground, binding)) is not None
        ]
    for binding, premises in partial:
        if all(true_under(x, rows, binding) for x in body if not isinstance(x, Atom)):
            yield binding, premises


def true_under(test: Negated | Comparison, rows: Mapping[Ground, int], binding: Binding) -> bool:
    if isinstance(test, Comparison):
        return SIGNS[test.operator](value(test.left, binding), value(test.right, binding))
    return all(unify(test.atom, ground, binding) is None for ground in rows)


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


def value(term: Term, binding: Binding) -> Value:
    if isinstance(term, Constant):
        return term.value
    assert isinstance(term, Variable)
    return binding[term.name]


def instance(atom: Atom, binding: Binding) -> Row:
    return tuple(value(term, binding) for term in atom.terms)


def canonical(program: Program, rounds: Rounds, goal: Ground) -> Application:
    """The application that a proof must use: by rule id, then binding, then rows for `_`."""
    component = next(c for c in components(program) if goal[0] in c)
    earlier = {
        ground: number
        for ground, number in rounds.items()
        if ground[0] not in component or number < rounds[goal]
    }
    found: list[tuple[tuple[str, Order, list[Order]], Application]] = []
    for rule in program.rules:
        start = unify(rule.head, goal, {})
        if start is None:
            continue
        for binding, premises in solutions(rule.body, earlier, start):
            named = [binding[name] for name in names_of(rule)]
            rows = [[in_term_order(v) for v in row] for _, row in premises]
            key = (rule.id, [in_term_order(v) for v in named], rows)
            found.append((key, (rule, binding, premises)))
    return min(found, key=lambda item: item[0])[1]


def names_of(rule: Rule) -> list[str]:
    """The variables of a rule from left to right, head first, each once."""
    found: list[str] = []
    for literal in (rule.head, *rule.body):
        match literal:
            case Atom():
                terms = literal.terms
            case Negated():
                terms = literal.atom.terms
            case Comparison():
                terms = (literal.left, literal.right)
        for term in terms:
            if isinstance(term, Variable) and term.name not in found:
                found.append(term.name)
    return found


def in_term_order(found: Value) -> tuple[bool, int, bytes]:
    """Numbers before symbols; numbers by value, symbols by their bytes."""
    return (False, found, b"") if isinstance(found, int) else (True, 0, found.encode())
