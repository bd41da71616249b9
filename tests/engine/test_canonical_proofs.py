"""Proofs: every row has one, it checks, and it is a function of rules and facts alone."""

import json
from random import Random

import pytest
from engine_bodies import Binding, Ground, names_of, value
from engine_digest import digest_of, json_part
from engine_models import VERSION, Case, all_rows, derived_rows, named
from engine_notation import case
from engine_programs import SMALL, cases, model_of
from engine_reference import Rounds, canonical, rounds_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Atom,
    Fact,
    Json,
    Limits,
    Model,
    Negated,
    NotDerivedError,
    Program,
    Row,
    Status,
    Wildcard,
    certificate,
    check,
    evaluate,
    prove,
    restrict,
    set_digest,
)
from engine.derivations import Absence, Aggregated, Computed, Derivation, Given, Inference, Step

Said = tuple[str, tuple[str | int | None, ...]]
MOST_ROWS = 40
ROOMY = Limits(join_rows=10**6)


def explained(case: Case) -> tuple[Model, list[tuple[Ground, Derivation]]]:
    model = model_of(case, SMALL)
    return model, [(ground, prove(model, *ground)) for ground in all_rows(model)[:MOST_ROWS]]


def certified(derivation: Derivation, facts: tuple[Fact, ...]) -> dict[str, Json]:
    """The certificate as it comes back from a file."""
    made = certificate(derivation, VERSION, [set_digest(facts)], {})
    found: dict[str, Json] = json.loads(json.dumps(made))
    return found


@settings(max_examples=200, deadline=None)
@given(cases())
def test_every_row_of_a_model_has_a_proof_that_checks(case: Case) -> None:
    _, proofs = explained(case)
    for (relation, row), derivation in proofs:
        written = certified(derivation, case.facts)
        assert written["conclusion"] == {"relation": relation, "values": list(row)}
        verdict = check(written, case.program, VERSION, named(case.facts), ROOMY)
        assert verdict.status is Status.VERIFIED, verdict.reason


@settings(max_examples=50, deadline=None)
@given(cases())
def test_without_all_named_facts_at_hand_the_verdict_is_unchecked(case: Case) -> None:
    _, proofs = explained(case)
    for _, derivation in proofs:
        half = len(case.facts) // 2
        sets = (case.facts[:half], case.facts[half:], (*case.facts, *case.facts))
        digests = [set_digest(facts) for facts in sets]
        written = certificate(derivation, VERSION, digests, {})
        for at_hand in (None, {}, named(*sets[:2]), named(*sets[1:]), named(sets[0], sets[2])):
            absent = at_hand is None or not set(digests) <= set(at_hand)
            verdict = check(written, case.program, VERSION, at_hand, ROOMY)
            assert verdict.status is (Status.UNCHECKED if absent else Status.VERIFIED)


def said(step: Step) -> Said:
    match step:
        case Given() | Inference():
            return (step.relation, step.values)
        case Absence():
            return (step.relation, step.pattern)
        case Computed() | Aggregated():
            raise AssertionError(step.id)


@settings(max_examples=300, deadline=None)
@given(cases())
def test_every_step_is_the_least_application_from_earlier_rounds(case: Case) -> None:
    _, proofs = explained(case)
    rounds = rounds_of(case.program, case.facts)
    for goal, derivation in proofs:
        assert said(derivation.steps[-1]) == goal
        assert len({said(step) for step in derivation.steps}) == len(derivation.steps)
        steps = {step.id: step for step in derivation.steps}
        for step in derivation.steps:
            if isinstance(step, Given):
                assert step.fact_id == min(f.id for f in case.facts if ground_of(f) == said(step))
            elif isinstance(step, Inference):
                premises = [said(steps[name]) for name in step.premises]
                assert_canonical(case.program, rounds, step, premises)


def ground_of(fact: Fact) -> Ground:
    return (fact.relation, fact.values)


def assert_canonical(
    program: Program, rounds: Rounds, step: Inference, premises: list[Said]
) -> None:
    """Compare a step with the first of all applications, sorted."""
    rule, binding, grounds = canonical(program, rounds, (step.relation, step.values))
    rows = iter(grounds)
    assert (step.rule_id, step.binding) == (rule.id, tuple(sorted(binding.items())))
    assert set(binding) == set(names_of(rule))
    assert premises == [
        next(rows) if isinstance(literal, Atom) else absence_of(literal, binding)
        for literal in rule.body
        if isinstance(literal, Atom | Negated)
    ]


