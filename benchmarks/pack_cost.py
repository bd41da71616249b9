"""What the shipped packs cost: evaluation over 100, 1,000 and 10,000 eligible lessons.

Run: `python -m benchmarks.pack_cost [LESSONS …]`. The facts are generated: every lesson is eligible
and promoted, with a stage, and the words of the task speak for none of them, for 500, or for all.
It prints wall and processor time of `engine.evaluate` with the limits of a request, the counts
that were used, the time to prove the packet, and the bytes of the largest certificate.
"""

import json
import sys
import time

from engine import (
    Fact,
    Limits,
    Model,
    certificate,
    evaluate,
    prove,
    restrict,
    set_digest,
)
from house import shipped
from house.deciding import CONCLUSIONS

SIZES = (100, 1_000, 10_000)


def lesson_facts(number: int) -> list[Fact]:
    """The facts of one promoted, shared lesson with a stage."""
    key = f"lesson-{number:06}"
    source = f"lesson:{key}@1"
    return [
        Fact.of("lesson", (key, "coding_lesson"), source),
        Fact.of("lesson_version", (key, 1), source),
        Fact.of("lesson_scope", (key, "shared"), source),
        Fact.of("lesson_stage", (key, "build"), source),
        Fact.of("lesson_order", (key, number * 7_919 % 1_000_003), source),
        Fact.of("lesson_authority", (key, f"authority-{number:06}", "promoted"), source),
    ]


def given(lessons: int, matches: int) -> tuple[list[Fact], list[Fact]]:
    """Base and request facts; the scores of the matches are near each other, and some are equal."""
    base = [fact for number in range(lessons) for fact in lesson_facts(number)]
    request = [
        Fact.of("task_scope", ("room:forge",), "task"),
        Fact.of("task_stage", ("build",), "task"),
        Fact.of("unique_word", (8_000,), "task"),
        Fact.of("task_words", (20,), "task"),
    ]
    for number in range(matches):
        row = (f"lesson-{number:06}", 17_000 + number * 7_919 % 1_000, 4, 17_000)
        request.append(Fact.of("relevance", row, "task"))
    return base, request


def certificate_bytes(model: Model, digests: list[str]) -> int:
    """The size of the largest certificate of the packet."""
    version = shipped().version
    return max(
        (
            len(json.dumps(certificate(prove(model, "selected", row), version, digests, {})))
            for row in model.of("selected")
        ),
        default=0,
    )


def main() -> None:
    """Print one line for each size and share of matches."""
    sizes = [int(size) for size in sys.argv[1:]] or list(SIZES)
    program = restrict(shipped().program, CONCLUSIONS)
    for lessons in sizes:
        for matches in sorted({0, min(500, lessons), lessons}):
            base, request = given(lessons, matches)
            wall, used = time.perf_counter(), time.process_time()
            model = evaluate(program, base, request, Limits())
            wall, used = time.perf_counter() - wall, time.process_time() - used
            digests = [set_digest(base), set_digest(request)]
            proving = time.perf_counter()
            size = certificate_bytes(model, digests)
            proving = time.perf_counter() - proving
            counts = {name: bound["used"] for name, bound in model.bounds.items()}
            print(
                f"{lessons:6} lessons, {matches:6} match:"
                f" {wall:.3f} s wall, {used:.3f} s processor,"
                f" {counts['derived_rows']} rows derived, {counts['join_rows']} joined;"
                f" {len(model.of('selected'))} proofs in {proving:.3f} s, {size} bytes at most"
            )


if __name__ == "__main__":
    main()
