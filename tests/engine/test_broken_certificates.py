"""Certificates broken by hand: each is refused, with its digest left alone and with it repaired."""

import pytest
from engine_certificates import BROKEN, FACTS, MADE, honest, verdict_of
from engine_models import VERSION, named
from engine_notation import case
from engine_repair import repair_digest

from engine import Fact, Limits, Status, Verdict, check


def test_the_honest_certificate_is_verified() -> None:
    assert verdict_of(honest()) == Verdict(Status.VERIFIED, "7 steps hold")


@pytest.mark.parametrize("name", BROKEN)
def test_a_certificate_is_refused_for(name: str) -> None:
    change, reason = BROKEN[name]
    forged = honest()
    change(forged)
    assert forged != honest()
    assert verdict_of(forged).status is Status.REFUSED
    assert (
        "digest does not match" in verdict_of(forged).reason or reason in verdict_of(forged).reason
    )
    repair_digest(forged)
    assert verdict_of(forged).status is Status.REFUSED
    assert reason in verdict_of(forged).reason


def test_facts_at_hand_that_are_others_than_the_named_ones_are_refused() -> None:
    (name,) = named(FACTS)
    for others in (FACTS[:-1], (*FACTS, Fact.of("works", (1,), "s")), ()):
        verdict = check(honest(), MADE.program, VERSION, {name: others}, Limits())
        assert (verdict.status, "do not have the digest" in verdict.reason) == ("refused", True)


def test_facts_at_hand_are_named_by_their_content_whatever_id_they_claim() -> None:
    (name,) = named(FACTS)
    lies = tuple(Fact(f.relation, (9,) * len(f.values), f.source, f.id) for f in FACTS)
    assert check(honest(), MADE.program, VERSION, {name: lies}, Limits()).status == "refused"


def test_an_absence_that_the_named_facts_contradict_is_refused() -> None:
    forged = honest()
    more = (*FACTS, Fact.of("works", (1,), "s"))
    forged["given_digests"] = list(named(more))
    repair_digest(forged)
    verdict = check(forged, MADE.program, VERSION, named(more), Limits())
    assert (verdict.status, "wrong absence" in verdict.reason) == ("refused", True)


def test_a_limit_of_the_checker_leaves_absences_unchecked() -> None:
    limits = Limits(join_rows=1)
    verdict = check(honest(), MADE.program, VERSION, named(FACTS), limits)
    assert verdict.status is Status.UNCHECKED
    assert "limit `join_rows` of 1 reached in relation `closed`, rule `shut`" in verdict.reason


def test_the_rules_of_another_program_do_not_carry_the_proof() -> None:
    for text in (
        "far: near x z :- near x y, near y z, z < x",
        "far: near x z :- near y z, near x y",
    ):
        other = case(f"near: near x y :- road x y, x != y, !closed x _\n{text}", road=[(1, 2)])
        verdict = check(honest(), other.program, VERSION, None, Limits())
        assert verdict.status is Status.REFUSED