def absence_of(literal: Negated, binding: Binding) -> Said:
    holes = tuple(
        None if isinstance(term, Wildcard) else value(term, binding) for term in literal.atom.terms
    )
    return (literal.atom.relation, holes)


@settings(max_examples=120, deadline=None)
@given(cases(), st.randoms(use_true_random=True))
def test_the_order_of_rules_and_facts_changes_no_proof(case: Case, random: Random) -> None:
    _, proofs = explained(case)
    rules, facts = list(case.program.rules), [*case.facts, *case.facts[:2]]
    random.shuffle(rules)
    random.shuffle(facts)
    cut = random.randint(0, len(facts))
    program = Program({}, dict(reversed(list(case.program.relations.items()))), tuple(rules))
    model = evaluate(program, facts[:cut], facts[cut:], ROOMY)
    for (relation, row), derivation in proofs:
        assert prove(model, relation, row) == derivation
        if relation in {rule.head.relation for rule in rules}:
            part = evaluate(restrict(program, [relation]), facts, [], ROOMY)
            assert prove(part, relation, row) == derivation


@settings(max_examples=80, deadline=None)
@given(cases())
def test_without_any_one_input_fact_the_certificate_is_refused(case: Case) -> None:
    _, proofs = explained(case)
    for _, derivation in proofs:
        for lost in derivation.input_fact_ids:
            rest = tuple(fact for fact in case.facts if fact.id != lost)
            written = certified(derivation, rest)
            verdict = check(written, case.program, VERSION, named(rest), ROOMY)
            assert verdict.status is Status.REFUSED
            assert "not among the given facts" in verdict.reason


@settings(max_examples=80, deadline=None)
@given(cases())
def test_explaining_changes_neither_the_model_nor_the_next_explanation(case: Case) -> None:
    model, plain = model_of(case, SMALL), model_of(case, SMALL)
    proofs = [prove(model, *ground) for ground in all_rows(model)[:MOST_ROWS]]
    assert [(g, model.rows.round_of(*g)) for g in all_rows(model)] == [
        (g, plain.rows.round_of(*g)) for g in all_rows(plain)
    ]
    assert proofs == [prove(model, *ground) for ground in all_rows(plain)[:MOST_ROWS]]
    assert evaluate(case.program, case.facts, [], SMALL).bounds == model.bounds


@settings(max_examples=60, deadline=None)
@given(cases())
def test_a_certificate_names_its_content_and_nothing_else(case: Case) -> None:
    model, proofs = explained(case)
    for ground, derivation in proofs:
        written = certificate(derivation, VERSION, ["b", "a"], model.bounds)
        bounds = {name: dict(bound) for name, bound in model.bounds.items()}
        assert (written["given_digests"], written["execution_bounds"]) == (["b", "a"], bounds)
        facts = {s.fact_id for s in derivation.steps if isinstance(s, Given)}
        rules = {s.rule_id for s in derivation.steps if isinstance(s, Inference)}
        assert written["input_fact_ids"] == sorted(facts)
        assert written["supporting_rule_ids"] == sorted(rules)
        assert bool(rules) == (ground not in model.facts)
        body = {name: value for name, value in written.items() if name != "digest"}
        assert written["digest"] == digest_of(json_part(body))


