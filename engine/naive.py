"""The definition: what rules mean.

Stratum by stratum, every rule is applied to everything known until nothing new appears (the naive
evaluation of Datalog: Abiteboul, Hull, Vianu, Foundations of Databases, 1995, chapters 12 and 15).
Each row keeps the round of its stratum in which it first appeared. Every faster evaluator must
equal this one, rounds included.
"""

from collections.abc import Iterable, Mapping
from functools import partial

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
        while new := consequences(stratum.rules, rows, meter):
            number += 1
            (relation, _), rule_id = next(iter(new.items()))
            meter.count("rounds", 1, relation, rule_id)
            for relation, row in new:
                rows.add(relation, row, number)
    return Model(program, rows, facts, meter.bounds())


def consequences(rules: Iterable[Rule], rows: Rows, meter: Meter) -> Mapping[tuple[str, Row], str]:
    """The rows that one application of each rule gives and that are not known yet.

    Each once, with the id of the first rule that gives it.
    """
    fresh: dict[tuple[str, Row], str] = {}
    for rule in rules:
        relation = rule.head.relation
        count = partial(meter.count, "join_rows", relation=relation, rule_id=rule.id)
        for binding in substitutions(rule.body, rows, {}, count):
            row = ground(rule.head, binding)
            if (relation, row) not in fresh and rows.round_of(relation, row) is None:
                meter.count("derived_rows", 1, relation, rule.id)
                fresh[relation, row] = rule.id
    return fresh
