"""Limits: each stops exactly at its value, before what it bounds is there, and says where."""

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import pytest
from engine_models import Case, all_rows
from engine_notation import case
from engine_programs import MODEST, cases, model_of
from engine_reference import components
from hypothesis import given, settings

from engine import (
    Fact,
    LimitReachedError,
    Limits,
    Model,
    Program,
    evaluate,
    evaluate_by_definition,
    prove,
)

NAMES = tuple(field.name for field in fields(Limits))
ENOUGH = Limits(*(10**9 for _ in NAMES))


Evaluate = Callable[[Program, Sequence[Fact], Sequence[Fact], Limits], Model]
EVALUATORS: dict[str, Evaluate] = {
    "the definition": evaluate_by_definition,
    "the semi-naive evaluator": evaluate,
}


def used(evaluator: str, case: Case, base: int, name: str) -> int:
    """What an evaluation without tight limits uses of one of them."""
    model = EVALUATORS[evaluator](case.program, case.facts[:base], case.facts[base:], ENOUGH)
    assert set(model.bounds) == set(NAMES)
    assert all(bound["limit"] == 10**9 for bound in model.bounds.values())
    return model.bounds[name]["used"]


PAIRS = case("p x y :- a x, b y", a=[(1,), (2,), (3,)], b=[(4,), (5,)])
CLOSURE = case("t0: t x y :- e x y\nt1: t x z :- t x y, e y z", e=[(1, 2), (2, 3), (3, 4)])
FLAGS = case("r1: one 1 :- a x\nr2: two x :- one x, !b x", a=[(7,)], b=[(8,)])

EXACT: dict[str, tuple[Case, int, str, int, str, str | None]] = {
    "base facts": (PAIRS, 5, "base_facts", 5, "b", None),
    "base facts beside request facts": (PAIRS, 3, "base_facts", 3, "a", None),
    "request facts": (PAIRS, 3, "request_facts", 2, "b", None),
    "rows of a cross product": (PAIRS, 5, "derived_rows", 6, "p", "r0"),
    "rows of a recursion": (CLOSURE, 3, "derived_rows", 6, "t", "t1"),
    "rows of two rules": (FLAGS, 2, "derived_rows", 2, "two", "r2"),
    "rounds of a recursion": (CLOSURE, 3, "rounds", 3, "t", "t1"),
    "rounds over several strata": (FLAGS, 2, "rounds", 2, "two", "r2"),
}

JOINS: dict[tuple[str, str], int] = {
    # a is read once, b for each row of a; the definition reads all of it once more
    ("rows of a cross product", "the definition"): 2 * (3 + 3 * 2),
    ("rows of a cross product", "the semi-naive evaluator"): 3 + 3 * 2,
    # the definition reads 3 of e for t0, all t and for each its onward edges, four times:
    # with 0, 3, 5 and 6 rows of t, of which 0, 2, 3 and 3 have an onward edge
    ("rows of a recursion", "the definition"): 4 * 3 + (0 + 3 + 5 + 6) + (0 + 2 + 3 + 3),
    # the semi-naive evaluator reads t0 once, then each row of t once with its onward edges
    ("rows of a recursion", "the semi-naive evaluator"): 3 + (3 + 2 + 1) + (2 + 1 + 0),
    # r2 counts the row of `one`, in the definition a second time; a negation counts nothing
    ("rows of two rules", "the definition"): 2 + 2,
    ("rows of two rules", "the semi-naive evaluator"): 1 + 1,
}


@pytest.mark.parametrize(("name", "evaluator"), JOINS)
def test_joins_stop_exactly_at_the_count_of_the_evaluator(name: str, evaluator: str) -> None:
    case, base, _, _, relation, rule_id = EXACT[name]
    check_limit(evaluator, (case, base, "join_rows", JOINS[name, evaluator], relation, rule_id))


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("name", EXACT)
def test_a_limit_stops_exactly_at_its_value(name: str, evaluator: str) -> None:
    check_limit(evaluator, EXACT[name])


def check_limit(evaluator: str, wanted: tuple[Case, int, str, int, str, str | None]) -> None:
    evaluate = EVALUATORS[evaluator]
    case, base, limit, value, relation, rule_id = wanted
    assert used(evaluator, case, base, limit) == value
    enough = replace(ENOUGH, **{limit: value})
    model = evaluate(case.program, case.facts[:base], case.facts[base:], enough)
    assert model.bounds[limit] == {"limit": value, "used": value}
    for less in range(value):
        tight = replace(ENOUGH, **{limit: less})
        with pytest.raises(LimitReachedError) as reached:
            evaluate(case.program, case.facts[:base], case.facts[base:], tight)
        assert (reached.value.limit, reached.value.value) == (limit, less)
        assert f"limit `{limit}` of {less} reached in relation `" in str(reached.value)
    assert (reached.value.relation, reached.value.rule_id) == (relation, rule_id)
    place = f"`{relation}`, rule `{rule_id}`" if rule_id else f"`{relation}`"
    assert str(reached.value).endswith(place)


