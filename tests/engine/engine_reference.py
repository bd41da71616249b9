"""The meaning of rules written a second time, in the most obvious way, without any index.

It shares nothing with the engine but the types of values: components are found by reachability,
bodies by trying every row (`engine_bodies`), the canonical application by sorting all of them.
"""

from collections.abc import Sequence

from engine_bodies import Binding, FaultError, Ground, instance, names_of, solutions, terms, unify

from engine import (
    Aggregate,
    Atom,
    Comparison,
    Fact,
    Literal,
    Negated,
    Program,
    Rule,
    Value,
    Variable,
)

Rounds = dict[Ground, int]
Application = tuple[Rule, Binding, tuple[Ground, ...]]
Order = list[tuple[bool, int, bytes]]


def rounds_of(program: Program, facts: Sequence[Fact]) -> Rounds:
    """Every row of the model with the round of its component in which it first appears.

    Raises `FaultError` with the id of the first rule whose arithmetic fails.
    """
    rounds: Rounds = {(fact.relation, fact.values): 0 for fact in facts}
    for component in components(program):
        rules = [rule for rule in program.rules if rule.head.relation in component]
        rules.sort(key=lambda rule: rule.id)
        number = 1
        while True:
            new = {row for rule in rules for row in conclusions(rule, rounds)} - set(rounds)
            if not new:
                break
            rounds.update(dict.fromkeys(new, number))
            number += 1
    return rounds


def conclusions(rule: Rule, rows: Rounds) -> list[Ground]:
    """What a rule gives from some rows."""
    try:
        return [
            (rule.head.relation, instance(rule.head, binding))
            for binding, _ in solutions(rule.body, rows, {}, frozenset(names_of(rule)))
        ]
    except FaultError:
        raise FaultError(rule.id) from None


def components(program: Program) -> list[frozenset[str]]:
    """Sets of derived relations that need one another, each after those that it needs."""
    needs: dict[str, set[str]] = {rule.head.relation: set() for rule in program.rules}
    for rule in program.rules:
        needs[rule.head.relation] |= {n for x in rule.body for n in relations_of(x)} & set(needs)
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


def relations_of(literal: Literal) -> set[str]:
    match literal:
        case Atom():
            return {literal.relation}
        case Negated():
            return {literal.atom.relation}
        case Comparison():
            return set()
        case Aggregate():
            return {name for inner in literal.body for name in relations_of(inner)}


def canonical(program: Program, rounds: Rounds, goal: Ground) -> Application:
    """The application that a proof must use: by rule id, then binding, then rows for `_`.

    Variables that no atom holds follow from the others and take no part in the order.
    """
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
        names = names_of(rule)
        scanned = {
            term.name
            for x in rule.body
            if isinstance(x, Atom)
            for term in terms(x)
            if isinstance(term, Variable)
        }
        for binding, premises in solutions(rule.body, earlier, start, frozenset(names)):
            if instance(rule.head, binding) != goal[1]:
                continue
            named = [in_term_order(binding[name]) for name in names if name in scanned]
            rows = [[in_term_order(v) for v in row] for _, row in premises]
            found.append(((rule.id, named, rows), (rule, binding, premises)))
    return min(found, key=lambda item: item[0])[1]


def in_term_order(found: Value) -> tuple[bool, int, bytes]:
    """Numbers before symbols; numbers by value, symbols by their bytes."""
    return (False, found, b"") if isinstance(found, int) else (True, 0, found.encode())
