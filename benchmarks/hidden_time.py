"""Whether what a caller may not see can be told from the time that its answers take.

Run: `python -m benchmarks.hidden_time [LESSONS [STARTS]]`. Two Houses with the same visible
lessons; the second also holds many in a room that tasks cannot use, full of the words of its tasks.
Starts of tasks, each with an intent of its own, are sent to both in turn; it prints the medians,
the spread, and the ratio of the paired times.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from api.cli.connection import connected
from api.cli.outcome import body_of
from api.settings import Settings

VISIBLE = 300
TEXT = "Rinse the brass valve before the tide turns, then oil the hinge of the sluice."


def rows(count: int, scope: str, name: str) -> list[dict[str, Any]]:
    """Lessons that hold every word of the tasks."""
    return [
        {"title": f"{name} {number}", "lesson": f"{TEXT} Case {number}.", "scope": scope}
        for number in range(count)
    ]


async def fill(client: httpx.AsyncClient, lessons: Sequence[dict[str, Any]], name: str) -> None:
    """Import the lessons as a pack."""
    body = {"schema_version": 1, "pack": {"id": name}, "lessons": lessons}
    body_of(await client.post("/v1/lessons/import", json=body))


async def timed(client: httpx.AsyncClient, number: int) -> float:
    """The seconds that one start takes."""
    body = {
        "worker_id": f"worker-{number}",
        "worker_role": "builder",
        "phase": "build",
        "project_key": "demo",
        "task_kind": "repair",
        "risk": "low",
        "target": "the sluice",
        "change": f"Rinse the brass valve and oil the hinge, case {number}.",
        "proof_contract": ["the tide turns"],
        "room": "default",
    }
    began = time.perf_counter()
    body_of(await client.post("/v1/tasks/start", json=body))
    return time.perf_counter() - began


async def measure(hidden: int, starts: int) -> None:
    """Print the times of both Houses."""
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        plain_home, full_home = (Settings(home=Path(d), database_url=None) for d in (one, other))
        async with connected(plain_home) as plain, connected(full_home) as full:
            for client in (plain, full):
                await fill(client, rows(VISIBLE, "default", "Visible"), "visible")
            body_of(await full.post("/v1/rooms", json={"room": "attic"}))
            await fill(full, rows(hidden, "attic", "Hidden"), "hidden")
            times: list[tuple[float, float]] = []
            for number in range(starts):
                pair = [(plain, 0), (full, 1)][:: 1 if number % 2 else -1]
                found = {place: await timed(client, number) for client, place in pair}
                times.append((found[0], found[1]))
    ratios = [b / a for a, b in times]
    low, _, high = quantiles(ratios, n=4)
    print(f"{hidden} hidden lessons beside {VISIBLE} visible ones, {starts} pairs of starts")
    print(f"median without {median(a for a, _ in times) * 1000:.1f} ms")
    print(f"median with    {median(b for _, b in times) * 1000:.1f} ms")
    print(f"ratio with/without: median {median(ratios):.3f}, middle half {low:.3f} to {high:.3f}")


def main() -> None:
    """Measure with the numbers given as arguments."""
    numbers = [int(word) for word in sys.argv[1:]]
    hidden, starts = (numbers + [10_000, 100][len(numbers) :])[:2]
    asyncio.run(measure(hidden, starts))


if __name__ == "__main__":
    main()
