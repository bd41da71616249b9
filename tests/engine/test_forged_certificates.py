"""Forged certificates: refused exactly when the definition calls a step false, hashes or not."""

import json
from collections import Counter
from collections.abc import Sequence
from random import Random

from engine_aggregate_forgery import AGGREGATE_LIES, EVERY_EARLY
from engine_bodies import names_of
from engine_forgery import EARLY, LATE, Pool
from engine_models import VERSION, Case, all_rows, derived_rows, named
from engine_programs import AWKWARD, NUMBERS, SMALL, cases, model_of
from engine_recheck import REFUSED, UNCHECKED, VERIFIED, recheck
from engine_repair import Forged, repair, repair_digest
from engine_rich_programs import rich_cases
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import Fact, Limits, Model, Value, certificate, check, prove, set_digest

ROOMY = Limits(join_rows=10**6)
Sets = dict[str, Sequence[Fact]]


def honest(model: Model, ground: tuple[str, tuple[str | int, ...]], digests: list[str]) -> Forged:
    made = certificate(prove(model, *ground), VERSION, digests, model.bounds)
    read: Forged = json.loads(json.dumps(made))
    return read


def fact_sets(random: Random, facts: tuple[Fact, ...]) -> tuple[list[str], Sets]:
    """The digests that an honest certificate names, and all sets at hand: also smaller ones."""
    cut = random.randint(0, len(facts))
    sets = named(facts[:cut], facts[cut:])
    digests = [set_digest(facts[:cut]), set_digest(facts[cut:])]
    fewer = tuple(fact for fact in facts if random.random() < 0.7)
    return digests, {**sets, **named(fewer, facts, ())}


def pool_of(random: Random, case: Case, model: Model, sets: Sets) -> Pool:
    others = random.sample(all_rows(model), min(3, len(all_rows(model))))
    values: set[Value] = {v for fact in case.facts for v in fact.values}
    values |= {AWKWARD[0], NUMBERS[0]}
    rules = case.program.rules
    names = {name for rule in rules for name in names_of(rule)}
    return Pool(
        values=sorted(values, key=repr),
        relations=[*sorted(case.program.relations), "nothing"],
        rule_ids=[*(rule.id for rule in rules), "no rule", ""],
        variables=[*sorted(names), "v"],
        digests=[*sets, "0" * 64],
        steps=[s for ground in others for s in honest(model, ground, [])["derivation_trace"]],
    )


def forge(random: Random, original: Forged, pool: Pool, names: Sequence[str]) -> Forged:
    """A certificate altered in some ways and repaired."""
    forged: Forged = json.loads(json.dumps(original))
    for name in names:
        if name in EVERY_EARLY:
            EVERY_EARLY[name](random, forged, pool)
    repair(forged)
    for name in names:
        if name in LATE:
            LATE[name](random, forged, pool)
    repair_digest(forged)
    return forged


def kinds_in(model: Model, ground: tuple[str, tuple[str | int, ...]]) -> set[str]:
    return {step["kind"] for step in honest(model, ground, [])["derivation_trace"]}


def forger(
    random: Random, case: Case, *, with_aggregates: bool = False
) -> tuple[Forged, Pool, Sets]:
    """An honest certificate, what a forger knows, and the sets of facts at hand."""
    model = model_of(case, SMALL)
    grounds = derived_rows(model) or all_rows(model)
    if with_aggregates:
        grounds = [g for g in derived_rows(model) if "aggregate" in kinds_in(model, g)]
    assume(grounds)
    digests, sets = fact_sets(random, case.facts)
    original = honest(model, random.choice(grounds), digests)
    for at_hand in (sets, None):
        assert recheck(original, case.program, VERSION, at_hand) != REFUSED
    return original, pool_of(random, case, model, sets), sets


@settings(max_examples=200, deadline=None)
@given(cases(), st.randoms(use_true_random=True))
def test_a_forged_certificate_is_refused_exactly_when_a_step_is_false(
    case: Case, random: Random
) -> None:
    original, pool, sets = forger(random, case)
    for count in (1, 1, 1, 2, 2, 3):
        names = random.sample([*EARLY, *LATE], count)
        forged = forge(random, original, pool, names)
        for at_hand in (sets, None):
            verdict = check(forged, case.program, VERSION, at_hand, ROOMY)
            expected = recheck(forged, case.program, VERSION, at_hand)
            assert verdict.status == expected, (names, verdict.reason)
            assert verdict.reason
            assert verdict.reason.isprintable()


@settings(max_examples=120, deadline=None)
@given(rich_cases(is_wild=False), st.randoms(use_true_random=True))
def test_a_forged_certificate_with_aggregates_is_refused_exactly_when_a_step_is_false(
    case: Case, random: Random
) -> None:
    original, pool, sets = forger(random, case, with_aggregates=True)
    for number in range(8):
        names = random.sample([*AGGREGATE_LIES], 1) if number < 5 else []
        names += random.sample([*EVERY_EARLY, *LATE], number % 3)
        forged = forge(random, original, pool, names)
        for at_hand in (sets, None):
            verdict = check(forged, case.program, VERSION, at_hand, ROOMY)
            expected = recheck(forged, case.program, VERSION, at_hand)
            assert verdict.status == expected, (names, verdict.reason)


def test_every_lie_about_an_aggregate_is_refused_and_some_only_with_the_facts() -> None:
    outcomes: Counter[tuple[str, str, bool]] = Counter()

    @settings(max_examples=60, deadline=None, derandomize=True, database=None)
    @given(rich_cases(is_wild=False), st.randoms(use_true_random=True))
    def collect(case: Case, random: Random) -> None:
        original, pool, sets = forger(random, case, with_aggregates=True)
        for name in AGGREGATE_LIES:
            forged = forge(random, original, pool, [name])
            if forged != original:
                for at_hand in (sets, None):
                    status = check(forged, case.program, VERSION, at_hand, ROOMY).status
                    outcomes[name, status, at_hand is None] += 1

    collect()
    assert {name for name, status, _ in outcomes if status == REFUSED} == {*AGGREGATE_LIES}
    assert not {name for name, status, _ in outcomes if status == VERIFIED}
    assert {name for name, status, _ in outcomes if status == UNCHECKED} == {
        *("change total", "change count", "change contributions", "name no rows"),
        *("name rows twice", "reverse rows"),
    }


def test_the_forger_tells_lies_of_every_kind_and_some_truths() -> None:
    outcomes: Counter[tuple[str, str]] = Counter()

    @settings(max_examples=80, deadline=None, derandomize=True, database=None)
    @given(cases(), st.randoms(use_true_random=True))
    def collect(case: Case, random: Random) -> None:
        original, pool, sets = forger(random, case)
        for name in (*EARLY, *LATE):
            forged = forge(random, original, pool, [name])
            if forged != original:
                status = check(forged, case.program, VERSION, sets, ROOMY).status
                outcomes[name, status] += 1

    collect()
    harmless = {"change bounds", "shuffle digests"}
    assert {name for name, status in outcomes if status == REFUSED} == {*EARLY, *LATE} - harmless
    true_ways = {*harmless, "change digests", "swap neighbours"}
    assert {name for name, status in outcomes if status == VERIFIED} >= true_ways
    assert ("change digests", UNCHECKED) in outcomes
