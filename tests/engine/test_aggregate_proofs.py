"""Proofs with aggregates, computed relations and arithmetic: they check, and rest on every row."""

import json
from random import Random

import pytest
from engine_bodies import FaultError, names_of
from engine_models import VERSION, Case, all_rows, derived_rows, named
from engine_notation import case, with_computed
from engine_reference import canonical, rounds_of
from engine_repair import Forged, repair
from engine_rich_programs import rich_cases
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import (
    Aggregate,
    Aggregated,
    ArithmeticFaultError,
    Derivation,
    Fact,
    LimitReachedError,
    Limits,
    Model,
    Program,
    Row,
    Status,
    Verdict,
    certificate,
    check,
    evaluate,
    evaluate_by_definition,
    expand,
    prove,
    set_digest,
)
from engine.derivations import Computed, Inference

SMALL = Limits(join_rows=2_000, rounds=60)
ROOMY = Limits(join_rows=10**7)
MOST_ROWS = 12


def model_of(case: Case) -> Model:
    """The model of a case; one without a model, or a costly one, is set aside."""
    try:
        return evaluate(case.program, case.facts, [], SMALL)
    except (ArithmeticFaultError, LimitReachedError):
        assume(False)
        raise


def verdict_with(derivation: Derivation, case: Case, facts: tuple[Fact, ...]) -> Verdict:
    written = certificate(derivation, VERSION, [set_digest(facts)], {})
    return check(json.loads(json.dumps(written)), case.program, VERSION, named(facts), ROOMY)


@settings(max_examples=200, deadline=None)
@given(rich_cases())
def test_every_row_has_a_proof_that_is_verified_with_the_facts_and_unchecked_without(
    case: Case,
) -> None:
    model = model_of(case)
    for ground in all_rows(model)[-MOST_ROWS:]:
        derivation = prove(model, *ground)
        verdict = verdict_with(derivation, case, case.facts)
        assert verdict.status is Status.VERIFIED, verdict.reason
        written = certificate(derivation, VERSION, [set_digest(case.facts)], {})
        for at_hand in (None, named()):
            verdict = check(written, case.program, VERSION, at_hand, ROOMY)
            assert verdict.status is Status.UNCHECKED


@settings(max_examples=150, deadline=None)
@given(rich_cases())
def test_without_any_one_input_fact_the_certificate_is_not_verified(case: Case) -> None:
    model = model_of(case)
    for ground in derived_rows(model)[-MOST_ROWS:]:
        derivation = prove(model, *ground)
        for lost in derivation.input_fact_ids:
            rest = tuple(fact for fact in case.facts if fact.id != lost)
            assert verdict_with(derivation, case, rest).status is Status.REFUSED


@settings(max_examples=150, deadline=None)
@given(rich_cases())
def test_every_rule_step_is_the_least_application_from_earlier_rounds(case: Case) -> None:
    model = model_of(case)
    rounds = rounds_of(case.program, case.facts)
    for ground in derived_rows(model)[-MOST_ROWS:]:
        step = prove(model, *ground).steps[-1]
        assert isinstance(step, Inference)
        try:
            rule, binding, _ = canonical(case.program, rounds, ground)
        except FaultError:
            continue  # the reference tries rules that give other rows, under bindings of their own
        wanted = {name: binding[name] for name in names_of(rule)}
        assert (step.rule_id, dict(step.binding)) == (rule.id, wanted)


@settings(max_examples=100, deadline=None)
@given(rich_cases(), st.randoms(use_true_random=True))
def test_the_order_of_rules_and_facts_and_the_evaluator_change_no_proof(
    case: Case, random: Random
) -> None:
    model = model_of(case)
    rules, facts = list(case.program.rules), list(case.facts)
    random.shuffle(rules)
    random.shuffle(facts)
    cut = random.randint(0, len(facts))
    program = Program({}, case.program.relations, tuple(rules))
    others = (
        evaluate(program, facts[:cut], facts[cut:], ROOMY),
        evaluate_by_definition(program, facts[cut:], facts[:cut], ROOMY),
    )
    for ground in all_rows(model)[-MOST_ROWS:]:
        for other in others:
            assert prove(other, *ground) == prove(model, *ground)


def aggregates_in(derivation: Derivation) -> list[Aggregated]:
    return [step for step in derivation.steps if isinstance(step, Aggregated)]


@settings(max_examples=150, deadline=None)
@given(rich_cases())
def test_an_aggregate_step_names_the_rows_that_expand_lists(case: Case) -> None:
    model = model_of(case)
    rules = {rule.id: rule for rule in case.program.rules}
    for ground in derived_rows(model)[-MOST_ROWS:]:
        derivation = prove(model, *ground)
        steps = {step.id: step for step in derivation.steps}
        for found in aggregates_in(derivation):
            assert isinstance(rules[found.rule_id].body[found.position], Aggregate)
            rows = tuple(
                (step.relation, step.values)
                for name in found.premises
                if not isinstance(step := steps[name], Aggregated) and not hasattr(step, "pattern")
            )
            assert rows == expand(model, found)
            assert found.count >= 0


def summed(size: int) -> Case:
    return case(
        "r: p n k :- n = sum y { a x y }, k = count { a x y }", a=[(i, 2) for i in range(size)]
    )


@pytest.mark.parametrize(("size", "is_named"), [(0, True), (1, True), (32, True), (33, False)])
def test_up_to_32_rows_behind_an_aggregate_are_named_and_no_more(
    size: int, *, is_named: bool
) -> None:
    made = summed(size)
    model = evaluate(made.program, made.facts, [], Limits())
    derivation = prove(model, "p", (2 * size, size))
    for found in aggregates_in(derivation):
        assert (found.count, len(found.premises)) == (size, size if is_named else 0)
        assert len(expand(model, found)) == size
    assert len(derivation.input_fact_ids) == (size if is_named else 0)
    assert verdict_with(derivation, made, made.facts).status is Status.VERIFIED


