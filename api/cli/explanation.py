"""Packets and derivations in plain text."""

from collections.abc import Mapping
from typing import Any

INDENT = "  "


def explain_packet(packet: Mapping[str, Any]) -> str:
    """A packet for a reader: each lesson with what it says and why it was chosen."""
    lines = [
        f"packet {packet['packet_id']}",
        f"  worker {packet['worker_id']}, room {packet['room']}, project {packet['project_key']}",
        f"  visible epoch {packet['visible_epoch']}, ruleset {packet['ruleset_version'][:12]}",
    ]
    names = {lesson["id"]: f"«{lesson['title']}»" for lesson in packet["lessons"]}
    if not packet["lessons"]:
        lines.append("  no lesson fits this task")
    for lesson in packet["lessons"]:
        lines += ["", f"{lesson['place']}. {lesson['title']}", f"   {lesson['lesson']}", "   why:"]
        tree = explain_certificate(lesson["derivation"], names)
        lines += [f"   {line}" for line in tree.splitlines()]
    return "\n".join(lines)


def explain_certificate(certificate: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A derivation as nested text, the conclusion first; `names` stand in for ids.

    A step that several others stand on is told once and then named only.
    """
    steps = {step["id"]: step for step in certificate["derivation_trace"]}
    told: set[str] = set()
    lines: list[str] = []
    stack = [(certificate["derivation_trace"][-1]["id"], 0)]
    while stack:
        step_id, depth = stack.pop()
        step = steps[step_id]
        again = step_id in told and step["kind"] == "rule"
        lines.append(INDENT * depth + _line(step, names) + (", as above" if again else ""))
        told.add(step_id)
        if not again:
            stack += [(premise, depth + 1) for premise in reversed(step.get("premises", []))]
    return "\n".join(lines)


def _line(step: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if step["kind"] == "absence":
        return f"no {_atom(step['relation'], step['pattern'], names)}"
    atom = _atom(step["relation"], step["values"], names)
    if step["kind"] == "given":
        return f"{atom}  given by {step['source']}"
    return f"{atom}  by rule {step['rule_id']}"


def _atom(relation: str, values: list[str | int | None], names: Mapping[str, str]) -> str:
    shown = ("_" if v is None else names.get(str(v), str(v)) for v in values)
    return f"{relation}({', '.join(shown)})"
