"""One step of a derivation, checked by itself against the rules and the steps before it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from engine.arithmetic import ArithmeticFaultError, holds
from engine.derivations import (
    Absence,
    Aggregated,
    Computed,
    Given,
    Inference,
    Step,
    absence_digest,
    aggregated_digest,
    computed_digest,
    given_digest,
    inference_digest,
    row_of,
)
from engine.facts import Fact, admit, admit_row, fact_id
from engine.plans import Test
from engine.program import Program, Rule, atoms_of, variables_of
from engine.rule_plans import RulePlan
from engine.solutions import MatcherFaultError, Matchers, NoMatcherError, ground, pattern_of
from engine.terms import Aggregate, Atom, Comparison, Negated, Value


class RefusedError(Exception):
    """A step or field is false; the message says which and why."""


@dataclass(frozen=True, slots=True)
class StepRules:
    """A program with its rules by id."""

    program: Program
    rules: Mapping[str, Rule]
    matchers: Matchers

    @classmethod
    def of(cls, program: Program, matchers: Matchers) -> "StepRules":
        """The rules of a program by id."""
        return cls(program, {rule.id: rule for rule in program.rules}, matchers)

    def aggregate(self, step: Aggregated) -> Aggregate:
        """The aggregate that a step speaks of; raises `RefusedError` iff there is none."""
        rule = self.rules.get(step.rule_id)
        body = () if rule is None else rule.body
        literal = body[step.position] if 0 <= step.position < len(body) else None
        if not isinstance(literal, Aggregate):
            raise RefusedError(f"step `{step.id}`: there is no such aggregate")
        return literal

    def aggregate_test(self, step: Aggregated) -> Test:
        """The planned test of that aggregate."""
        literal = self.aggregate(step)
        plan = RulePlan.of(self.rules[step.rule_id], self.program).plan
        return next(test for test in plan.tests if test.literal == literal)

    def ranged_relations(self, step: Aggregated) -> Iterator[str]:
        """The relations that the aggregate ranges over."""
        return (atom.relation for atom, _ in atoms_of(self.aggregate(step).body))


def named_premises(step: Step) -> tuple[str, ...]:
    """The ids of the steps that a step stands on."""
    return step.premises if isinstance(step, Inference | Aggregated) else ()


def check_step(step: Step, rules: StepRules, earlier: Mapping[str, Step]) -> None:
    """Check that a step is well formed and follows from earlier ones; raises `RefusedError`.

    What only the given facts can settle (that a fact is among them, that a row is absent, what an
    aggregate comes to) is left to `checker`.
    """
    match step:
        case Given():
            content = (step.relation, step.values, step.source)
            _require(step.id == given_digest(step.fact_id, *content), step, "id")
            _require(step.fact_id == fact_id(*content), step, "fact id")
            admit(rules.program, [Fact(*content, step.fact_id)])
        case Absence():
            _require(step.id == absence_digest(step.relation, step.pattern), step, "id")
            relation = rules.program.relations.get(step.relation)
            fits = relation is not None and len(relation.columns) == len(step.pattern)
            _require(fits, step, "relation")
        case Computed():
            _require(step.id == computed_digest(step.relation, step.values), step, "id")
            _check_computed(step, rules)
        case Aggregated():
            place = (step.rule_id, step.position)
            _require(step.id == aggregated_digest(place, step.claim, step.premises), step, "id")
            _check_aggregated(step, rules, earlier)
        case Inference():
            content_ = (step.relation, step.values, step.binding, step.premises)
            _require(step.id == inference_digest(step.rule_id, *content_), step, "id")
            _check_inference(step, rules, earlier)
        case _:
            assert_never(step)


def _check_computed(step: Computed, rules: StepRules) -> None:
    """The matcher of the relation accepts the row; raises `NoMatcherError` without one."""
    relation = rules.program.relations.get(step.relation)
    if relation is None or relation.computed is None:
        raise RefusedError(f"step `{step.id}`: the relation is not computed")
    admit_row(rules.program, relation, step.values)
    matcher = rules.matchers.get(relation.computed)
    if matcher is None:
        raise NoMatcherError(relation.name, relation.computed)
    try:
        _require(matcher(step.values), step, "match")
    except MatcherFaultError as fault:
        raise RefusedError(f"step `{step.id}`: wrong match: {fault}") from fault


def _check_aggregated(step: Aggregated, rules: StepRules, earlier: Mapping[str, Step]) -> None:
    """The shared variables are bound, and the rows named are of the relations ranged over."""
    ranged = set(rules.ranged_relations(step))
    shared = rules.aggregate_test(step).shared
    _require(tuple(name for name, _ in step.binding) == shared, step, "binding")
    for premise in step.premises:
        behind = earlier.get(premise)
        row = None if behind is None else row_of(behind)
        _require(row is not None and row[0] in ranged, step, "premise")


def _check_inference(step: Inference, rules: StepRules, earlier: Mapping[str, Step]) -> None:
    """The rule exists, its binding is total, its head gives the row, and its body holds."""
    rule = rules.rules.get(step.rule_id)
    if rule is None:
        raise RefusedError(f"step `{step.id}`: there is no rule `{step.rule_id}`")
    binding = dict(step.binding)
    _require(set(binding) == {v.name for v in variables_of(rule)}, step, "binding")
    try:
        conclusion = (rule.head.relation, ground(rule.head, binding))
        _require(conclusion == (step.relation, step.values), step, "conclusion")
        premises = iter(step.premises)
        for position, literal in enumerate(rule.body):
            if isinstance(literal, Comparison):
                _require(holds(literal, binding), step, f"comparison `{literal.operator}`")
                continue
            premise = earlier.get(next(premises, ""))
            fits = premise is not None and _fits((rule, position), literal, premise, binding)
            _require(fits, step, "premise")
        _require(next(premises, None) is None, step, "number of premises")
    except (TypeError, ArithmeticFaultError) as fault:
        raise RefusedError(f"step `{step.id}`: wrong arithmetic: {fault}") from fault


def _fits(
    place: tuple[Rule, int],
    literal: Atom | Negated | Aggregate,
    premise: Step,
    binding: Mapping[str, Value],
) -> bool:
    """Whether a premise is what a literal asks for under a binding."""
    match literal:
        case Negated():
            wanted = (literal.atom.relation, pattern_of(literal.atom, binding))
            return isinstance(premise, Absence) and (premise.relation, premise.pattern) == wanted
        case Aggregate():
            rule, position = place
            return (
                isinstance(premise, Aggregated)
                and (premise.rule_id, premise.position) == (rule.id, position)
                and all(binding.get(name) == value for name, value in premise.binding)
                and binding[literal.result.name] == premise.value
            )
        case Atom():
            row = row_of(premise)
            if row is None or row[0] != literal.relation:
                return False
            pattern = pattern_of(literal, binding)
            return len(pattern) == len(row[1]) and all(
                hole is None or hole == value for hole, value in zip(pattern, row[1], strict=True)
            )


def _require(condition: bool, step: Step, what: str) -> None:
    if not condition:
        raise RefusedError(f"step `{step.id}`: wrong {what}")
