"""Hashes of a certificate, made to fit its content again; the digests are those of the format."""

from typing import Any

from engine_digest import digest_of, json_part

Step = dict[str, Any]
Forged = dict[str, Any]


def repair_digest(forged: Forged) -> None:
    body = {name: value for name, value in forged.items() if name != "digest"}
    forged["digest"] = digest_of(json_part(body))


def repair(forged: Forged) -> None:
    """Make every hash fit the content again, premises first."""
    renamed: dict[str, str] = {}
    for step in forged["derivation_trace"]:
        if step["kind"] == "given":
            step["fact_id"] = fact_id(step)
        if "premises" in step:
            step["premises"] = [renamed.get(name, name) for name in step["premises"]]
        renamed[step["id"]] = step["id"] = step_id(step)
    steps = forged["derivation_trace"]
    forged["input_fact_ids"] = sorted({s["fact_id"] for s in steps if s["kind"] == "given"})
    forged["supporting_rule_ids"] = sorted({s["rule_id"] for s in steps if s["kind"] == "rule"})
    repair_digest(forged)


def fact_id(step: Step) -> str:
    return digest_of(["fact", step["relation"], step["values"], step["source"]])


def step_id(step: Step) -> str:
    binding = [[name, found] for name, found in sorted(step.get("binding", {}).items())]
    if step["kind"] == "given":
        content = [step["fact_id"], step["relation"], step["values"], step["source"]]
    elif step["kind"] == "absence":
        content = [step["relation"], step["pattern"]]
    elif step["kind"] == "computed":
        content = [step["relation"], step["values"]]
    elif step["kind"] == "aggregate":
        claim = [binding, step["value"], step["count"], step["contributions"]]
        content = [step["rule_id"], step["position"], *claim, step["premises"]]
    else:
        content = [step["rule_id"], step["relation"], step["values"], binding, step["premises"]]
    return digest_of([step["kind"], *content])
