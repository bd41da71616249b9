"""The definition: what rules mean.

Stratum by stratum, every rule is applied to everything known until nothing new appears (the naive
evaluation of Datalog: Abiteboul, Hull, Vianu, Foundations of Databases, 1995, chapters 12 and 15).
Each row keeps the round of its stratum in which it first appeared. Every faster evaluator must
equal this one, rounds and faults included.
"""

from collections.abc import Iterable, Mapping

from engine.facts import Fact
from engine.limits import Limits, Meter
from engine.model import Model
from engine.opening import Opening, opened
from engine.program import Program
from engine.rule_plans import RulePlan
from engine.solutions import Matchers, ground, solve
from engine.strata import stratify
from engine.terms import Row


def evaluate_by_definition(
    program: Program,
    base: Iterable[Fact],
    request: Iterable[Fact],
    limits: Limits,
    matchers: Matchers | None = None,
) -> Model:
    """The model of the program over base and request facts.

    Raises `FactRefusedError`, `UnstratifiedError`, `UnsafeBodyError`, `NoMatcherError`,
    `ArithmeticFaultError`, or `LimitReachedError` naming limit, relation and rule.
    """
    world = opened(program, base, request, Meter(limits), matchers or {})
    for stratum in stratify(program.rules):
        rules = [RulePlan.of(rule, program) for rule in stratum.rules]
        number = 0
        while new := consequences(rules, world):
            number += 1
            (relation, _), rule_id = next(iter(new.items()))
            world.meter.count("rounds", 1, relation, rule_id)
            for relation, row in new:
                world.rows.add(relation, row, number)
    return world.model()


def consequences(rules: Iterable[RulePlan], world: Opening) -> Mapping[tuple[str, Row], str]:
    """The rows that one application of each rule gives and that are not known yet.

    Each once, with the id of the first rule that gives it.
    """
    fresh: dict[tuple[str, Row], str] = {}
    for rule in rules:
        relation = rule.rule.head.relation
        with rule.blamed():
            for solution in solve(rule.plan, world.seen_by(rule), {}):
                row = ground(rule.rule.head, solution.binding)
                if (relation, row) not in fresh and world.rows.round_of(relation, row) is None:
                    world.meter.count("derived_rows", 1, relation, rule.rule.id)
                    fresh[relation, row] = rule.rule.id
    return fresh
