"""The shipped packs cost in step with the lessons: counts, which are the same on every machine."""

from collections.abc import Iterator

import pytest

from benchmarks.pack_cost import given
from engine import Fact, Limits, Model, evaluate, restrict
from house import shipped
from house.deciding import CONCLUSIONS

COUNTS = ("derived_rows", "join_rows")


def used(lessons: int, matches: int, more: list[Fact] | None = None) -> dict[str, int]:
    """What the evaluation of a packet used, of every count that grows with its facts."""
    base, request = given(lessons, matches)
    program = restrict(shipped().program, CONCLUSIONS)
    model = evaluate(program, [*base, *(more or [])], request, Limits())
    assert len(model.of("selected")) == min(4, matches)
    assert explained(model) == {key for (key, *_) in model.of("lesson")}
    return {name: model.bounds[name]["used"] for name in COUNTS}


def explained(model: Model) -> set[object]:
    """The lessons that are in the packet, passed over or not eligible."""
    return {row[0] for name in ("selected", "passed_over", "ineligible") for row in model.of(name)}


@pytest.mark.parametrize("share", [0, 2, 1], ids=["no match", "half match", "all match"])
def test_ten_times_the_lessons_use_ten_times_the_counts(share: int) -> None:
    few, many = (used(n, n // share if share else 0) for n in (100, 1_000))
    for name in COUNTS:
        assert many[name] <= 10 * few[name]


def test_opposites_cost_in_step_too() -> None:
    """Each match contradicts the next one, so that every second place is closed."""

    def links(lessons: int) -> Iterator[Fact]:
        for n in range(lessons - 1):
            row = (f"lesson-{n:06}", f"lesson-{n + 1:06}")
            yield Fact.of("lesson_negation", row, "links")

    few, many = (used(n, n, list(links(n))) for n in (100, 1_000))
    for name in COUNTS:
        assert many[name] <= 10 * few[name]


def test_ten_thousand_lessons_that_all_match_stay_far_within_the_limits() -> None:
    counts = used(10_000, 10_000)
    limits = Limits()
    assert counts["derived_rows"] <= limits.derived_rows // 5
    assert counts["join_rows"] <= limits.join_rows // 5
