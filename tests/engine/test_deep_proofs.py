"""Proofs that are deep, and rows that have very many proofs to choose from."""

import time
import tracemalloc
from collections.abc import Sequence

import pytest
from engine_models import VERSION, Case, named
from engine_notation import case, made

from engine import Fact, Limits, Model, Row, Status, certificate, check, evaluate, prove
from engine.derivations import Derivation, Given, Inference
from engine.rows import Rows

DEPTH = 100_000
ROOMY = Limits(base_facts=10**7, join_rows=10**7, derived_rows=10**7, rounds=10**7)
REACH = "reach x :- start x, !closed x\nreach y :- reach x, edge x y"


def model_with(case: Case, rounds: Sequence[tuple[str, Row, int]]) -> Model:
    """A model whose rounds are known beforehand; the naive evaluation of a chain is quadratic."""
    rows = Rows()
    for fact in case.facts:
        rows.add(fact.relation, fact.values, 0)
    for relation, row, number in rounds:
        rows.add(relation, row, number)
    return Model(case.program, rows, {(f.relation, f.values): f for f in case.facts}, {})


def chain(length: int) -> Model:
    """What `REACH` gives along a chain of edges."""
    edges = [(i, i + 1) for i in range(length)]
    reached: list[tuple[str, Row, int]] = [("reach", (i,), i + 1) for i in range(length + 1)]
    return model_with(case(REACH, start=[(0,)], edge=edges), reached)


def depth_of(derivation: Derivation) -> int:
    depth: dict[str, int] = {}
    for step in derivation.steps:
        below = step.premises if isinstance(step, Inference) else ()
        depth[step.id] = 1 + max((depth[name] for name in below), default=0)
    return depth[derivation.steps[-1].id]


def test_the_chain_made_by_hand_is_the_one_that_the_definition_gives() -> None:
    by_hand = chain(30)
    model = evaluate(by_hand.program, by_hand.facts.values(), [], ROOMY)
    assert [(r, model.rows.round_of("reach", r)) for r in model.rows.of("reach")] == [
        (r, by_hand.rows.round_of("reach", r)) for r in by_hand.rows.of("reach")
    ]
    assert prove(model, "reach", (30,)) == prove(by_hand, "reach", (30,))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("depth", [10_000, pytest.param(DEPTH, marks=pytest.mark.soak)])
def test_a_proof_as_deep_as_that_is_made_written_and_checked(depth: int) -> None:
    model = chain(depth)
    facts = tuple(model.facts.values())
    started = time.process_time()
    derivation = prove(model, "reach", (depth,))
    assert depth_of(derivation) == depth + 2
    assert len(derivation.steps) == 2 * depth + 3
    written = certificate(derivation, VERSION, list(named(facts)), {})
    verdict = check(written, model.program, VERSION, named(facts), ROOMY)
    assert (verdict.status, verdict.reason) == (Status.VERIFIED, f"{2 * depth + 3} steps hold")
    assert time.process_time() - started < 90  # 15 when it is linear, hours when it is quadratic


BODIES: dict[str, str] = {
    "the recursive atom stands first": "reach y :- reach x, edge x y",
    "the recursive atom stands last": "reach y :- edge x y, reach x",
    "an unrelated relation with many rows": "reach y :- reach x, edge x y, edge w z",
    "a wildcard over many rows": "reach y :- reach x, edge _ _, edge x y",
    "a test on the unrelated rows": "reach y :- reach x, edge x y, edge w z, w != z, w < y",
    "a negation of many rows": "reach y :- reach x, edge x y, !edge 5 7, !edge y x",
}


