"""Packets and derivations in plain text."""

from collections.abc import Mapping
from typing import Any

from engine import read_certificate

INDENT = "  "


def explain_packet(packet: Mapping[str, Any]) -> str:
    """A packet for a reader: each lesson with what it says and why it was chosen."""
    lines = [
        f"packet {packet['packet_id']}",
        f"  worker {packet['worker_id']}, room {packet['room']}, project {packet['project_key']}",
        f"  visible epoch {packet['visible_epoch']}, ruleset {packet['ruleset_version'][:12]}",
    ]
    names = {lesson["id"]: f"L{lesson['place']}" for lesson in packet["lessons"]}
    if not packet["lessons"]:
        lines.append("  no lesson fits this task")
    for lesson in packet["lessons"]:
        label = names[lesson["id"]]
        lines += ["", f"{label}. {lesson['title']}", f"    {lesson['lesson']}"]
        lines.append(f"    why: {_in_a_sentence(lesson)}")
        tree = explain_certificate(lesson["derivation"], names)
        lines += [f"    {INDENT}{line}" for line in tree.splitlines()]
    return "\n".join(map(one_line, lines))


def explain_certificate(certificate: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A derivation as nested text, the conclusion first; `names` stand in for ids.

    A step that several others stand on is told once and then named only. Raises
    `MalformedCertificateError` for what is no certificate; it does not verify one.
    """
    read_certificate(certificate)
    steps = {step["id"]: step for step in certificate["derivation_trace"]}
    told: set[str] = set()
    lines: list[str] = []
    stack = [(step["id"], 0) for step in certificate["derivation_trace"][-1:]]
    while stack:
        step_id, depth = stack.pop()
        step = steps.get(step_id)
        if step is None:
            lines.append(f"{INDENT * depth}a step that is not in the trace")
            continue
        again = step_id in told and step["kind"] == "rule"
        lines.append(INDENT * depth + _line(step, names) + (", as above" if again else ""))
        told.add(step_id)
        if not again:
            stack += [(premise, depth + 1) for premise in reversed(step.get("premises", []))]
    return "\n".join(map(one_line, lines))


def one_line(text: str) -> str:
    """The text as one line without any sign that a terminal would act on."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


def _in_a_sentence(lesson: Mapping[str, Any]) -> str:
    """The facts that a reader asks for first, out of the given steps about the lesson itself."""
    given = {
        step["relation"]: step["values"]
        for step in lesson["derivation"]["derivation_trace"]
        if step["kind"] == "given" and step["values"][0] == lesson["id"]
    }
    parts: list[str] = []
    if "relevance" in given:
        _, score, words, _ = given["relevance"]
        parts.append(f"{words} words of the task speak for it (score {score / 1000:.1f})")
    if lesson["basis"] == "always_on":
        parts.append("it is always on and a place was left over")
    if "lesson_authority" in given:
        _, record, disposition = given["lesson_authority"]
        parts.append(f"{disposition} by {record[:22]}")
    parts.append("no reason against it")
    return "; ".join(parts)


def _line(step: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if step["kind"] == "absence":
        return f"no {_atom(step['relation'], step['pattern'], names)}"
    atom = _atom(step["relation"], step["values"], names)
    if step["kind"] == "given":
        return f"{atom}  given by {names.get(step['source'], step['source'])}"
    return f"{atom}  by rule {step['rule_id']}"


def _atom(relation: str, values: list[str | int | None], names: Mapping[str, str]) -> str:
    shown = ("_" if v is None else names.get(str(v), str(v)) for v in values)
    return f"{relation}({', '.join(shown)})"
