"""A quick look at everything that the engine does; run as a script, it fails on the first flaw.

`test_seeded_faults.py` runs it against copies of the engine with one fault each. It needs neither
pytest nor hypothesis, so that a run takes a fraction of a second.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine_certificates import BROKEN, FACTS, MADE, honest, verdict_of
from engine_digest import digest_of, json_part
from engine_malformed import MALFORMED
from engine_models import VERSION, Case, all_rows, derived_rows, named
from engine_notation import case
from engine_reference import Rounds, canonical, rounds_of
from engine_repair import repair_digest
from engine_self_check_rich import RICH_CASES, RICH_CHECKS

import engine
from engine import (
    Fact,
    FactRefusedError,
    LimitReachedError,
    Limits,
    Model,
    UnstratifiedError,
    certificate,
    check,
    evaluate,
    evaluate_by_definition,
    prove,
    restrict,
    stratify,
)
from engine.applications import Applications

AMPLE = Limits(*(10**9 for _ in range(5)))
DOWN = [(number, number - 1) for number in range(1, 18)]
PAIR = [(1,), (2,)]
CASES: tuple[Case, ...] = (
    MADE,
    *RICH_CASES,
    case("t x y :- e x y\nt x z :- t x y, t y z", e=[(1, 2), (2, 3), (3, 4), (4, 2)]),
    case(
        "b: p x :- q x, e x _\na: p x :- e x x\nq y :- p x, e x y, !h y\nz: q x :- e x 3",
        e=[(1, 1), (1, 2), (2, 3), (3, 3), (4, 3)],
        h=[(2,)],
    ),
    case("p x :- a x, b x\nq x :- a x, !b x", a=[("5",), ("\xe9",)], b=[(5,), (7,)]),
    case("p y x :- e x z, e z y, x != z, y <= z, z >= y\nr :- p _ 1", e=[(1, 2), (2, 1), (2, 2)]),
    case("p :- m x\nm x :- a x\nm x :- b x", a=[("",), ("z",)], b=[(7,), (-1,)]),
    case("c: p x :- a x, !b x _, !c\nd: p x :- a x, b 2 x", a=[(1,), (2,)], b=[(2, 2)]),
    # rows of the own stratum are no longer few, and the least of them differs from round to round
    case("s: r 17 :- n 17 _\ng: r y :- r x, n x y, r w, !n w 0", n=DOWN),
    case("k: r 17 :- n 17 _\nl: r y :- r _, n x y, r x", n=DOWN),
    case("y: p x :- a x\nx: p x :- b x\nz: q :- e z y", a=[(1,)], b=[(1,)], e=[(1, 4), (2, 3)]),
)
OTHER_KINDS: dict[str, tuple[object, ...]] = {
    "a": (True,),
    "road": (1, 2**63),
    "near": (1, 2),
    "works": (1, 2),
    "kind": (3,),
}


@cache
def model_of(number: int) -> Model:
    made = CASES[number]
    return evaluate(made.program, made.facts[:3], made.facts[3:], AMPLE)


@cache
def reference_of(number: int) -> Rounds:
    return rounds_of(CASES[number].program, CASES[number].facts)


def models_are_those_of_the_reference() -> None:
    for number, made in enumerate(CASES):
        plain = evaluate_by_definition(made.program, made.facts[3:], made.facts[:3], AMPLE)
        for model in (model_of(number), plain):
            found = {ground: model.rows.round_of(*ground) for ground in all_rows(model)}
            assert found == reference_of(number)


def applications_are_those_of_the_reference() -> None:
    for number, made in enumerate(CASES):
        search = Applications(model_of(number))
        for ground in derived_rows(model_of(number)):
            rule, binding, premises = canonical(made.program, reference_of(number), ground)
            found = search.least(*ground)
            assert found is not None
            assert (found.rule, found.binding, found.premises) == (rule, binding, premises)


def proofs_are_written_and_verified() -> None:
    for number, made in enumerate(CASES):
        for ground in all_rows(model_of(number))[-8:]:
            written = certificate(
                prove(model_of(number), *ground), VERSION, [*named(made.facts)], {}
            )
            verdict = check(written, made.program, VERSION, named(made.facts), AMPLE)
            assert verdict.status == "verified", verdict.reason
    found = honest()
    body = {name: value for name, value in found.items() if name != "digest"}
    assert found["digest"] == digest_of(json_part(body))
    assert [step["kind"] for step in found["derivation_trace"]] == [
        *("given", "absence", "rule", "given", "absence", "rule", "rule")
    ]


def broken_certificates_are_refused() -> None:
    for change, reason in BROKEN.values():
        forged = honest()
        change(forged)
        assert verdict_of(forged).status == "refused"
        repair_digest(forged)
        verdict = verdict_of(forged)
        assert (verdict.status, reason in verdict.reason) == ("refused", True), reason
    for change, _ in MALFORMED.values():
        forged = honest()
        change(forged)
        assert "malformed" in verdict_of(forged).reason
    stale = honest()
    stale["execution_bounds"] = {}
    assert verdict_of(stale).status == "refused"
    unsafe = case("p x y :- a x, a y, x < y", a=[(1,), (2,)])
    other = case("p x y :- a x, a y, y < x", a=[(1,), (2,)])
    model = evaluate(unsafe.program, unsafe.facts, [], AMPLE)
    written = certificate(prove(model, "p", (1, 2)), VERSION, [*named(unsafe.facts)], {})
    assert check(written, other.program, VERSION, None, AMPLE).status == "refused"


def other_facts_are_refused() -> None:
    (name,) = named(FACTS)
    for others in (FACTS[1:], (*FACTS, Fact.of("kind", ("tar",), "s"))):
        assert check(honest(), MADE.program, VERSION, {name: others}, AMPLE).status == "refused"
    assert check(honest(), MADE.program, VERSION, {}, AMPLE).status == "unchecked"
    more = (*FACTS, Fact.of("works", (1,), "s"))
    forged = honest()
    forged["given_digests"] = [*named(more)]
    repair_digest(forged)
    assert check(forged, MADE.program, VERSION, named(more), AMPLE).status == "refused"
    assert [*named(FACTS)] == [*named(FACTS[::-1])]
    twice = [Fact.of("kind", ("gas",), source) for source in "xyz"]
    least = min(fact.id for fact in twice)
    model = evaluate(MADE.program, twice, twice[::-1], AMPLE)
    assert prove(model, "kind", ("gas",)).input_fact_ids == (least,)


def facts_of_other_kinds_are_not_admitted() -> None:
    for relation, values in OTHER_KINDS.items():
        made = case("p x :- a x", a=[(1,)]) if relation == "a" else MADE
        fact = Fact(relation, values, "s", "id")  # type: ignore[arg-type]
        must_raise(FactRefusedError, evaluate, made.program, [fact], [], AMPLE)


def limits_stop_exactly() -> None:
    made = case("r: p x y :- a x, b y\ns: q x :- a x\nt: q x :- a x", a=[(1,), (2,), (3,)], b=PAIR)
    model = evaluate(made.program, made.facts[:4], made.facts[4:], AMPLE)
    used = {name: bound["used"] for name, bound in model.bounds.items()}
    expected = {"base_facts": 4, "request_facts": 1, "derived_rows": 9, "rounds": 2}
    assert used == {**expected, "join_rows": 9 + 6}
    twice = evaluate_by_definition(made.program, made.facts[:4], made.facts[4:], AMPLE)
    again = {name: bound["used"] for name, bound in twice.bounds.items()}
    assert again == {**expected, "join_rows": 2 * (9 + 6)}
    for name, value in used.items():
        evaluate(made.program, made.facts[:4], made.facts[4:], replace(AMPLE, **{name: value}))
        tight = replace(AMPLE, **{name: value - 1})
        arguments = (made.program, made.facts[:4], made.facts[4:], tight)
        must_raise(LimitReachedError, evaluate, *arguments)


def cycles_are_refused() -> None:
    for text in (
        "a: p x :- q x\nb: q x :- r x\nc: r x :- p x, !q x",
        "a: p x :- a x, !q x\nb: q x :- a x, !p x",
        "a: p x :- q x, e x\nb: q x :- r x\nc: r x :- s x\nd: s x :- q x, !s x, p x",
    ):
        for rules in (case(text).program.rules, case(text).program.rules[::-1]):
            must_raise(UnstratifiedError, stratify, rules)
    text = "p x :- q x\nq x :- r x\nr x :- q x, !s x\ns x :- a x\nt x :- p x"
    found = stratify(case(text).program.rules)
    assert [set(stratum.relations) for stratum in found] == [{"s"}, {"q", "r"}, {"p"}, {"t"}]
    ring = case("p x :- q x\nq x :- r x\nr x :- p x").program.rules
    assert [set(stratum.relations) for stratum in stratify(ring)] == [{"p", "q", "r"}]
    kept = restrict(case(text).program, ["q"]).rules
    assert sorted(rule.head.relation for rule in kept) == ["q", "r", "s"]


def must_raise(kind: type[Exception], act: Callable[..., object], *arguments: object) -> None:
    try:
        act(*arguments)
    except kind:
        return
    raise AssertionError(kind.__name__)


if __name__ == "__main__":
    sys.stdout.write(f"{engine.__file__}\n")
    for look in (
        models_are_those_of_the_reference,
        cycles_are_refused,
        applications_are_those_of_the_reference,
        proofs_are_written_and_verified,
        broken_certificates_are_refused,
        other_facts_are_refused,
        facts_of_other_kinds_are_not_admitted,
        limits_stop_exactly,
        *RICH_CHECKS,
    ):
        look()
    sys.stdout.write("no flaw\n")
