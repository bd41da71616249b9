"""What stands behind the value of an aggregate: the solutions that it ranges over."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.derivations import Aggregated, Claim
from engine.digests import Content, digest
from engine.model import Model
from engine.plans import Plan, Test
from engine.rule_plans import RulePlan
from engine.solutions import Solution, World, aggregate_value, contributions
from engine.terms import Row, Value, order_key

FEW: Final = 32
"""Up to so many different rows, a derivation names each row behind an aggregate."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """A claim, and the different rows behind it in order of relation and values."""

    claim: Claim
    rows: tuple[tuple[str, Row], ...]

    @property
    def is_few(self) -> bool:
        """Whether a derivation names the rows one by one."""
        return len(self.rows) <= FEW


def contribution(test: Test, world: World, binding: Mapping[str, Value]) -> Contribution | None:
    """What an aggregate ranges over under a binding; None iff it has no value there."""
    value = aggregate_value(test, world, binding)
    if value is None or test.inner is None:
        return None
    found = [_named(test.inner, s) for s in contributions(test, world, binding)]
    shared = tuple((name, binding[name]) for name in test.shared)
    claim = Claim(shared, value, len(found), _digest(found))
    rows = {pair for solution in found for pair in solution}
    return Contribution(claim, tuple(sorted(rows, key=lambda pair: (pair[0], order_key(pair[1])))))


def _named(plan: Plan, solution: Solution) -> tuple[tuple[str, Row], ...]:
    """The rows of a solution with their relations, in the order of the body."""
    return tuple(
        (scan.atom.relation, row) for scan, row in zip(plan.scans, solution.rows, strict=True)
    )


def _digest(found: Iterable[tuple[tuple[str, Row], ...]]) -> str:
    """A digest of solutions, whatever order they were found in."""
    each = sorted(digest([[relation, row] for relation, row in solution]) for solution in found)
    content: list[Content] = list(each)
    return digest(["contributions", content])


def expand(model: Model, step: Aggregated) -> tuple[tuple[str, Row], ...]:
    """The different rows behind an aggregate step, however many, in order of relation and values.

    Raises `KeyError` for a step that is not of this model's rules.
    """
    rules = {rule.id: rule for rule in model.program.rules}
    plan = RulePlan.of(rules[step.rule_id], model.program).plan
    literals = dict(enumerate(rules[step.rule_id].body))
    test = {test.literal: test for test in plan.tests}[literals[step.position]]
    world = World(model.program, model.rows, model.matchers, _uncounted)
    found = contribution(test, world, dict(step.binding))
    if found is None:
        raise KeyError(step.rule_id)
    return found.rows


def _uncounted(_amount: int) -> None:
    """Explaining has no limits of its own."""