@pytest.mark.parametrize("name", BODIES)
def test_the_search_for_a_proof_is_not_quadratic_in_the_rows_when(name: str) -> None:
    length = 4_000
    edges = [(i, i + 1) for i in range(length)]
    program = case(f"reach x :- start x\n{BODIES[name]}", start=[(0,)], edge=edges)
    reached: list[tuple[str, Row, int]] = [("reach", (i,), i + 1) for i in range(length + 1)]
    model = model_with(program, reached)
    started = time.process_time()
    derivation = prove(model, "reach", (length,))
    spent_seconds = time.process_time() - started
    last = derivation.steps[-1]
    assert isinstance(last, Inference)
    binding = {"x": length - 1, "y": length, "w": 0, "z": 1}
    assert dict(last.binding) == {n: v for n, v in binding.items() if n in dict(last.binding)}
    assert depth_of(derivation) == length + 2
    assert spent_seconds < 4  # 0.3 when each step looks up its edge, 30 when it tries all rows


def test_one_of_very_many_proofs_is_found_without_building_the_others() -> None:
    numbers = [(i,) for i in range(250)]
    made = case("p :- a x, b y, c z", a=numbers, b=numbers, c=numbers[:2])
    model = evaluate(made.program, made.facts, [], ROOMY)
    tracemalloc.start()
    try:
        derivation = prove(model, "p", ())
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    last = derivation.steps[-1]
    assert isinstance(last, Inference)
    assert last.binding == (("x", 0), ("y", 0), ("z", 0))
    assert peak_bytes < 1_000_000  # 125,000 bindings would take 60 times as much


def test_a_row_with_exponentially_many_proofs_has_a_small_one() -> None:
    diamonds = 16
    edges = [(3 * i, 3 * i + j) for i in range(diamonds) for j in (1, 2)]
    edges += [(3 * i + j, 3 * i + 3) for i in range(diamonds) for j in (1, 2)]
    made = case("t x y :- e x y\nt x z :- t x y, e y z", e=edges)
    model = evaluate(made.program, made.facts, [], ROOMY)
    derivation = prove(model, "t", (0, 3 * diamonds))
    used = {step.values for step in derivation.steps if isinstance(step, Given)}
    assert used == {
        e for i in range(diamonds) for e in ((3 * i, 3 * i + 1), (3 * i + 1, 3 * i + 3))
    }


def test_premises_that_are_shared_stand_once_in_the_trace() -> None:
    rules = "n0 x :- a x\n" + "\n".join(f"n{i + 1} x :- n{i} x, n{i} x" for i in range(40))
    made = case(rules, a=[(1,)])
    model = evaluate(made.program, made.facts, [], ROOMY)
    assert len(prove(model, "n40", (1,)).steps) == 42


def test_a_rule_with_1200_atoms_is_evaluated_proved_and_checked() -> None:
    body = ", ".join(f"e x{i} x{i + 1}" for i in range(1_200))
    made = case(f"p x0 :- {body}", e=[(1, 1)])
    model = evaluate(made.program, made.facts, [], ROOMY)
    written = certificate(prove(model, "p", (1,)), VERSION, list(named(made.facts)), {})
    assert check(written, made.program, VERSION, named(made.facts), ROOMY).status == "verified"


def test_a_negation_does_not_walk_through_the_rows_that_it_denies() -> None:
    numbers = [(i,) for i in range(25_000)]
    made = case("p x :- a x, !b _\nq x :- a x, !p _", a=numbers, b=numbers)
    started = time.process_time()
    model = evaluate(made.program, made.facts, [], ROOMY)
    assert (len(model.of("p")), len(model.of("q"))) == (0, 25_000)
    assert time.process_time() - started < 3  # 0.4 when it asks once, 6 when it copies the rows


def test_facts_of_one_relation_are_checked_in_good_time() -> None:
    facts = tuple(Fact.of("a", (i,), "s") for i in range(10_000))
    made_case = made(case("p x :- a x, !p2 x\np2 x :- a x, x < 0").program.rules, {"a": []})
    started = time.process_time()
    model = evaluate(made_case.program, facts, [], ROOMY)
    written = certificate(prove(model, "p", (9_999,)), VERSION, list(named(facts)), {})
    assert check(written, made_case.program, VERSION, named(facts), ROOMY).status == "verified"
    assert time.process_time() - started < 10