@pytest.mark.parametrize("limit", NAMES)
def test_a_program_that_needs_nothing_of_a_limit_runs_under_zero(limit: str) -> None:
    program = case("p x :- a x, b x").program
    model = evaluate(program, [], [], replace(ENOUGH, **{limit: 0}))
    assert (all_rows(model), model.bounds[limit]) == ([], {"limit": 0, "used": 0})


def test_the_same_row_from_two_rules_counts_once() -> None:
    made = case("p x :- a x\np x :- b x\nq x :- a x\np 1 :-", a=[(1,), (2,)], b=[(2,), (1,)])
    model = evaluate(made.program, made.facts, [], ENOUGH)
    assert model.bounds["derived_rows"]["used"] == 4
    evaluate(made.program, made.facts, [], replace(ENOUGH, derived_rows=4))


def test_a_row_that_is_given_is_not_counted_as_derived() -> None:
    made = case("p x :- a x", a=[(1,), (2,)])
    facts = [*made.facts, *made.facts]
    model = evaluate(made.program, facts, facts[:1], ENOUGH)
    counts = {name: bound["used"] for name, bound in model.bounds.items()}
    assert counts["base_facts"] == 4
    assert counts["request_facts"] == 1
    assert counts["derived_rows"] == 2


@settings(max_examples=200, deadline=None)
@given(cases())
def test_what_is_used_of_rows_and_rounds_is_what_the_model_holds(case: Case) -> None:
    model = model_of(case, MODEST)
    derived = [ground for ground in all_rows(model) if ground not in model.facts]
    assert model.bounds["derived_rows"]["used"] == len(derived)
    assert model.bounds["base_facts"]["used"] == len(case.facts)
    assert model.bounds["rounds"]["used"] == sum(
        max((model.rows.round_of(*g) or 0 for g in derived if g[0] in component), default=0)
        for component in components(case.program)
    )


@settings(max_examples=120, deadline=None)
@given(cases())
def test_limits_stop_or_change_nothing(case: Case) -> None:
    whole = model_of(case, MODEST)
    for limit in NAMES:
        value = whole.bounds[limit]["used"]
        model = evaluate(case.program, case.facts, [], replace(ENOUGH, **{limit: value}))
        assert all_rows(model) == all_rows(whole)
        assert [prove(model, *g) for g in all_rows(model)[:5]] == [
            prove(whole, *g) for g in all_rows(whole)[:5]
        ]
        if value:
            with pytest.raises(LimitReachedError) as reached:
                evaluate(case.program, case.facts, [], replace(ENOUGH, **{limit: value - 1}))
            assert (reached.value.limit, reached.value.value) == (limit, value - 1)


BLOW_UPS: dict[str, tuple[str, Limits, str]] = {
    "a cross product that is not recursive": (
        "cross: p x :- a x, a y, a z",
        replace(ENOUGH, join_rows=50_000),
        "join_rows",
    ),
    "a cross product whose rows are all kept": (
        "cross: p x y z :- a x, a y, a z",
        replace(ENOUGH, derived_rows=2_000),
        "derived_rows",
    ),
    "a cross product that a test throws away": (
        "cross: p x :- a x, a y, a z, x > y, y > z, z > x",
        replace(ENOUGH, join_rows=50_000),
        "join_rows",
    ),
    "a cross product behind a projection": (
        "cross: p :- a x, a y, a z, x+y+z < 0",
        replace(ENOUGH, join_rows=50_000),
        "join_rows",
    ),
}


@pytest.mark.parametrize("evaluator", EVALUATORS)
@pytest.mark.parametrize("name", BLOW_UPS)
def test_nothing_of_the_size_of_a_result_is_there_before_its_limit(
    name: str, evaluator: str
) -> None:
    evaluate = EVALUATORS[evaluator]
    text, limits, limit = BLOW_UPS[name]
    program = case(text, a=[(1,)]).program
    facts = [Fact.of("a", (number,), "s") for number in range(1_000)]
    tracemalloc.start()
    try:
        with pytest.raises(LimitReachedError) as reached:
            evaluate(program, facts, [], limits)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (reached.value.limit, reached.value.relation) == (limit, "p")
    assert reached.value.rule_id == "cross"
    assert peak_bytes < 2_000_000  # 1,000 facts and 2,000 rows; a million pairs take 100 times that


def test_the_default_limits_are_those_of_the_served_path() -> None:
    assert Limits() == Limits(
        request_facts=200_000,
        base_facts=5_000_000,
        derived_rows=1_000_000,
        join_rows=5_000_000,
        rounds=10_000,
    )
