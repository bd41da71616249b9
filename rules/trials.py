"""Trials: scenarios held against a program."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import engine
from rules.printer import write_literal
from rules.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a scenario: it passed iff nothing failed; `applied` are rules that spoke."""

    name: str
    failures: tuple[str, ...]
    applied: frozenset[str]


def try_scenario(
    program: engine.Program, scenario: Scenario, limits: engine.Limits, matchers: engine.Matchers
) -> Trial:
    """Evaluate a scenario and compare; every difference is one line, in the order expected.

    A fact that does not fit, a limit, a fault, and an unexpected row in an `@[never]` relation are
    failures too.
    """
    odd = tuple(_odd(program, scenario))
    if odd:
        return Trial(scenario.name, odd, frozenset())
    try:
        model = engine.evaluate(program, scenario.facts, [], limits, matchers)
    except (
        engine.FactRefusedError,
        engine.LimitReachedError,
        engine.ArithmeticFaultError,
        engine.MatcherFaultError,
        engine.NoMatcherError,
    ) as cause:
        return Trial(scenario.name, (str(cause),), frozenset())
    failures = (
        *(f"does not hold: {write_literal(a)}" for a in scenario.holds if not _rows(model, a)),
        *(f"holds: {write_literal(a)}" for a in scenario.absent if _rows(model, a)),
        *_surplus(model, scenario),
        *_broken(model, scenario),
    )
    return Trial(scenario.name, failures, engine.applied_rules(model))


def uncovered(program: engine.Program, trials: Iterable[Trial]) -> tuple[str, ...]:
    """The ids of the rules that no trial applied, sorted; rules of `@[never]` do not count."""
    applied = frozenset[str]().union(*(trial.applied for trial in trials))
    return tuple(
        sorted(
            rule.id
            for rule in program.rules
            if rule.id not in applied and not program.relations[rule.head.relation].never
        )
    )


def _odd(program: engine.Program, scenario: Scenario) -> Iterable[str]:
    """Expectations that no program of these relations could meet."""
    for atom in (*scenario.holds, *scenario.absent):
        relation = program.relations.get(atom.relation)
        if relation is None:
            yield f"relation `{atom.relation}` is not declared"
        elif len(relation.columns) != len(atom.terms):
            yield f"`{write_literal(atom)}`: {len(relation.columns)} columns are declared"
    for name in scenario.exactly:
        if name not in program.relations:
            yield f"relation `{name}` is not declared"


def _rows(model: engine.Model, atom: engine.Atom) -> Sequence[engine.Row]:
    """The rows of a model that an atom without variables fits."""
    pattern = tuple(t.value if isinstance(t, engine.Constant) else None for t in atom.terms)
    return tuple(model.rows.matching(atom.relation, pattern))


def _surplus(model: engine.Model, scenario: Scenario) -> Iterable[str]:
    """Rows of relations that are to have just the rows expected."""
    for name in scenario.exactly:
        expected = {
            row for atom in scenario.holds if atom.relation == name for row in _rows(model, atom)
        }
        for row in sorted(model.of(name) - expected, key=engine.order_key):
            terms = tuple(engine.Constant(value) for value in row)
            yield f"holds as well: {write_literal(engine.Atom(name, terms))}"


def _broken(model: engine.Model, scenario: Scenario) -> Iterable[str]:
    """Invariants that the scenario breaks without saying so."""
    expected = {atom.relation for atom in scenario.holds}
    for relation in model.program.relations.values():
        if relation.never and relation.name not in expected and model.of(relation.name):
            yield f"invariant `{relation.name}` is broken"
