"""The semi-naive evaluator equals the definition, and both a simulation written by hand."""

from collections import Counter

from engine_bodies import FaultError
from engine_models import Case, all_rows
from engine_programs import MODEST, cases
from engine_reference import Rounds, conclusions, rounds_of
from engine_rich_programs import WIDE, rich_cases
from hypothesis import assume, given, settings

from engine import (
    Aggregate,
    Arithmetic,
    ArithmeticFaultError,
    Atom,
    Comparison,
    LimitReachedError,
    Limits,
    Model,
    Negated,
    applied_rules,
    evaluate,
    evaluate_by_definition,
    terms_of,
)

FEW = Limits(join_rows=4_000, rounds=60)
AMPLE = Limits(join_rows=10**7, rounds=10**5)
Answer = tuple[str, Rounds]


def rounds_in(model: Model) -> Rounds:
    return {ground: model.rows.round_of(*ground) or 0 for ground in all_rows(model)}


def by_definition(case: Case, limits: Limits = FEW) -> Answer:
    """Rounds, or the rule whose arithmetic fails; a case that costs too much is set aside."""
    try:
        return "", rounds_in(evaluate_by_definition(case.program, case.facts, [], limits))
    except ArithmeticFaultError as fault:
        return fault.rule_id or "?", {}
    except LimitReachedError:
        assume(False)
        raise


def semi_naively(case: Case) -> Answer:
    try:
        return "", rounds_in(evaluate(case.program, case.facts, [], AMPLE))
    except ArithmeticFaultError as fault:
        return fault.rule_id or "?", {}


def by_hand(case: Case) -> Answer:
    try:
        return "", rounds_of(case.program, case.facts)
    except FaultError as fault:
        return str(fault), {}


@settings(max_examples=500, deadline=None)
@given(rich_cases())
def test_with_arithmetic_and_aggregates_the_evaluators_agree_in_rows_rounds_and_faults(
    case: Case,
) -> None:
    assert semi_naively(case) == by_definition(case)


@settings(max_examples=250, deadline=None)
@given(rich_cases())
def test_the_definition_equals_a_simulation_by_hand_in_rows_rounds_and_faults(case: Case) -> None:
    assert by_definition(case) == by_hand(case)


@settings(max_examples=400, deadline=None)
@given(cases())
def test_without_arithmetic_the_evaluators_agree_in_rows_and_rounds(case: Case) -> None:
    assert semi_naively(case) == by_definition(case, MODEST)


@settings(max_examples=150, deadline=None)
@given(rich_cases(is_wild=False))
def test_a_rule_is_applied_iff_leaving_out_its_head_still_leaves_its_body_with_a_solution(
    case: Case,
) -> None:
    by_definition(case)
    model = evaluate(case.program, case.facts, [], AMPLE)
    applied = {
        rule.id
        for rule in case.program.rules
        if any(True for _ in conclusions(rule, rounds_in(model)))
    }
    assert applied_rules(model) == applied


def features(case: Case) -> set[str]:
    rule_id, rounds = by_definition(case)
    found = {"fault" if rule_id else "model"}
    found |= {f"round {number}" for number in rounds.values()}
    found |= {f"arity {len(row)}" for _, row in rounds}
    for rule in case.program.rules:
        for term in rule.head.terms:
            found |= {"arithmetic in a head"} if isinstance(term, Arithmetic) else set()
        for literal in rule.body:
            name = type(literal).__name__
            if any(isinstance(term, Arithmetic) for term in terms_of(literal)):
                found.add(f"arithmetic in {name}")
            if isinstance(literal, Aggregate):
                inner = {type(x).__name__ for x in literal.body}
                found |= {literal.function, *(f"{kind} in an aggregate" for kind in inner)}
                found |= {"aggregate of nothing"} if not literal.body else set()
                atoms = [x for x in literal.body if isinstance(x, Atom)]
                found |= {"join in an aggregate"} if len(atoms) > 1 else set()
                if isinstance(literal.target, Arithmetic):
                    found.add("arithmetic target")
    return found


def test_the_generator_reaches_what_an_evaluator_could_get_wrong() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=200, deadline=None, derandomize=True, database=None)
    @given(rich_cases())
    def collect(case: Case) -> None:
        seen.update(features(case))

    collect()
    wanted = {
        *("fault", "model", "round 1", "round 2", "round 3", "arithmetic in a head"),
        *(f"arithmetic in {kind.__name__}" for kind in (Atom, Negated, Comparison)),
        *("count", "sum", "min", "max", "join in an aggregate", "arithmetic target"),
        *(f"{kind.__name__} in an aggregate" for kind in (Atom, Negated, Comparison)),
        *("aggregate of nothing", f"arity {WIDE}"),
    }
    assert {name: seen[name] for name in wanted if seen[name] < 3} == {}
