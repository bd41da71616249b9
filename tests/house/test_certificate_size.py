"""The certificate of a place in a packet stays small, however many lessons are left out."""

import json

import pytest

from engine import Fact, Limits, certificate, evaluate, prove, restrict, set_digest
from house import shipped
from house.deciding import CONCLUSIONS

MOST_BYTES = 64 * 1024
MATCHES = 40


def facts(lessons: int) -> list[Fact]:
    """Eligible lessons of one House, of which some fit the task, each with another score."""
    found = [Fact.of("task_scope", ("room:forge",), "task")]
    for number in range(lessons):
        key = f"lesson-{number:06}"
        found += [
            Fact.of("lesson", (key, "coding_lesson"), key),
            Fact.of("lesson_scope", (key, "shared"), key),
            Fact.of("lesson_order", (key, number), key),
            Fact.of("lesson_authority", (key, f"authority-{number:06}", "promoted"), key),
        ]
        if number < MATCHES:
            found.append(Fact.of("relevance", (key, 1000 + number, 3), "task"))
    return found


def sizes(lessons: int) -> list[int]:
    """The bytes of the certificates of one packet, by place."""
    given = facts(lessons)
    model = evaluate(restrict(shipped().program, CONCLUSIONS), given, [], Limits())
    assert len(model.of("eligible")) == lessons
    found: list[int] = []
    for row in sorted(model.of("selected"), key=lambda row: row[1]):
        derivation = prove(model, "selected", row)
        content = certificate(derivation, shipped().version, [set_digest(given)], model.bounds)
        found.append(len(json.dumps(content)))
    return found


@pytest.mark.parametrize("lessons", [100, 10_000])
def test_a_certificate_fits_in_64_kib(lessons: int) -> None:
    found = sizes(lessons)
    assert len(found) == 4
    assert max(found) <= MOST_BYTES


def test_a_certificate_does_not_grow_with_the_lessons_left_out() -> None:
    few, many = sizes(100), sizes(10_000)
    bounds = 5 * 2 * 6  # the counts in `execution_bounds` have more digits
    assert all(b - a <= bounds for a, b in zip(few, many, strict=True))