CHOICES: dict[str, tuple[Case, Ground, tuple[str, dict[str, str | int], list[Said]]]] = {
    "the least rule id, whatever the order of the rules": (
        case("b: p x :- a x\na: p x :- c x, a x", a=[(1,)], c=[(1,)]),
        ("p", (1,)),
        ("a", {"x": 1}, [("c", (1,)), ("a", (1,))]),
    ),
    "the earliest round goes before the least rule id": (
        case("z: p x :- a x\na: p x :- p y, e y x", a=[(1,), (2,)], e=[(1, 2)]),
        ("p", (2,)),
        ("z", {"x": 2}, [("a", (2,))]),
    ),
    "the least binding in the order in which the rule names its variables": (
        case("r: p x :- e x z, e x y, z != y", e=[(1, 1), (1, 2), (1, 3)]),
        ("p", (1,)),
        ("r", {"x": 1, "z": 1, "y": 2}, [("e", (1, 1)), ("e", (1, 2))]),
    ),
    "a comparison names its variables where it stands": (
        case("r: p :- y > z, e z y", e=[(1, 4), (2, 3)]),
        ("p", ()),
        ("r", {"y": 3, "z": 2}, [("e", (2, 3))]),
    ),
    "numbers before symbols": (
        case("r: p :- m x\nm x :- a x\nm x :- b x", a=[("",)], b=[(7,), (-1,)]),
        ("p", ()),
        ("r", {"x": -1}, [("m", (-1,))]),
    ),
    "symbols by their bytes": (
        case("r: p :- e x", e=[("\xe9",), ("z",), ("\U0001f600",)]),
        ("p", ()),
        ("r", {"x": "z"}, [("e", ("z",))]),
    ),
    "the least row for a wildcard": (
        case("r: p x :- e x _, e _ x", e=[(1, 3), (1, 2), (3, 1), (2, 1)]),
        ("p", (1,)),
        ("r", {"x": 1}, [("e", (1, 2)), ("e", (2, 1))]),
    ),
    "a wildcard over the own stratum takes the least row of an earlier round": (
        case("r1: p 5 :- a x\nr2: p 1 :- p _\nr3: p 3 :- p 1, p _", a=[(9,)]),
        ("p", (3,)),
        ("r3", {}, [("p", (1,)), ("p", (1,))]),
    ),
    "negations are premises, comparisons are not": (
        case("r: p x :- x > 0, !b x _, a x, !c", a=[(1,)], b=[(2, 2)], c=[]),
        ("p", (1,)),
        ("r", {"x": 1}, [("b", (1, None)), ("a", (1,)), ("c", ())]),
    ),
    "one row may be two premises": (
        case("r: p x y :- e x y, e x y", e=[(1, 2)]),
        ("p", (1, 2)),
        ("r", {"x": 1, "y": 2}, [("e", (1, 2)), ("e", (1, 2))]),
    ),
}


@pytest.mark.parametrize("name", CHOICES)
def test_among_several_proofs_the_canonical_one_takes(name: str) -> None:
    case, goal, (rule_id, binding, premises) = CHOICES[name]
    derivation = prove(evaluate(case.program, case.facts, [], Limits()), *goal)
    last = derivation.steps[-1]
    assert isinstance(last, Inference)
    steps = {step.id: said(step) for step in derivation.steps}
    assert (last.rule_id, dict(last.binding)) == (rule_id, binding)
    assert [steps[premise] for premise in last.premises] == premises


def test_of_two_facts_for_one_row_the_one_with_the_lesser_id_is_named() -> None:
    program = case("p x :- a x", a=[(1,)]).program
    facts = [Fact.of("a", (1,), source) for source in ("s1", "s2", "s3", "s4")]
    least = min(fact.id for fact in facts)
    for base, request in ((facts, []), (facts[::-1], []), (facts[:2], facts[2:])):
        model = evaluate(program, base, request, Limits())
        assert prove(model, "p", (1,)).input_fact_ids == (least,)
        assert prove(model, "a", (1,)).input_fact_ids == (least,)


NOT_DERIVED: dict[str, tuple[str, Row]] = {
    "a row that does not follow": ("p", (2,)),
    "a row of a relation without rows": ("q", (1,)),
    "a row of an undeclared relation": ("nothing", (1,)),
    "a row with a column too many": ("p", (1, 1)),
    "a symbol in place of a number": ("p", ("1",)),
    "a truth value in place of a number": ("p", (True,)),
}


@pytest.mark.parametrize("name", NOT_DERIVED)
def test_what_is_not_in_the_model_has_no_proof(name: str) -> None:
    made = case("p x :- a x\nq x :- p x, !a x", a=[(1,)])
    model = evaluate(made.program, made.facts, [], Limits())
    relation, row = NOT_DERIVED[name]
    with pytest.raises(NotDerivedError, match=f"`{relation}` has no row"):
        prove(model, relation, row)
    assert derived_rows(model) == [("p", (1,))]
