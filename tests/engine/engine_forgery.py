"""The forger: alters any field of a certificate and then repairs every hash that it can.

An early change is followed by a repair of the ids of all steps, of fact ids, and of the two lists
that are read off the trace; a late one by a repair of the certificate's digest alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from engine_repair import Forged, Step


@dataclass(frozen=True)
class Pool:
    """What a forger knows: values, relations, rules, names, digests, and steps of other proofs."""

    values: Sequence[str | int]
    relations: Sequence[str]
    rule_ids: Sequence[str]
    variables: Sequence[str]
    digests: Sequence[str]
    steps: Sequence[Step]


def _steps(forged: Forged, *kinds: str) -> list[Step]:
    steps: list[Step] = [s for s in forged["derivation_trace"] if not kinds or s["kind"] in kinds]
    return steps


def _rowed(forged: Forged) -> list[Step]:
    """The steps that speak of a relation: all but aggregates."""
    return _steps(forged, "given", "absence", "computed", "rule")


def _row(step: Step) -> list[Any]:
    row: list[Any] = step["pattern"] if step["kind"] == "absence" else step["values"]
    return row


def _some_row(random: Random, forged: Forged) -> list[Any]:
    """The row of some step; an empty one once only aggregates are left."""
    rows = [_row(step) for step in _rowed(forged)]
    return random.choice(rows) if rows else []


def _change_value(random: Random, forged: Forged, pool: Pool) -> None:
    row = _some_row(random, forged)
    if row:
        row[random.randrange(len(row))] = random.choice(pool.values)


def _change_value_everywhere(random: Random, forged: Forged, pool: Pool) -> None:
    old, new = random.choice(pool.values), random.choice(pool.values)
    for step in _steps(forged):
        row = [] if step["kind"] == "aggregate" else _row(step)
        row[:] = [new if (type(v), v) == (type(old), old) else v for v in row]
        if step.get("value") == old and isinstance(new, int):
            step["value"] = new
        for name, value in step.get("binding", {}).items():
            if (type(value), value) == (type(old), old):
                step["binding"][name] = new
    _follow_the_last_step(forged)


def _follow_the_last_step(forged: Forged) -> None:
    last = forged["derivation_trace"][-1]
    if "values" in last:
        forged["conclusion"] = {"relation": last["relation"], "values": list(last["values"])}


def _change_row_length(random: Random, forged: Forged, pool: Pool) -> None:
    row = _some_row(random, forged)
    if row and random.random() < 0.5:
        row.pop()
    else:
        row.append(random.choice(pool.values))


def _change_relation(random: Random, forged: Forged, pool: Pool) -> None:
    for step in random.sample(_rowed(forged), min(1, len(_rowed(forged)))):
        step["relation"] = random.choice(pool.relations)


def _change_binding(random: Random, forged: Forged, pool: Pool) -> None:
    for step in random.sample(_steps(forged, "rule"), min(1, len(_steps(forged, "rule")))):
        if step["binding"]:
            step["binding"][random.choice(sorted(step["binding"]))] = random.choice(pool.values)


def _drop_binding(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _steps(forged, "rule")[-1:]:
        if step["binding"]:
            del step["binding"][random.choice(sorted(step["binding"]))]
        else:
            step["binding"][random.choice(pool.variables)] = random.choice(pool.values)


def _add_binding(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _steps(forged, "rule")[-1:]:
        step["binding"][random.choice(pool.variables)] = random.choice(pool.values)


def _change_rule(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _steps(forged, "rule")[-1:]:
        step["rule_id"] = random.choice(pool.rule_ids)


def _premises_of_a_step(random: Random, forged: Forged) -> list[str]:
    found: list[list[str]] = [s["premises"] for s in _steps(forged) if s.get("premises")]
    return random.choice(found) if found else []


def _drop_premise(random: Random, forged: Forged, _: Pool) -> None:
    premises = _premises_of_a_step(random, forged)
    if premises:
        premises.pop(random.randrange(len(premises)))


def _add_premise(random: Random, forged: Forged, _: Pool) -> None:
    premises = _premises_of_a_step(random, forged)
    premises.insert(random.randint(0, len(premises)), random.choice(_steps(forged))["id"])


def _swap_premises(random: Random, forged: Forged, _: Pool) -> None:
    random.shuffle(_premises_of_a_step(random, forged))


def _replace_premise(random: Random, forged: Forged, _: Pool) -> None:
    premises = _premises_of_a_step(random, forged)
    if premises:
        premises[random.randrange(len(premises))] = random.choice(_steps(forged))["id"]


def _retell_premise(random: Random, forged: Forged, pool: Pool) -> None:
    """Put another step of the same relation in place of a given one: true where it fits."""
    for step in _steps(forged, "given")[:1]:
        like = [s for s in pool.steps if s["kind"] == "given" and s["relation"] == step["relation"]]
        step.update({**random.choice(like), "id": step["id"]} if like else {})


def _widen_absence(random: Random, forged: Forged, _: Pool) -> None:
    for step in _steps(forged, "absence"):
        if step["pattern"]:
            step["pattern"][random.randrange(len(step["pattern"]))] = None


def _narrow_absence(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _steps(forged, "absence"):
        step["pattern"] = [random.choice(pool.values) if v is None else v for v in step["pattern"]]


def _change_source(random: Random, forged: Forged, _: Pool) -> None:
    for step in _steps(forged, "given")[:1]:
        step["source"] = random.choice(("s1", "s2", ""))


def _shuffle_steps(random: Random, forged: Forged, _: Pool) -> None:
    trace = forged["derivation_trace"]
    i, j = random.randrange(len(trace)), random.randrange(len(trace))
    trace[i], trace[j] = trace[j], trace[i]


def _swap_neighbours(random: Random, forged: Forged, _: Pool) -> None:
    trace = forged["derivation_trace"]
    if len(trace) > 2:
        i = random.randrange(len(trace) - 2)
        trace[i], trace[i + 1] = trace[i + 1], trace[i]


def _duplicate_step(random: Random, forged: Forged, _: Pool) -> None:
    trace = forged["derivation_trace"]
    step = random.choice(trace)
    trace.insert(random.randint(0, len(trace)), {**step})


def _remove_step(random: Random, forged: Forged, _: Pool) -> None:
    trace = forged["derivation_trace"]
    if len(trace) > 1:
        trace.pop(random.randrange(len(trace)))
        _follow_the_last_step(forged)


def _add_step(random: Random, forged: Forged, pool: Pool) -> None:
    """A step of another proof, which nothing here stands on."""
    trace = forged["derivation_trace"]
    step = random.choice(pool.steps)
    if all(s["id"] != step["id"] for s in trace):
        trace.insert(random.randint(0, len(trace)), {**step})


def _claim_as_given(random: Random, forged: Forged, _: Pool) -> None:
    """A derived row told as a fact, so that its proof is not needed."""
    trace = forged["derivation_trace"]
    for i, step in enumerate(trace):
        if step["kind"] == "rule" and random.random() < 0.5:
            kept = {name: step[name] for name in ("id", "relation", "values")}
            trace[i] = {**kept, "kind": "given", "fact_id": "", "source": "s1"}


def _change_conclusion(random: Random, forged: Forged, pool: Pool) -> None:
    conclusion = forged["conclusion"]
    if conclusion["values"] and random.random() < 0.7:
        conclusion["values"][0] = random.choice(pool.values)
    else:
        conclusion["relation"] = random.choice(pool.relations)


def _change_bounds(random: Random, forged: Forged, _: Pool) -> None:
    forged["execution_bounds"] = {"rounds": {"limit": random.randrange(99), "used": 3}}


def _change_version(random: Random, forged: Forged, _: Pool) -> None:
    forged["ruleset_version"] = random.choice((forged["ruleset_version"].upper(), ""))


def _change_digests(random: Random, forged: Forged, pool: Pool) -> None:
    forged["given_digests"] = random.choices(pool.digests, k=random.choice((0, 1, 1, 2, 3)))


def _shuffle_digests(random: Random, forged: Forged, _: Pool) -> None:
    digests = forged["given_digests"]
    forged["given_digests"] = random.sample([*digests, *digests], 2 * len(digests))


def _change_input_ids(random: Random, forged: Forged, pool: Pool) -> None:
    _change_list(random, forged["input_fact_ids"], pool.digests)


def _change_rule_ids(random: Random, forged: Forged, pool: Pool) -> None:
    _change_list(random, forged["supporting_rule_ids"], pool.rule_ids)


def _change_list(random: Random, found: list[str], others: Sequence[str]) -> None:
    if found and random.random() < 0.5:
        found.pop(random.randrange(len(found)))
    else:
        found.append(random.choice(others))


def _change_fact_id(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _steps(forged, "given")[:1]:
        step["fact_id"] = random.choice(pool.digests)


def _change_step_id(random: Random, forged: Forged, pool: Pool) -> None:
    """Another name for a step, in all places where it is used."""
    old, new = random.choice(_steps(forged))["id"], random.choice(pool.digests)
    for step in _steps(forged):
        step["id"] = new if step["id"] == old else step["id"]
        if "premises" in step:
            step["premises"] = [new if name == old else name for name in step["premises"]]


Change = Callable[[Random, Forged, Pool], None]
EARLY: Mapping[str, Change] = {
    change.__name__.strip("_").replace("_", " "): change
    for change in (
        *(_change_value, _change_value_everywhere, _change_row_length, _change_relation),
        *(_change_binding, _drop_binding, _add_binding, _change_rule, _drop_premise),
        *(_add_premise, _swap_premises, _replace_premise, _retell_premise, _widen_absence),
        *(_narrow_absence, _change_source, _shuffle_steps, _swap_neighbours, _duplicate_step),
        *(_remove_step, _add_step, _claim_as_given, _change_conclusion, _change_bounds),
        *(_change_version, _change_digests, _shuffle_digests),
    )
}
LATE: Mapping[str, Change] = {
    change.__name__.strip("_").replace("_", " "): change
    for change in (_change_input_ids, _change_rule_ids, _change_fact_id, _change_step_id)
}
