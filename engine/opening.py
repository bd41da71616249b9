"""The start of an evaluation: given facts admitted, counted and laid out as rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from engine.constraints import hold_constraints
from engine.facts import Fact, admit
from engine.limits import Meter
from engine.model import Model
from engine.program import Program
from engine.rows import Rows
from engine.rule_plans import RulePlan
from engine.solutions import Matchers, World
from engine.terms import Row


@dataclass(frozen=True, slots=True)
class Opening:
    """An evaluation under way."""

    program: Program
    rows: Rows
    facts: dict[tuple[str, Row], Fact]
    meter: Meter
    matchers: Matchers

    def seen_by(self, planned: RulePlan) -> World:
        """The world for a rule, which counts its joins in the rule's name."""
        rule = planned.rule
        count = partial(self.meter.count, "join_rows", relation=rule.head.relation, rule_id=rule.id)
        return World(self.program, self.rows, self.matchers, count)

    def model(self) -> Model:
        """What has been concluded."""
        return Model(self.program, self.rows, self.facts, self.meter.bounds(), self.matchers)


def opened(
    program: Program,
    base: Iterable[Fact],
    request: Iterable[Fact],
    meter: Meter,
    matchers: Matchers,
) -> Opening:
    """An evaluation at its start. Raises `FactRefusedError` and `LimitReachedError`."""
    rows = Rows()
    facts: dict[tuple[str, Row], Fact] = {}
    for limit, given in (("base_facts", list(base)), ("request_facts", list(request))):
        if given:
            meter.count(limit, len(given), given[-1].relation)
        admit(program, given)
        for fact in given:
            key = (fact.relation, fact.values)
            facts[key] = min(facts.get(key, fact), fact, key=lambda f: f.id)
    for relation, values in facts:
        rows.add(relation, values, 0)
    hold_constraints(program, rows)
    return Opening(program, rows, facts, meter, matchers)
