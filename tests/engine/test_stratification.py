"""Strata: what is refused, the witness of a refusal, and the order of what is accepted."""

import time
from itertools import pairwise, permutations
from random import Random

import pytest
from engine_models import Case, derived_rows
from engine_notation import case, rule
from engine_programs import MODEST, cases, model_of
from engine_reference import components, relations_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Atom,
    Limits,
    Negated,
    Program,
    Rule,
    UnstratifiedError,
    evaluate,
    restrict,
    stratify,
)


def rules_of(text: str) -> tuple[Rule, ...]:
    return case(text).program.rules


REFUSED: dict[str, tuple[str, int]] = {
    "a relation that denies itself": ("p x :- a x, !p x", 2),
    "two relations that deny each other": ("p x :- a x, !q x\nq x :- a x, !p x", 3),
    "a negation on the way back": ("p x :- a x, q x\nq x :- a x, !p x", 3),
    "a negation of a relation that needs the denier": ("p x :- a x, !q x\nq x :- p x", 3),
    "negations of even number on one cycle": (
        "p x :- a x, !q x\nq x :- a x, !r x\nr x :- p x",
        4,
    ),
    "a cycle through wildcards only": ("p x :- a x, !q _\nq x :- r x\nr x :- p x", 4),
    "a cycle of relations without columns": ("p :- !q\nq :- r\nr :- p", 4),
    "a rule that can never fire still counts": ("p x :- a x, 1 = 2, !p x", 2),
    "the atom and its negation in one rule": ("p x :- p x, !p x", 2),
    "a cycle behind a long way in": (
        "a0 x :- a1 x\na1 x :- a2 x\na2 x :- p x\np x :- b x, !q x\nq x :- p x",
        3,
    ),
    "two cycles of which one is harmless": (
        "t x y :- e x y\nt x z :- t x y, t y z\np x :- t x _, !q x\nq x :- p x",
        3,
    ),
}

ACCEPTED: dict[str, tuple[str, list[set[str]]]] = {
    "negation of a given relation": ("p x :- a x, !b x", [{"p"}]),
    "negation of a lower stratum": ("p x :- a x, !q x\nq x :- b x", [{"q"}, {"p"}]),
    "negation of a recursive relation": (
        "p x :- a x, !t x x\nt x z :- t x y, e y z\nt x y :- e x y",
        [{"t"}, {"p"}],
    ),
    "mutual recursion is one stratum": ("p x :- q x\nq x :- p x\nq x :- a x", [{"p", "q"}]),
    "relations that do not meet are strata of their own": (
        "q x :- a x\np x :- a x",
        [{"p"}, {"q"}],
    ),
    "the same relation negated and read below": (
        "p x :- q x, !r x\nq x :- r x\nr x :- a x",
        [{"r"}, {"q"}, {"p"}],
    ),
}


def assert_is_witness(rules: tuple[Rule, ...], refusal: UnstratifiedError) -> None:
    """The cycle is one of the dependency graph, and the rule named negates along its first edge."""
    edges = {
        (r.head.relation, name)
        for r in rules
        for literal in r.body
        for name in relations_of(literal)
    }
    negated = {
        (r.id, r.head.relation, literal.atom.relation)
        for r in rules
        for literal in r.body
        if isinstance(literal, Negated)
    }
    assert refusal.cycle[0] == refusal.cycle[-1]
    assert set(pairwise(refusal.cycle)) <= edges
    assert (refusal.rule_id, *refusal.cycle[:2]) in negated
    assert len(set(refusal.cycle)) == len(refusal.cycle) - 1
    assert " -> ".join(refusal.cycle) in str(refusal)
    assert f"`{refusal.rule_id}`" in str(refusal)


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_is_refused_with_a_cycle_that_holds_a_negation(name: str) -> None:
    text, length = REFUSED[name]
    with pytest.raises(UnstratifiedError) as refusal:
        stratify(rules_of(text))
    assert_is_witness(rules_of(text), refusal.value)
    assert len(refusal.value.cycle) == length


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_program_is_not_evaluated(name: str) -> None:
    program = case(REFUSED[name][0]).program
    with pytest.raises(UnstratifiedError):
        evaluate(program, [], [], Limits())


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_stratified_program_has_the_strata(name: str) -> None:
    text, expected = ACCEPTED[name]
    found = stratify(rules_of(text))
    assert [set(stratum.relations) for stratum in found] == expected
    for stratum in found:
        mine = [r for r in rules_of(text) if r.head.relation in stratum.relations]
        assert list(stratum.rules) == sorted(mine, key=lambda r: r.id)


THREE = (
    rule("one: p x :- q x"),
    rule("two: q x :- r x, p x"),
    rule("three: r x :- p x, a x, !q x"),
)


