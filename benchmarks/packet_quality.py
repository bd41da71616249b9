"""How good packets are: hit rate and unrelated lessons on a list of labelled tasks.

Run: `python -m benchmarks.packet_quality LESSONS.json TASKS.json`. It starts an embedded
PostgreSQL of its own, imports the lessons, starts every task over the application, and counts:

- hit rate: of the tasks with relevant lessons, the share whose packet holds one of them (where a
  lesson and its negation are both listed, either is enough);
- unrelated rate: of the delivered lessons, the share that is neither relevant nor acceptable; a
  lesson that is always on is neutral; tasks without any relevant lesson are also shown apart.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from api.cli.connection import connected
from api.cli.outcome import body_of
from api.settings import Settings


@dataclass(frozen=True, slots=True)
class Counts:
    """What one list of tasks gave."""

    tasks: int
    with_relevant: int
    hits: int
    delivered: int
    unrelated: int
    neutral: int
    delivered_where_none: int
    unrelated_where_none: int


def score(tasks: Sequence[Mapping[str, Any]], packets: Sequence[list[str]], on: set[str]) -> Counts:
    """The counts of packets, given as titles in the order of the tasks; `on` are always on."""
    hits = delivered = unrelated = neutral = delivered_none = unrelated_none = 0
    for task, titles in zip(tasks, packets, strict=True):
        good = {*task["relevant"], *task["acceptable"]}
        wrong = [title for title in titles if title not in good and title not in on]
        neutral += sum(title in on and title not in good for title in titles)
        delivered += len(titles)
        unrelated += len(wrong)
        if task["relevant"]:
            hits += any(title in task["relevant"] for title in titles)
        else:
            delivered_none += len(titles)
            unrelated_none += len(wrong)
    return Counts(
        tasks=len(tasks),
        with_relevant=sum(bool(task["relevant"]) for task in tasks),
        hits=hits,
        delivered=delivered,
        unrelated=unrelated,
        neutral=neutral,
        delivered_where_none=delivered_none,
        unrelated_where_none=unrelated_none,
    )


async def packets_of(
    client: httpx.AsyncClient, tasks: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """The titles of each task's packet."""
    found: list[list[str]] = []
    for task in tasks:
        body = {
            "worker_id": task["task_id"],
            "worker_role": task["role"],
            "phase": task["phase"],
            "project_key": "demo",
            "task_kind": task["task_kind"],
            "risk": task["risk"],
            "target": task["target"],
            "change": task["change"],
            "proof_contract": task["proof"],
        }
        packet = body_of(await client.post("/v1/tasks/start", json=body))
        found.append([lesson["title"] for lesson in packet["lessons"]])
    return found


async def measure(lessons: Path, tasks: Path) -> Counts:
    """The counts for an import file and a list of tasks."""
    listed = json.loads(tasks.read_text(encoding="utf-8"))
    pack = json.loads(lessons.read_text(encoding="utf-8"))
    on = {lesson["title"] for lesson in pack["lessons"] if lesson.get("always_on")}
    with TemporaryDirectory() as directory:
        async with connected(Settings(home=Path(directory), database_url=None)) as client:
            body_of(await client.post("/v1/lessons/import", json=pack))
            return score(listed, await packets_of(client, listed), on)


def main() -> None:
    """Print the counts of the two files named as arguments."""
    lessons, tasks = (Path(name) for name in sys.argv[1:3])
    counts = asyncio.run(measure(lessons, tasks))
    print(f"tasks {counts.tasks}, with relevant lessons {counts.with_relevant}")
    print(f"hit rate {counts.hits}/{counts.with_relevant}")
    print(f"unrelated {counts.unrelated}/{counts.delivered}, always on {counts.neutral}")
    print(
        "tasks without relevant lessons: unrelated "
        f"{counts.unrelated_where_none}/{counts.delivered_where_none}"
    )


if __name__ == "__main__":
    main()
