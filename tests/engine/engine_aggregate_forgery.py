"""Lies about aggregates, for the forger: any of them under repaired hashes."""

from collections.abc import Mapping
from random import Random

from engine_forgery import EARLY, Change, Pool
from engine_repair import Forged, Step


def _aggregates(forged: Forged) -> list[Step]:
    return [step for step in forged["derivation_trace"] if step["kind"] == "aggregate"]


def _change_total(random: Random, forged: Forged, _: Pool) -> None:
    """Another value, told wherever the value goes, so that the rule step agrees."""
    for step in _aggregates(forged)[:1]:
        old, new = step["value"], step["value"] + random.choice((-1, 1, 2))
        step["value"] = new
        for other in forged["derivation_trace"]:
            if other["kind"] == "rule" and step["id"] in other["premises"]:
                for name, found in other["binding"].items():
                    other["binding"][name] = new if found == old else found
                other["values"] = [new if found == old else found for found in other["values"]]
    last = forged["derivation_trace"][-1]
    if "values" in last:
        forged["conclusion"] = {"relation": last["relation"], "values": list(last["values"])}


def _change_only_the_value(random: Random, forged: Forged, _: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        step["value"] += random.choice((-1, 1))


def _change_count(random: Random, forged: Forged, _: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        step["count"] += random.choice((-1, 1, 33))


def _change_contributions(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        step["contributions"] = random.choice(pool.digests)


def _change_shared(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        for name in step["binding"]:
            step["binding"][name] = random.choice(pool.values)


def _drop_shared(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        if step["binding"]:
            step["binding"].pop(random.choice(sorted(step["binding"])))
        else:
            step["binding"][random.choice(pool.variables)] = random.choice(pool.values)


def _name_no_rows(_random: Random, forged: Forged, _: Pool) -> None:
    """No rows behind an aggregate, and no steps that stood for them alone."""
    for step in _aggregates(forged)[:1]:
        step["premises"] = []
    trace = forged["derivation_trace"]
    while True:
        used = {name for step in trace for name in step.get("premises", ())}
        kept = [step for step in trace if step["id"] in used or step is trace[-1]]
        if len(kept) == len(trace):
            break
        trace = forged["derivation_trace"] = kept


def _name_rows_twice(_random: Random, forged: Forged, _: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        step["premises"] += step["premises"][:1]


def _reverse_rows(_random: Random, forged: Forged, _: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        step["premises"].reverse()


def _change_place(random: Random, forged: Forged, pool: Pool) -> None:
    for step in _aggregates(forged)[:1]:
        if random.random() < 0.5:
            step["position"] += random.choice((-9, -1, 1, 9))
        else:
            step["rule_id"] = random.choice(pool.rule_ids)


AGGREGATE_LIES: Mapping[str, Change] = {
    change.__name__.strip("_").replace("_", " "): change
    for change in (
        *(_change_total, _change_only_the_value, _change_count, _change_contributions),
        *(_change_shared, _drop_shared, _name_no_rows, _name_rows_twice, _reverse_rows),
        _change_place,
    )
}
EVERY_EARLY: Mapping[str, Change] = {**EARLY, **AGGREGATE_LIES}