@pytest.mark.parametrize("order", tuple(permutations(range(3))), ids=str)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_negation_in_the_last_of_three_rules_is_seen_in_every_order(
    order: tuple[int, ...], place: int
) -> None:
    body = THREE[2].body
    moved = Rule("three", THREE[2].head, (*body[place:], *body[:place]))
    rules = tuple((*THREE[:2], moved)[i] for i in order)
    with pytest.raises(UnstratifiedError) as refusal:
        stratify(rules)
    assert_is_witness(rules, refusal.value)
    assert refusal.value.cycle == ("r", "q", "r")
    assert refusal.value.rule_id == "three"


def negated_somewhere(case: Case, which: int) -> tuple[Rule, ...]:
    """The rules with one positive atom turned into a negated one."""
    rules = list(case.program.rules)
    places = [
        (i, j)
        for i, found in enumerate(rules)
        for j, literal in enumerate(found.body)
        if isinstance(literal, Atom)
    ]
    if places:
        i, j = places[which % len(places)]
        body = list(rules[i].body)
        atom = body[j]
        assert isinstance(atom, Atom)
        body[j] = Negated(atom)
        rules[i] = Rule(rules[i].id, rules[i].head, tuple(body))
    return tuple(rules)


@settings(max_examples=500, deadline=None)
@given(cases(), st.integers(0, 50), st.randoms(use_true_random=True))
def test_a_program_is_refused_iff_a_relation_reaches_itself_over_a_negation(
    case: Case, which: int, random: Random
) -> None:
    rules = list(negated_somewhere(case, which))
    together = components(Program({}, {}, tuple(rules)))
    expected = any(
        isinstance(literal, Negated) and {r.head.relation, literal.atom.relation} <= component
        for r in rules
        for literal in r.body
        for component in together
    )
    witnesses = set()
    for _ in range(3):
        random.shuffle(rules)
        try:
            stratify(rules)
        except UnstratifiedError as refusal:
            assert_is_witness(tuple(rules), refusal)
            witnesses.add((refusal.cycle, refusal.rule_id))
            assert expected
        else:
            assert not expected
    assert len(witnesses) == (1 if expected else 0)


@settings(max_examples=300, deadline=None)
@given(cases())
def test_each_stratum_comes_after_all_that_it_reads(case: Case) -> None:
    strata = stratify(case.program.rules)
    heads = {r.head.relation for r in case.program.rules}
    assert {stratum.relations for stratum in strata} == set(components(case.program))
    done: set[str] = set()
    for stratum in strata:
        done |= stratum.relations
        read = {name for r in stratum.rules for x in r.body for name in relations_of(x)}
        assert read & heads <= done
    assert done == heads


@settings(max_examples=200, deadline=None)
@given(cases(), st.integers(0, 4))
def test_a_restricted_program_gives_the_same_rows_in_the_same_rounds(case: Case, n: int) -> None:
    whole = model_of(case, MODEST)
    heads = sorted({r.head.relation for r in case.program.rules})
    name = heads[n % len(heads)]
    program = restrict(case.program, [name])
    part = evaluate(program, case.facts, [], MODEST)
    kept = {r.head.relation for r in program.rules}
    assert name in kept
    assert {name for r in program.rules for x in r.body for name in relations_of(x)} & set(
        heads
    ) <= kept
    for relation, row in derived_rows(whole):
        found = part.rows.round_of(relation, row)
        assert found == (whole.rows.round_of(relation, row) if relation in kept else None)


def chain(length: int) -> list[Rule]:
    """Rules of relations that each read the next, under ids that sort otherwise."""
    return [rule(f"r{length - i}: p{i:05} x :- p{i + 1:05} x, a x") for i in range(length)]


def test_a_chain_of_20000_relations_is_stratified_without_recursion_and_in_good_time() -> None:
    rules = chain(20_000)
    started = time.process_time()
    strata = stratify(rules)
    spent_seconds = time.process_time() - started
    assert [next(iter(s.relations)) for s in strata] == [f"p{i:05}" for i in range(19_999, -1, -1)]
    assert spent_seconds < 5  # 0.3 when it is linear, minutes when every component scans all rules


def test_a_cycle_of_20000_relations_is_refused_with_a_short_witness() -> None:
    rules = [*chain(20_000), rule("back: p20000 x :- p00000 x, !p19999 x")]
    started = time.process_time()
    with pytest.raises(UnstratifiedError) as refusal:
        stratify(rules)
    assert refusal.value.cycle == ("p20000", "p19999", "p20000")
    assert time.process_time() - started < 5


def test_a_chain_of_5000_relations_is_restricted_in_good_time() -> None:
    program = Program({}, {}, tuple(chain(5_000)))
    started = time.process_time()
    assert len(restrict(program, ["p02500"]).rules) == 2_500
    assert time.process_time() - started < 2
