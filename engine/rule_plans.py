"""Rules with their plans."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from engine.arithmetic import ArithmeticFaultError
from engine.plans import Plan, plan_of
from engine.program import Program, Rule


@dataclass(frozen=True, slots=True)
class RulePlan:
    """A rule with the plan of its body as the definition has it."""

    rule: Rule
    plan: Plan

    @classmethod
    def of(cls, rule: Rule, program: Program) -> "RulePlan":
        """The planned rule; raises `UnsafeBodyError`."""
        return cls(rule, plan_of(rule, program))

    @contextmanager
    def blamed(self) -> Generator[None]:
        """Put the rule's id into a fault of its arithmetic."""
        try:
            yield
        except ArithmeticFaultError as fault:
            if fault.rule_id is not None:
                raise
            raise ArithmeticFaultError(fault.problem, self.rule.id) from fault
