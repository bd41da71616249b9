"""The four outcomes of a question, and what matchers and the clock have to do with them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from engine_models import VERSION, Case, named
from engine_notation import case, with_computed

from engine import (
    Derived,
    Failed,
    LimitReached,
    LimitReachedError,
    Limits,
    MatcherFaultError,
    NoMatcherError,
    NotDerivable,
    Row,
    Status,
    answer,
    applied_rules,
    certificate,
    check,
    evaluate,
    evaluate_by_definition,
    prove,
    set_digest,
)

Question = tuple[str, tuple[str | int | None, ...]]
Matcher = Callable[[Row], bool]

LIKE = with_computed(
    case("r: p x y :- a x, b y, like x y\ns: q x :- a x, x > 1", a=[(1,), (2,)], b=[(2,)]),
    like="same",
)


def same(row: Row) -> bool:
    return row[0] == row[1]


def unable(row: Row) -> bool:
    raise MatcherFaultError(f"`{row[0]}` is no pattern")


OUTCOMES: dict[str, tuple[Question, Limits, dict[str, Matcher], type, str]] = {
    "a row that follows": (("p", (2, None)), Limits(), {"same": same}, Derived, ""),
    "a row that does not": (("p", (1, None)), Limits(), {"same": same}, NotDerivable, ""),
    "a relation that is not declared": (("z", (1,)), Limits(), {"same": same}, NotDerivable, ""),
    "a truth value": (("q", (True,)), Limits(), {}, NotDerivable, ""),
    "a limit": (
        ("p", (2, 2)),
        Limits(join_rows=1),
        {"same": same},
        LimitReached,
        "limit `join_rows` of 1 reached in relation `p`, rule `r`",
    ),
    "a matcher that is missing": (
        ("p", (2, 2)),
        Limits(),
        {},
        Failed,
        "relation `like` needs the matcher `same`",
    ),
    "a matcher that fails": (
        ("p", (2, 2)),
        Limits(),
        {"same": unable},
        Failed,
        "`1` is no pattern",
    ),
    "a relation that needs no matcher": (("q", (2,)), Limits(), {}, Derived, ""),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_outcome_of(name: str) -> None:
    question, limits, matchers, kind, message = OUTCOMES[name]
    outcome = answer(LIKE.program, LIKE.facts, question, limits, matchers)
    assert type(outcome) is kind
    assert getattr(outcome, "message", "") == message


FAULTS: dict[str, tuple[str, str | None]] = {
    "a division by zero": ("r: p 1/x :- a x", "division by zero in rule `r`"),
    "a remainder by zero": ("r: p x :- a x, 1%x = 0", "division by zero in rule `r`"),
    "a sum outside 64 bits": (
        f"r: p x :- a x, x+{2**63 - 1} > 0",
        "number outside 64 bits in rule `r`",
    ),
    "a sum over rows outside 64 bits": (
        f"r: p n :- n = sum x+{2**63 - 2} {{ a x }}",
        "number outside 64 bits in rule `r`",
    ),
    "the one quotient that does not fit": (
        f"r: p x :- a x, y = {-(2**63)}/(x-1)",
        "number outside 64 bits in rule `r`",
    ),
    "a division that an earlier test guards": ("r: p 1/x :- a x, x != 0", None),
    "a division that a later test guards": (
        "r: p x :- a x, 1/x = 1, x != 0",
        "division by zero in rule `r`",
    ),
    "a division behind an atom that is empty": ("r: p x :- a x, 1/x = 1, b _", None),
    "a division in the body of an aggregate": (
        "r: p n :- n = count { a x, 1/x = 1 }",
        "division by zero in rule `r`",
    ),
    "a target that the body guards": ("r: p n :- n = sum 1/x { a x, x > 0 }", None),
    "a rule that is not asked for": ("r: p x :- a x\nz: q 1/x :- a x", None),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_arithmetic_fails_or_not_for(name: str) -> None:
    text, message = FAULTS[name]
    made = case(text, a=[(0,), (1,)], b=[])
    relations = made.program.relations
    if "b" not in relations or not relations["b"].columns:
        b = case("p x :- b x", b=[(1,)]).program.relations["b"]
        made = Case(replace(made.program, relations={**relations, "b": b}), made.facts)
    outcome = answer(made.program, made.facts, ("p", (None,)), Limits())
    assert getattr(outcome, "message", None) == message
    assert isinstance(outcome, Derived | NotDerivable if message is None else Failed)


LATE: dict[str, tuple[str, dict[str, Matcher]]] = {
    "an atom behind it is empty": ("r: p x :- a x, like x x, b x", {"same": unable}),
    "a test before it fails": ("r: p x :- a x, y > 5, like x x, a y", {"same": unable}),
    "its denial stands behind an empty atom": ("r: p x :- a x, !like x x, b x", {}),
}


@pytest.mark.parametrize("name", LATE)
def test_neither_evaluator_asks_a_matcher_when(name: str) -> None:
    """A matcher may fail, so that no plan may ask it earlier than the definition does."""
    text, matchers = LATE[name]
    made = with_computed(case(text, a=[(1,), (2,)]), like="same")
    for model in (
        evaluate_by_definition(made.program, made.facts, [], Limits(), matchers),
        evaluate(made.program, made.facts, [], Limits(), matchers),
    ):
        assert model.of("p") == frozenset()
        assert applied_rules(model) == frozenset()


def test_a_matcher_is_asked_for_by_name_when_it_is_needed() -> None:
    for run in (evaluate, evaluate_by_definition):
        with pytest.raises(NoMatcherError, match="relation `like` needs the matcher `same`"):
            run(LIKE.program, LIKE.facts, [], Limits())
        assert run(LIKE.program, LIKE.facts[:2], [], Limits()).of("p") == frozenset()


def checked(**matchers: Matcher) -> Status:
    """The verdict over the certificate of `p(2, 2)` with some matchers."""
    model = evaluate(LIKE.program, LIKE.facts, [], Limits(), {"same": same})
    written = certificate(prove(model, "p", (2, 2)), VERSION, [set_digest(LIKE.facts)], {})
    at_hand = named(LIKE.facts)
    return check(written, LIKE.program, VERSION, at_hand, Limits(), matchers=matchers).status


def test_the_checker_asks_the_matcher_itself() -> None:
    assert checked(same=same) is Status.VERIFIED
    assert checked() is Status.UNCHECKED
    assert checked(same=lambda _: False) is Status.REFUSED
    assert checked(same=unable) is Status.REFUSED


def test_a_missing_matcher_hides_no_false_step() -> None:
    made = with_computed(case("r: p x :- a x, m x\ns: q y :- p x, b y", a=[(1,)], b=[(2,)]), m="m")
    model = evaluate(made.program, made.facts, [], Limits(), {"m": lambda _: True})
    written = certificate(prove(model, "q", (2,)), VERSION, [set_digest(made.facts)], {})
    assert check(written, made.program, VERSION, None, Limits()).status is Status.UNCHECKED
    less = case("r: p x :- a x, m x\ns: q y :- p x, b y, y < x", a=[(1,)], b=[(2,)])
    other = with_computed(less, m="m").program
    for at_hand in (None, named(made.facts)):
        assert check(written, other, VERSION, at_hand, Limits()).status is Status.REFUSED


MANY = case("r: p x y :- a x, b y", a=[(i,) for i in range(150)], b=[(i,) for i in range(150)])


def test_the_wall_time_is_a_limit_of_its_own_and_asked_now_and_then() -> None:
    asked: list[bool] = []

    def expired(*, after: int) -> bool:
        asked.append(True)
        return len(asked) > after

    with pytest.raises(LimitReachedError) as reached:
        evaluate(MANY.program, MANY.facts, [], Limits(), expired=lambda: expired(after=1))
    assert (reached.value.limit, reached.value.value) == ("wall_time", None)
    assert str(reached.value) == "limit `wall_time` reached in relation `p`, rule `r`"
    asked.clear()
    evaluate(MANY.program, MANY.facts, [], Limits(), expired=lambda: expired(after=99))
    assert 4 <= len(asked) <= 9  # 45,000 rows and joins, and at most one more for each count


def test_a_small_evaluation_never_asks_the_clock() -> None:
    def expired() -> bool:
        raise AssertionError

    assert evaluate(LIKE.program, LIKE.facts[:2], [], Limits(), expired=expired).of("q") == {(2,)}
