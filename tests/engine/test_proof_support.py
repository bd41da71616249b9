"""What proofs rest on: their input facts, their absences, and nothing besides."""

from dataclasses import replace
from random import Random

import pytest
from engine_models import Case, all_rows, derived_rows
from engine_notation import case as case_of
from engine_programs import SMALL, cases, model_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Comparison, Limits, Negated, Row, evaluate, prove
from engine.derivations import Absence, Inference

ROOMY = Limits(join_rows=10**7)


def positive(case: Case) -> Case:
    """The case without its negations, so that more facts give more rows."""
    rules = (
        replace(r, body=tuple(x for x in r.body if not isinstance(x, Negated)))
        for r in case.program.rules
    )
    return Case(replace(case.program, rules=tuple(rules)), case.facts)


@settings(max_examples=100, deadline=None)
@given(cases().map(positive))
def test_without_negation_the_input_facts_of_a_proof_suffice_for_the_same_proof(
    case: Case,
) -> None:
    model = model_of(case, SMALL)
    for ground in derived_rows(model)[:15]:
        derivation = prove(model, *ground)
        used = [fact for fact in case.facts if fact.id in derivation.input_fact_ids]
        assert prove(evaluate(case.program, used, [], ROOMY), *ground) == derivation


@settings(max_examples=100, deadline=None)
@given(cases().map(positive), st.randoms(use_true_random=True))
def test_without_negation_fewer_facts_never_give_more_rows_or_earlier_ones(
    case: Case, random: Random
) -> None:
    model = model_of(case, SMALL)
    fewer = [fact for fact in case.facts if random.random() < 0.7]
    part = evaluate(case.program, fewer, [], ROOMY)
    for ground in all_rows(part):
        round_in_whole = model.rows.round_of(*ground)
        assert round_in_whole is not None
        assert round_in_whole <= (part.rows.round_of(*ground) or 0)


@settings(max_examples=150, deadline=None)
@given(cases())
def test_a_premise_of_every_kind_stands_in_the_trace_of_a_rule(case: Case) -> None:
    model = model_of(case, SMALL)
    rules = {r.id: r for r in case.program.rules}
    for ground in derived_rows(model)[:15]:
        derivation = prove(model, *ground)
        kinds = {step.id: type(step) for step in derivation.steps}
        for step in derivation.steps:
            if isinstance(step, Inference):
                body = [x for x in rules[step.rule_id].body if not isinstance(x, Comparison)]
                found = [kinds[name] is Absence for name in step.premises]
                assert found == [isinstance(x, Negated) for x in body]


LOST: dict[str, tuple[Case, tuple[str, Row]]] = {
    "a join": (case_of("p x z :- e x y, e y z", e=[(1, 2), (2, 3)]), ("p", (1, 3))),
    "a join with a negation": (
        case_of("p x :- a x, b x, !c x", a=[(1,)], b=[(1,)], c=[(2,)]),
        ("p", (1,)),
    ),
    "two comparisons": (
        case_of("p x y :- a x, b y, x < y, y != 9", a=[(1,)], b=[(4,)]),
        ("p", (1, 4)),
    ),
    "a recursion": (
        case_of("t x y :- e x y\nt x z :- t x y, e y z", e=[(1, 2), (2, 3), (3, 4)]),
        ("t", (1, 4)),
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_without_any_one_input_fact_of_an_only_proof_the_row_is_lost(name: str) -> None:
    case, (relation, row) = LOST[name]
    derivation = prove(evaluate(case.program, case.facts, [], ROOMY), relation, row)
    assert derivation.input_fact_ids
    for lost in derivation.input_fact_ids:
        rest = [fact for fact in case.facts if fact.id != lost]
        assert row not in evaluate(case.program, rest, [], ROOMY).of(relation)
    unused = [fact for fact in case.facts if fact.id not in derivation.input_fact_ids]
    assert all(fact.relation == "c" for fact in unused)
