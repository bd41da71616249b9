"""Which rules of a program had something to say in a model."""

from engine.model import Model
from engine.plans import hastened
from engine.rule_plans import RulePlan
from engine.solutions import World, solve


def applied_rules(model: Model) -> frozenset[str]:
    """The ids of the rules whose body holds in some way in the model."""
    program = model.program
    world = World(program, model.rows, model.matchers, _uncounted)
    return frozenset(
        rule.id
        for rule in program.rules
        if next(solve(hastened(RulePlan.of(rule, program).plan), world, {}), None) is not None
    )


def _uncounted(_amount: int) -> None:
    """Looking back at a model has no limits of its own."""
