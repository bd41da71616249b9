"""The certificate of a place in a packet stays small, however many lessons are left out."""

import json

import pytest

from engine import Fact, Limits, certificate, evaluate, prove, restrict, set_digest
from house import shipped
from house.deciding import CONCLUSIONS

MOST_BYTES = 64 * 1024
MATCHES = 40


def facts(lessons: int, matches: int = MATCHES) -> list[Fact]:
    """Eligible lessons of one House, of which some fit the task, with scores near each other."""
    found = [
        Fact.of("task_scope", ("room:forge",), "task"),
        Fact.of("unique_word", (1000,), "task"),
        Fact.of("task_words", (20,), "task"),
    ]
    for number in range(lessons):
        key = f"lesson-{number:06}"
        found += [
            Fact.of("lesson", (key, "coding_lesson"), key),
            Fact.of("lesson_version", (key, 1), key),
            Fact.of("lesson_scope", (key, "shared"), key),
            Fact.of("lesson_order", (key, number), key),
            Fact.of("lesson_authority", (key, f"authority-{number:06}", "promoted"), key),
        ]
        if number < matches:
            found.append(Fact.of("relevance", (key, 1000 + number // 50, 3, 2000), "task"))
    return found


def sizes(lessons: int, matches: int = MATCHES) -> list[int]:
    """The bytes of the certificates of one packet, by place."""
    given = facts(lessons, matches)
    model = evaluate(restrict(shipped().program, CONCLUSIONS), given, [], Limits())
    assert len(model.of("eligible")) == lessons
    found: list[int] = []
    for row in sorted(model.of("selected"), key=lambda row: row[1]):
        derivation = prove(model, "selected", row)
        content = certificate(derivation, shipped().version, [set_digest(given)], model.bounds)
        found.append(len(json.dumps(content)))
    return found


@pytest.mark.parametrize(
    ("lessons", "matches"), [(100, 40), (100, 32), (10_000, 40), (10_000, 10_000)]
)
def test_a_certificate_fits_in_64_kib(lessons: int, matches: int) -> None:
    found = sizes(lessons, matches)
    assert len(found) == 4
    assert max(found) <= MOST_BYTES


@pytest.mark.parametrize("matches", [4, 5, 32, 33, 1_000])
def test_a_certificate_does_not_grow_with_the_lessons_left_out(matches: int) -> None:
    few, many = sizes(4, 4), sizes(1_000, matches)
    bounds = 5 * 2 * 6  # the counts in `execution_bounds` have more digits
    assert all(b - a <= bounds for a, b in zip(few, many, strict=True))
