"""One honest certificate, with ways to break it."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from engine_digest import digest_of
from engine_models import VERSION, named
from engine_notation import case
from engine_repair import Forged, repair, step_id

from engine import Json, Limits, Verdict, certificate, check, evaluate, prove

MADE = case(
    "near: near x y :- road x y, x != y, !closed x _\n"
    "far: near x z :- near x y, near y z, x < z\n"
    "shut: closed x k :- works x, kind k",
    road=[(1, 2), (2, 3), (3, 3)],
    works=[(3,)],
    kind=[("gas",)],
)
FACTS = MADE.facts
Break = Callable[[Forged], object]


def honest() -> Forged:
    """The certificate of `near(1, 3)`: given, absence, rule, given, absence, rule, rule."""
    read: Forged = json.loads(_honest())
    return read


@cache
def _honest() -> str:
    model = evaluate(MADE.program, FACTS, [], Limits())
    proof = prove(model, "near", (1, 3))
    return json.dumps(certificate(proof, VERSION, list(named(FACTS)), model.bounds))


def verdict_of(value: object) -> Verdict:
    return check(value, MADE.program, VERSION, named(FACTS), Limits())


def trace(forged: Forged) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = forged["derivation_trace"]
    return steps


def step(number: int, **fields: object) -> Break:
    """Change fields of one step."""
    return lambda forged: trace(forged)[number].update(fields)


def top(**fields: object) -> Break:
    """Change fields of the certificate itself."""
    return lambda forged: forged.update(fields)


def renamed(number: int, **fields: object) -> Break:
    """Change fields of one step, and give it and all that stands on it the ids of their content."""

    def change(forged: Forged) -> None:
        trace(forged)[number].update(fields)
        rename(forged)

    return change


def in_last(change: Callable[[list[str]], object]) -> Break:
    """Change the premises of the last step, and give it the id of its new content."""

    def apply(forged: Forged) -> None:
        change(trace(forged)[-1]["premises"])
        rename(forged)

    return apply


def rename(forged: Forged) -> None:
    """Give every step the id of its content, and nothing else."""
    renamed: dict[str, str] = {}
    for found in trace(forged):
        if found["kind"] == "rule":
            found["premises"] = [renamed.get(name, name) for name in found["premises"]]
        renamed[found["id"]] = found["id"] = step_id(found)


def foreign_fact(forged: Forged) -> None:
    """A fact that fits its rule and is nowhere among the given ones."""
    trace(forged)[0]["source"] = "another record"
    repair(forged)


BROKEN: dict[str, tuple[Break, str]] = {
    "another value in the conclusion": (
        top(conclusion={"relation": "near", "values": [1, 4]}),
        "the last step is not the conclusion",
    ),
    "another relation in the conclusion": (
        top(conclusion={"relation": "road", "values": [1, 3]}),
        "the last step is not the conclusion",
    ),
    "another value in the last step": (step(-1, values=[1, 4]), "wrong id"),
    "another value in the last step, under its id": (renamed(-1, values=[1, 4]), "conclusion"),
    "another binding": (step(-1, binding={"x": 1, "y": 3, "z": 3}), "wrong id"),
    "another binding, under its id": (
        renamed(-1, binding={"x": 1, "y": 3, "z": 3}),
        "wrong premise",
    ),
    "a binding with a variable too many": (
        renamed(-1, binding={"x": 1, "y": 2, "z": 3, "w": 1}),
        "wrong binding",
    ),
    "a binding with a variable too few": (renamed(-1, binding={"x": 1, "z": 3}), "wrong binding"),
    "the id of another rule": (step(-1, rule_id="near"), "rule_ids differ"),
    "a rule that there is not": (step(2, rule_id="nowhere"), "rule_ids differ"),
    "a premise dropped": (step(-1, premises=[]), "wrong id"),
    "a premise dropped, under its id": (in_last(list.pop), "wrong premise"),
    "a premise too many, under its id": (
        in_last(lambda premises: premises.append(premises[0])),
        "wrong number of premises",
    ),
    "premises in another order": (in_last(list.reverse), "wrong premise"),
    "a premise that comes later": (
        lambda forged: forged.update(derivation_trace=trace(forged)[::-1]),
        "wrong premise",
    ),
    "a step taken out": (lambda forged: trace(forged).pop(1), "wrong premise"),
    "a step that stands twice": (
        lambda forged: trace(forged).insert(1, trace(forged)[0]),
        "stands twice",
    ),
    "a step that nothing stands on": (
        lambda forged: trace(forged).insert(0, unused_step()),
        "nothing stands on",
    ),
    "a fact id of another fact": (step(0, fact_id="0" * 64), "input_fact_ids differ"),
    "another source": (step(0, source="another record"), "wrong id"),
    "another source, under its id": (renamed(0, source="another record"), "wrong fact id"),
    "a fact that is not among the given ones": (foreign_fact, "not among the given facts"),
    "an absence made wider": (renamed(1, pattern=[None, None]), "wrong premise"),
    "an absence made narrower": (renamed(1, pattern=[1, "gas"]), "wrong premise"),
    "an absence of another relation": (renamed(1, relation="works"), "wrong relation"),
    "an absence with a column too few": (renamed(1, pattern=[1]), "wrong relation"),
    "an input fact left out": (
        lambda forged: forged["input_fact_ids"].pop(),
        "input_fact_ids differ",
    ),
    "input facts in another order": (
        lambda forged: forged["input_fact_ids"].reverse(),
        "input_fact_ids differ",
    ),
    "a supporting rule left out": (
        lambda forged: forged["supporting_rule_ids"].pop(),
        "supporting_rule_ids differ",
    ),
    "another version of the rules": (top(ruleset_version="other rules"), "names other rules"),
    "an empty trace": (
        top(derivation_trace=[], input_fact_ids=[], supporting_rule_ids=[]),
        "the trace is empty",
    ),
}


def unused_step() -> dict[str, Json]:
    found: dict[str, Json] = {"kind": "absence", "relation": "closed", "pattern": [7, None]}
    return {**found, "id": digest_of(["absence", "closed", [7, None]])}
