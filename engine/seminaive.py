"""Semi-naive evaluation: equal to the definition, but no join is made twice.

In each round after the first, a rule of a recursive stratum is applied once for each of its atoms
that can have new rows. That atom takes the rows of the last round only, atoms before it take older
rows, atoms behind it all rows (I. Balbin, K. Ramamohanarao, A generalization of the differential
approach to recursive query evaluation, 1987). Scans are ordered greedily; see `plans.hastened`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.facts import Fact
from engine.limits import Limits, Meter
from engine.model import Model
from engine.opening import Opening, opened
from engine.plans import Plan, Scan, hastened
from engine.program import Program
from engine.rows import Rows
from engine.rule_plans import RulePlan
from engine.solutions import Matchers, Select, ground, solve
from engine.strata import Stratum, stratify
from engine.terms import Pattern, Row


@dataclass(frozen=True, slots=True)
class _Variant:
    """A rule whose scan at position `delta` takes new rows only; None takes all rows everywhere."""

    planned: RulePlan
    plan: Plan
    delta: int | None


def evaluate(
    program: Program,
    base: Iterable[Fact],
    request: Iterable[Fact],
    limits: Limits,
    matchers: Matchers | None = None,
    *,
    expired: Callable[[], bool] | None = None,
) -> Model:
    """The model of the program over base and request facts; raises what the definition raises.

    `expired` is asked now and then whether the time is up, which is a limit too.
    """
    meter = Meter(limits) if expired is None else Meter(limits, expired)
    world = opened(program, base, request, meter, matchers or {})
    for stratum in stratify(program.rules):
        planned = [RulePlan.of(rule, program) for rule in stratum.rules]
        variants = [_Variant(p, hastened(p.plan), None) for p in planned]
        number, new = 0, Rows()
        while fresh := _consequences(variants, world, new, stratum, number):
            number += 1
            (relation, _), rule_id = next(iter(fresh.items()))
            world.meter.count("rounds", 1, relation, rule_id)
            new = Rows()
            for relation, row in fresh:
                world.rows.add(relation, row, number)
                new.add(relation, row, number)
            if number == 1:
                variants = [v for p in planned for v in _deltas(p, stratum)]
    return world.model()


def _deltas(planned: RulePlan, stratum: Stratum) -> list[_Variant]:
    """A variant of a rule for each of its atoms over the stratum itself."""
    return [
        _Variant(planned, hastened(planned.plan, first=scan.position), scan.position)
        for scan in planned.plan.scans
        if scan.atom.relation in stratum.relations
    ]


def _consequences(
    variants: Sequence[_Variant], world: Opening, new: Rows, stratum: Stratum, number: int
) -> Mapping[tuple[str, Row], str]:
    """The rows that are not known yet, each once, with the id of the first rule that gives it."""
    fresh: dict[tuple[str, Row], str] = {}
    for variant in variants:
        rule = variant.planned.rule
        relation = rule.head.relation
        select = _selection(variant, world, new, stratum, number)
        with variant.planned.blamed():
            seen = world.seen_by(variant.planned)
            for solution in solve(variant.plan, seen, {}, select):
                row = ground(rule.head, solution.binding)
                if (relation, row) not in fresh and world.rows.round_of(relation, row) is None:
                    world.meter.count("derived_rows", 1, relation, rule.id)
                    fresh[relation, row] = rule.id
    return fresh


def _selection(
    variant: _Variant, world: Opening, new: Rows, stratum: Stratum, number: int
) -> Select | None:
    """Which rows each scan of a variant takes; None takes all everywhere."""
    delta = variant.delta
    if delta is None:
        return None

    def select(scan: Scan, pattern: Pattern) -> Collection[Row]:
        relation = scan.atom.relation
        if scan.position == delta:
            return new.matching(relation, pattern)
        found = world.rows.matching(relation, pattern)
        if scan.position > delta or relation not in stratum.relations:
            return found
        return [row for row in found if world.rows.round_of(relation, row) != number]

    return select
