"""Forged certificates: refused exactly when the definition calls a step false, hashes or not."""

import json
from collections import Counter
from random import Random

from engine_forgery import EARLY, LATE, Forged, Pool, repair, repair_digest
from engine_models import SMALL, VERSION, all_rows, derived_rows, model_of, named
from engine_programs import AWKWARD, NUMBERS, Case, cases
from engine_recheck import UNCHECKED, VERIFIED, recheck
from engine_reference import names_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import Fact, Limits, Model, certificate, check, prove, set_digest

ROOMY = Limits(join_rows=10**6)
Sets = dict[str, tuple[Fact, ...]]


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
    values = {v for fact in case.facts for v in fact.values} | {AWKWARD[0], NUMBERS[0]}
    rules = case.program.rules
    return Pool(
        values=sorted(values, key=repr),
        relations=sorted(case.program.relations) + ["nothing"],
        rule_ids=[rule.id for rule in rules] + ["no rule", ""],
        variables=sorted({name for rule in rules for name in names_of(rule)}) + ["v"],
        digests=[*sets, "0" * 64],
        steps=[s for ground in others for s in honest(model, ground, [])["derivation_trace"]],
    )


def forge(random: Random, forged: Forged, pool: Pool, count: int) -> list[str]:
    """Alter a certificate in some ways and repair it; the names of the ways."""
    names = random.sample(sorted(EARLY), count)
    for name in names:
        EARLY[name](random, forged, pool)
    repair(forged)
    if random.random() < 0.15:
        late = random.choice(sorted(LATE))
        LATE[late](random, forged, pool)
        repair_digest(forged)
        names.append(late)
    return names


def forged_case(random: Random, case: Case, count: int) -> tuple[Forged, Forged, list[str], Sets]:
    """An honest certificate, its forgery, how it was forged, and the sets at hand."""
    model = model_of(case, SMALL)
    grounds = derived_rows(model) or all_rows(model)
    assume(grounds)
    digests, sets = fact_sets(random, case.facts)
    original = honest(model, random.choice(grounds), digests)
    forged = json.loads(json.dumps(original))
    names = forge(random, forged, pool_of(random, case, model, sets), count)
    return original, forged, names, sets


@settings(max_examples=1200, deadline=None)
@given(cases(), st.randoms(use_true_random=True), st.sampled_from((1, 1, 2, 3)))
def test_a_forged_certificate_is_refused_exactly_when_a_step_is_false(
    case: Case, random: Random, count: int
) -> None:
    original, forged, names, sets = forged_case(random, case, count)
    for at_hand in (sets, None):
        assert recheck(original, case.program, VERSION, at_hand) != "refused"
        verdict = check(forged, case.program, VERSION, at_hand, ROOMY)
        expected = recheck(forged, case.program, VERSION, at_hand)
        assert verdict.status == expected, (names, verdict.reason)
        assert verdict.reason
        assert verdict.reason.isprintable()


def test_the_forger_tells_lies_of_every_kind_and_some_truths() -> None:
    outcomes: Counter[tuple[str, str]] = Counter()

    @settings(max_examples=900, deadline=None, derandomize=True, database=None)
    @given(cases(), st.randoms(use_true_random=True))
    def collect(case: Case, random: Random) -> None:
        original, forged, names, sets = forged_case(random, case, 1)
        if forged != original:
            status = check(forged, case.program, VERSION, sets, ROOMY).status
            outcomes.update((name, status) for name in names)

    collect()
    harmless = {"change bounds", "shuffle digests"}
    refused = {name for name, status in outcomes if status == "refused"}
    assert refused >= set(EARLY) | set(LATE) - harmless
    true_ways = {"change bounds", "shuffle digests", "change digests", "swap neighbours"}
    assert {name for name, status in outcomes if status == VERIFIED} >= true_ways
    assert ("change digests", UNCHECKED) in outcomes
