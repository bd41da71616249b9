"""The definition: what rules mean.

Stratum by stratum, every rule is applied to everything known until nothing new appears (the naive
evaluation of Datalog: Abiteboul, Hull, Vianu, Foundations of Databases, 1995, chapters 12 and 15).
Each row keeps the round of its stratum in which it first appeared. Every faster evaluator must
equal this one, rounds included.
"""

from collections.abc import Iterable

from engine.facts import Fact, admit
from engine.joins import ground, substitutions
from engine.limits import Limits, Meter
from engine.model import Model
from engine.program import Program, Rule
from engine.rows import Rows
from engine.strata import stratify
from engine.terms import Row


def evaluate(
    program: Program, base: Iterable[Fact], request: Iterable[Fact], limits: Limits
) -> Model:
    """The model of the program over base and request facts.

    Raises `FactRefusedError`, `UnstratifiedError`, or `LimitReachedError` naming limit, relation
    and rule.
    """
    rows, meter = Rows(), Meter(limits)
    facts: dict[tuple[str, Row], Fact] = {}
    for limit, given in (("base_facts", list(base)), ("request_facts", list(request))):
        if given:
            meter.count(limit, len(given), given[-1].relation)
        admit(program, given)
        for fact in given:
            rows.add(fact.relation, fact.values, 0)
            key = (fact.relation, fact.values)
            facts[key] = min(facts.get(key, fact), fact, key=lambda f: f.id)
    for stratum in stratify(program.rules):
        number = 0
        while new := [pair for rule in stratum.rules for pair in consequences(rule, rows, meter)]:
            number += 1
            meter.count("rounds", 1, new[0][0])
            for relation, row in new:
                rows.add(relation, row, number)
    return Model(program, rows, facts, meter.bounds())


def consequences(rule: Rule, rows: Rows, meter: Meter) -> list[tuple[str, Row]]:
    """The rows that one application of a rule gives and that are not known yet."""
    relation = rule.head.relation

    def count(amount: int) -> None:
        meter.count("join_rows", amount, relation, rule.id)

    fresh: dict[Row, None] = {}
    for binding in substitutions(rule.body, rows, {}, count):
        row = ground(rule.head, binding)
        if row not in fresh and rows.round_of(relation, row) is None:
            meter.count("derived_rows", 1, relation, rule.id)
            fresh[row] = None
    return [(relation, row) for row in fresh]
