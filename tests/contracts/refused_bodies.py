"""Bodies that model and schema of a contract both refuse: golden ones with one thing changed."""

import json
from pathlib import Path
from typing import Any, Final

GOLDEN = Path(__file__).parent / "golden"
GONE: Final = object()
Place = tuple[str | int, ...]

REFUSED: dict[str, list[tuple[str, Place, object]]] = {
    "bundle.v1": [
        ("two-sets", ("format",), "athanor.bundle.v2"),
        ("two-sets", ("certificate",), GONE),
        ("two-sets", ("certificate",), []),
        ("two-sets", ("rules",), None),
        ("two-sets", ("fact_sets", "5fec", 0), ["lesson", ["a"]]),
        ("two-sets", ("fact_sets", "5fec", 0), ["lesson", ["a"], "s", "t"]),
        ("two-sets", ("fact_sets", "5fec", 0, 1, 0), True),
        ("two-sets", ("fact_sets", "5fec", 0, 1, 0), 0.5),
        ("two-sets", ("fact_sets", "5fec", 0, 1, 0), None),
        ("no-facts", ("colour",), "red"),
    ],
    "delivery.v1": [
        ("plain", ("worker_id",), GONE),
        ("plain", ("worker_id",), ""),
        ("plain", ("worker_id",), "a\nb"),
        ("plain", ("worker_id",), "w" * 201),
        ("plain", ("worker_id",), 1),
        ("plain", ("colour",), "red"),
    ],
    "left-out.v1": [
        ("last-page", ("items", 0, "basis"), GONE),
        ("last-page", ("items", 0, "reason"), None),
        ("last-page", ("items",), None),
        ("last-page", ("next_cursor",), GONE),
        ("last-page", ("next_cursor",), 1),
        ("last-page", ("colour",), "red"),
    ],
    "lesson-forgetting.v1": [
        ("plain", ("title",), GONE),
        ("plain", ("title",), "a\nb"),
        ("plain", ("reason",), GONE),
        ("plain", ("reason",), ""),
        ("plain", ("reason",), "r" * 501),
        ("plain", ("colour",), "red"),
    ],
    "lesson-review.v1": [
        ("first", ("version",), 0),
        ("first", ("version",), "1"),
        ("first", ("disposition",), "unreviewed"),
        ("first", ("previous",), GONE),
        ("first", ("previous",), "A b"),
        ("first", ("reason",), None),
        ("first", ("colour",), "red"),
    ],
    "lesson-update.v1": [
        ("least", ("expected_title",), GONE),
        ("least", ("baseline_version",), 0),
        ("least", ("record",), None),
        ("least", ("record", "lesson"), GONE),
        ("whole", ("negation_of",), "A b"),
        ("whole", ("reason",), "r" * 501),
        ("least", ("colour",), "red"),
    ],
    "new-lesson.v1": [
        ("least", ("record",), GONE),
        ("least", ("record", "title"), GONE),
        ("whole", ("negation_of",), ""),
        ("whole", ("reason",), " "),
        ("least", ("colour",), "red"),
    ],
    "packet-state.v1": [
        ("standing", ("state",), "lost"),
        ("standing", ("reasons",), None),
        ("withdrawn", ("reasons", 0, "basis"), GONE),
        ("standing", ("successor",), GONE),
        ("standing", ("colour",), "red"),
    ],
    "import-report.v1": [
        ("imported", ("imported",), "43"),
        ("imported", ("unchanged",), GONE),
        ("imported", ("rejected",), None),
        ("rejected", ("rejected", 0, "record"), "0"),
        ("rejected", ("rejected", 0, "title"), GONE),
        ("rejected", ("rejected", 0, "line"), 3),
        ("imported", ("colour",), 1),
    ],
    "lesson.v1": [
        ("least", ("title",), GONE),
        ("least", ("title",), ""),
        ("least", ("title",), " \u00a0\t"),
        ("least", ("title",), "a\nb"),
        ("least", ("title",), "a\u2028"),
        ("least", ("title",), "x" * 301),
        ("least", ("lesson",), "x" * 8001),
        ("least", ("lesson",), "a\0b"),
        ("least", ("lesson",), "\u2003\n"),
        ("least", ("kind",), "memory"),
        ("least", ("review",), "canon"),
        ("least", ("scope",), "The Forge"),
        ("least", ("scope",), None),
        ("least", ("version",), 0),
        ("least", ("version",), 1_000_001),
        ("least", ("version",), True),
        ("least", ("always_on",), 1),
        ("least", ("always_on",), "true"),
        ("least", ("tags",), "a"),
        ("least", ("tags",), ["two words"]),
        ("least", ("tags",), [f"t{n}" for n in range(65)]),
        ("least", ("colour",), 1),
        ("whole", ("trigger", "scope"), "tools"),
        ("whole", ("trigger", "cooldown_seconds"), 0),
        ("whole", ("trigger", "condition"), " "),
        ("whole", ("trigger", "colour"), 1),
        ("whole", ("source", "path"), GONE),
        ("whole", ("source", "first_line"), 0),
    ],
    "lesson-pack.v1": [
        ("empty", ("schema_version",), 2),
        ("empty", ("schema_version",), "1"),
        ("empty", ("schema_version",), True),
        ("empty", ("pack",), GONE),
        ("empty", ("pack", "id"), "two words"),
        ("empty", ("pack", "colour"), 1),
        ("empty", ("lessons",), {}),
        ("two-lessons", ("lessons", 1, "title"), GONE),
        ("two-lessons", ("lessons", 1, "colour"), 1),
    ],
    "packet.v1": [
        ("empty", ("lessons",), GONE),
        ("empty", ("lessons",), None),
        ("empty", ("visible_epoch",), "1"),
        ("empty", ("colour",), 1),
        ("one-lesson", ("lessons", 0, "basis"), "luck"),
        ("one-lesson", ("lessons", 0, "derivation"), []),
        ("one-lesson", ("lessons", 0, "proof_pattern"), GONE),
        ("one-lesson", ("lessons", 0, "colour"), 1),
        ("four-lessons", ("lessons", 4), {}),
    ],
    "problem.v1": [
        ("least", ("type",), "about:blank"),
        ("least", ("code",), "Internal Error"),
        ("least", ("status",), 200),
        ("least", ("status",), "500"),
        ("least", ("detail",), GONE),
        ("invalid", ("errors", 0, "field"), 7),
        ("invalid", ("errors", 0, "input"), "private"),
        ("rejected", ("rejected", 0, "file"), GONE),
        ("least", ("instance",), "/v1"),
    ],
    "task-start.v1": [
        ("least", ("proof_contract",), []),
        ("least", ("proof_contract",), "p"),
        ("least", ("proof_contract",), ["p"] * 51),
        ("least", ("worker_id",), GONE),
        ("least", ("worker_id",), ""),
        ("least", ("worker_id",), "a\nb"),
        ("least", ("worker_id",), "x" * 201),
        ("least", ("project_key",), "Sluicebook"),
        ("least", ("risk",), "none"),
        ("least", ("change",), "\u3000"),
        ("least", ("target",), 7),
        ("least", ("room",), "the forge"),
        ("least", ("state",), None),
        ("whole", ("state", "stages"), None),
        ("whole", ("state", "mood"), ["calm"]),
        ("least", ("colour",), 1),
    ],
}


def golden(contract: str, name: str) -> Any:
    return json.loads((GOLDEN / contract / f"{name}.json").read_text(encoding="utf-8"))


def changed(body: Any, place: Place, value: object) -> Any:
    """A copy of a body with the value at a place put in, or taken away."""
    *way, last = place
    copy = json.loads(json.dumps(body))
    inner = copy
    for step in way:
        inner = inner[step]
    if value is GONE:
        del inner[last]
    elif isinstance(inner, list) and last == len(inner):
        inner.append(value)
    else:
        inner[last] = value
    return copy
