"""The part of the quick look that is about arithmetic, aggregates, matchers, keys and outcomes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from engine_models import VERSION, Case, named
from engine_notation import case, with_computed
from engine_repair import Forged, repair, step_id

# ruff: noqa: E501 - a program is easier to read in one line
from engine import (
    Aggregated,
    Arithmetic,
    ArithmeticFaultError,
    Constant,
    Derived,
    Fact,
    FactRefusedError,
    Failed,
    LimitReached,
    LimitReachedError,
    Limits,
    MatcherFaultError,
    Model,
    NoMatcherError,
    NotDerivable,
    Reference,
    Row,
    UnsafeBodyError,
    UnstratifiedError,
    answer,
    applied_rules,
    certificate,
    check,
    evaluate,
    evaluate_by_definition,
    expand,
    prove,
    stratify,
)
from engine.arithmetic import value_of

EDGES: Sequence[Row] = [(1, 2), (2, 3), (3, 4), (4, 2), (5, 5)]
PAIRS: Sequence[Row] = [(1, 2), (1, 3), (2, 2), (3, -1), (3, 0)]
RICH_CASES: tuple[Case, ...] = (
    case("p n k :- n = sum y { a _ y }, k = count { a x y, b x }", a=PAIRS, b=[(1,), (3,)]),
    case("p x n m :- b x, n = min y { a x y }, m = max y-x { a x y }", a=PAIRS, b=[(1,), (3,), (7,)]),
    case("p x n :- b x, n = sum y*y { a x y, !c y, y != 3 }", a=PAIRS, b=[(1,), (3,)], c=[(0,)]),
    case("p x :- a x y, z = y+1, 5-z = w, w > 2, x+z != 4, !a w-2 _", a=PAIRS),
    case("p x/y x%y :- a x _, a _ y, y != 0", a=[*PAIRS, (-7, 2)]),
    case("t x y :- e x y\nt x z :- t x y, t y z\nu x n :- t x _, n = count { t x y, e y x }", e=EDGES),
    case("a: p x :- e x _\na2: q y :- p x, e x y, q x\nb: q x :- p x, e x x\nc: p y :- q x, e x y", e=EDGES),
    case("n 0 :-\nm: n (y+1)%6 :- n y, y < 9\nk: s x y :- n x, n x+1, x = y", e=[]),
    case("t: t x z :- t x y, e y z, t x x\nu: t x y :- e x y\nv: t y x :- t x y, t y z, e z _", e=EDGES),
    case("p n :- n = count { a x y, a x z }\nq n :- a _ n, n = min z { a z _ }", a=PAIRS),
    case("p x n :- b x, n = count { a x y, a 3 y }\nr x :- a x 2, !a 3 x", a=PAIRS, b=[(1,), (3,)]),
    case("r: r y :- e x y, r x\ns: r 1 :-\nt: s x z :- e x y, s y z\nu: s x y :- e x y", e=EDGES),
    case("p n :- n = count { a x y, x > 99 }\nq n :- n = max x { a x y, x > 99 }", a=PAIRS),
)  # fmt: skip
EVALUATORS: tuple[Callable[..., Model], ...] = (evaluate, evaluate_by_definition)
FAULTS: tuple[tuple[str, str | None], ...] = (
    ("r: p 1/x :- a x", "division by zero in rule `r`"),
    ("r: p 1%x :- a x", "division by zero in rule `r`"),
    ("r: p x :- a x, 1/x > 0, x != 0", "division by zero in rule `r`"),
    ("r: p x :- a x, x != 0, 1/x > 0", None),
    ("r: p x :- a x, 1/x > 0, b x", None),
    (f"r: p n :- n = sum x+{2**63 - 2} {{ a x }}", "number outside 64 bits in rule `r`"),
    (f"r: p x+{2**63 - 1} :- a x", "number outside 64 bits in rule `r`"),
    (f"r: p x :- a x, y = {2**62}*(x+1)", "number outside 64 bits in rule `r`"),
)


def arithmetic_fails_where_it_must() -> None:
    for text, message in FAULTS:
        made = case(f"{text}\nz: z x :- b x", a=[(0,), (1,)])
        for run in EVALUATORS:
            act = partial(run, made.program, made.facts, [], Limits())
            assert message_of(ArithmeticFaultError, act) == message, text
    for left, right, quotient, rest in ((7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1)):  # fmt: skip
        for sign, wanted in (("/", quotient), ("%", rest)):
            assert value_of(Arithmetic(sign, Constant(left), Constant(right)), {}) == wanted


def message_of(kind: type[Exception], act: Callable[[], object]) -> str | None:
    """What an error of this kind says; None iff there is none."""
    try:
        act()
    except kind as error:
        return str(error)
    return None


def unsafe_bodies_are_refused() -> None:
    for text in ("p x :- a y", "p x :- a y, !a x", "p n :- n = sum x { a y }", "p 1 :- x = y, a z"):
        made = case(text, a=[(1,)])
        for run in EVALUATORS:
            raises(UnsafeBodyError, run, made.program, made.facts, [], Limits())
    shared = case("p n :- a x, n = count { b x }, x < y, y = n", a=[(1,)], b=[(2,)])
    assert evaluate(shared.program, shared.facts, [], Limits()).of("p") == frozenset()
    raises(UnstratifiedError, stratify, case("p n :- a x, n = count { p x }").program.rules)


def raises(kind: type[Exception], act: Callable[..., object], *arguments: object) -> None:
    try:
        act(*arguments)
    except kind:
        return
    raise AssertionError(kind.__name__)


def unable(_: Row) -> bool:
    raise MatcherFaultError("no pattern")


def matchers_are_asked_in_their_place() -> None:
    text = "r: p x :- a x, y > 5, m x, a y\ns: q x :- a x, m x\nt: s x :- a x, !m x"
    made = with_computed(case(text, a=[(1,), (2,)]), m="even")
    even = {"even": lambda row: row[0] == 2}
    for run in EVALUATORS:
        raises(NoMatcherError, run, made.program, made.facts, [], Limits())
        part = replace(made.program, rules=made.program.rules[:1])
        assert run(part, made.facts, [], Limits(), {"even": unable}).of("p") == frozenset()
        model = run(made.program, made.facts, [], Limits(), even)
        assert [*model.of("q"), *model.of("s")] == [(2,), (1,)]
        assert applied_rules(model) == {"s", "t"}
    written = honest(model, made, ("q", (2,)))
    for matchers, status in ((even, "verified"), ({}, "unchecked"), ({"even": lambda _: False}, "refused"), ({"even": unable}, "refused")):  # fmt: skip
        found = check(
            written, made.program, VERSION, named(made.facts), Limits(), matchers=matchers
        )
        assert found.status == status, found.reason
    outcomes = [
        answer(made.program, made.facts, ("q", (2,)), Limits(), even),
        answer(made.program, made.facts, ("q", (1,)), Limits(), even),
        answer(made.program, made.facts, ("q", (1,)), Limits(join_rows=0), even),
        answer(made.program, made.facts, ("q", (1,)), Limits()),
        answer(made.program, made.facts, ("q", (None,)), Limits(), {"even": unable}),
    ]
    assert [type(found) for found in outcomes] == [
        Derived,
        NotDerivable,
        LimitReached,
        Failed,
        Failed,
    ]


def honest(model: Model, made: Case, ground: tuple[str, Row]) -> Forged:
    written: Forged = json.loads(
        json.dumps(certificate(prove(model, *ground), VERSION, [*named(made.facts)], {}))
    )
    return written


JOINS: tuple[tuple[str, int], ...] = (
    ("t0: t x y :- e x y\nt1: t x z :- t x y, e y z", 3 + (3 + 2 + 1) + (2 + 1)),
    # the first round reads e for t1 too
    ("t0: t x y :- e x y\nt1: t x z :- e y z, t x y", 3 + 3 + (3 + 2 + 1) + (2 + 1)),
    # both atoms look at each new row, the first at all onward ones, the second at older ones before
    ("t0: t x y :- e x y\nt1: t x z :- t x y, t y z", 3 + (3 + 2 + 1) * 2 + (2 + 2)),
)


def no_join_is_made_twice() -> None:
    for text, joins in JOINS:
        made = case(text, e=EDGES[:3])
        model = evaluate(made.program, made.facts, [], Limits())
        assert model.bounds["join_rows"]["used"] == joins, text


def false_places_are_refused_without_the_facts() -> None:
    made = RICH_CASES[1]
    model = evaluate(made.program, made.facts, [], Limits())
    for field, lie in (("binding", {}), ("binding", {"x": 7}), ("value", 99), ("position", 0)):
        forged = honest(model, made, ("p", (1, 2, 2)))
        assert all(step["id"] == step_id(step) for step in forged["derivation_trace"])
        next(s for s in forged["derivation_trace"] if s["kind"] == "aggregate")[field] = lie
        repair(forged)
        assert check(forged, made.program, VERSION, None, Limits()).status == "refused", field
    twins = case("p n m :- n = count { a _ _ }, m = count { b _ }", a=PAIRS[:2], b=[(1,), (3,)])
    model = evaluate(twins.program, twins.facts, [], Limits())
    forged = honest(model, twins, ("p", (2, 2)))
    forged["derivation_trace"][-1]["premises"].reverse()
    repair(forged)
    assert check(forged, twins.program, VERSION, None, Limits()).status == "refused"
    backwards = evaluate(twins.program, twins.facts[::-1], [], Limits())
    assert prove(backwards, "p", (2, 2)) == prove(model, "p", (2, 2))
    forged = honest(model, twins, ("p", (2, 2)))
    next(s for s in forged["derivation_trace"] if s["kind"] == "aggregate")["premises"].reverse()
    repair(forged)
    at_hand = named(twins.facts)
    assert check(forged, twins.program, VERSION, at_hand, Limits()).status == "refused"


def aggregates_are_rechecked() -> None:
    made = RICH_CASES[0]
    model = evaluate(made.program, made.facts, [], Limits())
    (row,) = model.of("p")
    for field, lie in (("value", 7), ("count", 4), ("contributions", "0"), ("position", 1), ("binding", {"z": 1}), ("premises", [])):  # fmt: skip
        forged = honest(model, made, ("p", row))
        step = next(s for s in forged["derivation_trace"] if s["kind"] == "aggregate")
        step[field] = lie
        if field == "value":
            last = forged["derivation_trace"][-1]
            last["binding"]["n"] = last["values"][0] = lie
            forged["conclusion"]["values"] = last["values"]
        repair(forged)
        verdict = check(forged, made.program, VERSION, named(made.facts), Limits())
        assert verdict.status == "refused", field
    empty = case("p n :- n = count { 1 < 2 }")
    forged = honest(evaluate(empty.program, [], [], Limits()), empty, ("p", (1,)))
    forged["derivation_trace"][0]["contributions"] = "0"
    repair(forged)
    assert check(forged, empty.program, VERSION, named(()), Limits()).status == "refused"
    for size, is_named in ((32, True), (33, False)):
        many = case("p n :- n = sum y { a _ y }", a=[(i, 1) for i in range(size)])
        model = evaluate(many.program, many.facts, [], Limits())
        proof = prove(model, "p", (size,))
        found = next(step for step in proof.steps if isinstance(step, Aggregated))
        assert (found.count, len(found.premises)) == (size, size if is_named else 0)
        assert expand(model, found) == tuple(("a", (i, 1)) for i in range(size))
        other = (*many.facts[1:], Fact.of("a", (99, 1), "s"))
        written = certificate(proof, VERSION, [*named(other)], {})
        verdict = check(written, many.program, VERSION, named(other), Limits())
        assert verdict.status == "refused"


def keys_and_references_hold() -> None:
    program = case("p x :- a x y, b x", a=[(1, 2)], b=[(1,)]).program
    a, b = program.relations["a"], program.relations["b"]
    there = {**program.relations, "a": replace(a, keys=(("c1",),)), "b": b}
    keyed = replace(program, relations=there)
    tied = {**there, "b": replace(b, references=(Reference(("c0",), "a", ("c1",)),))}
    bound = replace(program, relations=tied)
    for rows, held, is_bound in (
        ([("a", (1, 2)), ("a", (1, 3)), ("b", (2,))], True, True),
        ([("a", (1, 2)), ("a", (3, 2))], False, False),
        ([("a", (1, 2)), ("b", (1,))], True, False),
    ):
        facts = [Fact.of(name, row, "s") for name, row in rows]
        for target, is_well in ((keyed, held), (bound, is_bound)):
            if is_well:
                evaluate(target, facts, [], Limits())
            else:
                raises(FactRefusedError, evaluate, target, facts, [], Limits())
    twice = [Fact("b", (True,), "s", "~"), Fact.of("b", (1,), "s")]
    raises(FactRefusedError, evaluate, program, twice, [], Limits())


def heads_of_other_rules_do_not_fail() -> None:
    made = case("a: p x 10/x :- a x, x != 0\nb: p 0 5 :- a 0", a=[(0,), (5,)])
    model = evaluate(made.program, made.facts, [], Limits())
    assert prove(model, "p", (0, 5)).supporting_rule_ids == ("b",)
    late = case("r: p x :- a x, b x", a=[(1,)], b=[(i,) for i in range(200)])
    crossed = replace(late.program, rules=case("r: p x :- b x, b y, x+y < 0").program.rules)
    tight = Limits(join_rows=10**6)
    act = partial(evaluate, crossed, late.facts, [], tight, expired=lambda: True)
    wanted = "limit `wall_time` reached in relation `p`, rule `r`"
    assert message_of(LimitReachedError, act) == wanted


RICH_CHECKS: tuple[Callable[[], None], ...] = (
    arithmetic_fails_where_it_must,
    unsafe_bodies_are_refused,
    matchers_are_asked_in_their_place,
    aggregates_are_rechecked,
    no_join_is_made_twice,
    false_places_are_refused_without_the_facts,
    keys_and_references_hold,
    heads_of_other_rules_do_not_fail,
)