def test_a_thousand_rows_are_listed_by_expand_and_the_certificate_stays_small() -> None:
    made = summed(1_000)
    model = evaluate(made.program, made.facts, [], Limits())
    derivation = prove(model, "p", (2_000, 1_000))
    first, second = aggregates_in(derivation)
    assert expand(model, first) == tuple(("a", (i, 2)) for i in range(1_000))
    assert first.contributions == second.contributions
    written = json.dumps(certificate(derivation, VERSION, [set_digest(made.facts)], {}))
    assert len(written) < 2_000
    for lost in (0, 500, 999):
        rest = made.facts[:lost] + made.facts[lost + 1 :]
        assert verdict_with(derivation, made, rest).status is Status.REFUSED
    other = (*made.facts[1:], Fact.of("a", (5_000, 2), "s"))  # the same value and count
    verdict = verdict_with(derivation, made, other)
    assert (verdict.status, "wrong aggregate" in verdict.reason) == ("refused", True)


NOT_OF_THE_MODEL: dict[str, tuple[str, int]] = {
    "another rule": ("nowhere", 0),
    "a position behind the body": ("r", 2),
    "a negative position": ("r", -1),
    "a position of another literal": ("s", 0),
}


@pytest.mark.parametrize("name", NOT_OF_THE_MODEL)
def test_expand_refuses_the_step_of(name: str) -> None:
    made = case("r: p n k :- n = sum y { a x y }, k = count { a x y }\ns: q x :- a x _", a=[(1, 2)])
    model = evaluate(made.program, made.facts, [], Limits())
    found = aggregates_in(prove(model, "p", (2, 1)))[0]
    with pytest.raises(KeyError):
        expand(model, Aggregated.of(NOT_OF_THE_MODEL[name], found.claim, ()))


def test_an_aggregate_that_fails_under_a_forged_binding_is_refused() -> None:
    """A sum that the definition never forms for `x = 0`, because the count before it is not 0."""
    made = case(
        "r: p x n :- a x, k = count { zero x }, k = 0, n = sum y/x { b y }",
        a=[(0,), (1,)], zero=[(0,)], b=[(4,)],
    )  # fmt: skip
    model = evaluate(made.program, made.facts, [], Limits())
    written = certificate(prove(model, "p", (1, 4)), VERSION, [set_digest(made.facts)], {})
    forged: Forged = json.loads(
        json.dumps(written).replace("[1]", "[0]").replace('"x": 1', '"x": 0')
    )
    forged["conclusion"]["values"] = forged["derivation_trace"][-1]["values"] = [0, 4]
    trace = forged["derivation_trace"]
    first, second = (i for i, step in enumerate(trace) if step["kind"] == "aggregate")
    trace.insert(second, trace.pop(first))
    repair(forged)
    assert check(forged, made.program, VERSION, None, ROOMY).status is Status.UNCHECKED
    verdict = check(forged, made.program, VERSION, named(made.facts), ROOMY)
    assert (verdict.status, "division by zero" in verdict.reason) == ("refused", True)


def is_even(row: Row) -> bool:
    return isinstance(row[0], int) and row[0] % 2 == 0


EVEN = with_computed(
    case("r: p x :- a x, even x\ns: q x :- a x, !even x\nt: n k :- k = count { a x, even x }",
         a=[(1,), (2,), (4,)]),
    even="even",
)  # fmt: skip
MATCHERS = {"even": is_even}


def test_a_computed_row_is_a_step_of_its_own_and_its_denial_an_absence() -> None:
    model = evaluate(EVEN.program, EVEN.facts, [], Limits(), MATCHERS)
    found = [step for step in prove(model, "p", (4,)).steps if isinstance(step, Computed)]
    assert [(step.relation, step.values) for step in found] == [("even", (4,))]
    assert model.of("q") == {(1,)}
    assert model.of("n") == {(2,)}
    for ground in all_rows(model):
        written = certificate(prove(model, *ground), VERSION, [set_digest(EVEN.facts)], {})
        at_hand = named(EVEN.facts)
        verdict = check(written, EVEN.program, VERSION, at_hand, Limits(), matchers=MATCHERS)
        assert verdict.status is Status.VERIFIED, verdict.reason


ORDER: dict[str, tuple[str, tuple[str, Row], dict[str, int]]] = {
    "arithmetic in the head of another rule does not fail for a row": (
        "a: p x 10/x :- a x, x != 0\nb: p 0 5 :- a 0",
        ("p", (0, 5)),
        {},
    ),
    "the head of a rule is recomputed": (
        "a: p x+y :- a x, a y",
        ("p", (2,)),
        {"x": 0, "y": 2},
    ),
    "what an equality binds follows from the others": (
        "a: p y :- y = 4-x, a x, y > 1",
        ("p", (2,)),
        {"x": 2, "y": 2},
    ),
    "a sum that another binding gives too takes the least": (
        "a: p :- a x, a y, n = sum z { a z, z != x, z != y }, n > 2",
        (("p", ())),
        {"n": 3, "x": 0, "y": 0},
    ),
}


@pytest.mark.parametrize("name", ORDER)
def test_in_a_proof(name: str) -> None:
    text, goal, binding = ORDER[name]
    made = case(text, a=[(0,), (1,), (2,)])
    derivation = prove(evaluate(made.program, made.facts, [], Limits()), *goal)
    last = derivation.steps[-1]
    assert isinstance(last, Inference)
    assert dict(last.binding) == binding
    assert verdict_with(derivation, made, made.facts).status is Status.VERIFIED
