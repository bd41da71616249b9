"""How good packets are: hit rate and unrelated lessons on a list of labelled tasks.

Run: `python -m benchmarks.packet_quality [LESSONS.json TASKS.json]`; without arguments it takes the
synthetic ones of `corpus/packets`. It starts an embedded PostgreSQL of its own, imports the
lessons, starts every task over the application, and beside it takes the best four by BM25. It
counts:

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
from typing import Any, TypeAlias

import httpx

from api.cli.connection import connected
from api.cli.outcome import body_of
from api.opening import opened
from api.settings import Settings
from benchmarks.bm25 import best_four

CORPUS = Path(__file__).parents[1] / "corpus" / "packets"
Tasks: TypeAlias = Sequence[Mapping[str, Any]]
Packets: TypeAlias = Sequence[list[str]]


@dataclass(frozen=True, slots=True)
class Case:
    """One task: what its packet holds that is wanted, neutral or unrelated."""

    name: str
    has_relevant: bool
    is_hit: bool
    delivered: int
    neutral: int
    unrelated: tuple[str, ...]


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


def cases_of(tasks: Tasks, packets: Packets, on: set[str]) -> list[Case]:
    """The cases of packets, given as titles in the order of the tasks; `on` are always on."""
    found: list[Case] = []
    for task, titles in zip(tasks, packets, strict=True):
        good = {*task["relevant"], *task["acceptable"]}
        other = [title for title in titles if title not in good]
        found.append(
            Case(
                name=str(task["task_id"]),
                has_relevant=bool(task["relevant"]),
                is_hit=any(title in task["relevant"] for title in titles),
                delivered=len(titles),
                neutral=sum(title in on for title in other),
                unrelated=tuple(title for title in other if title not in on),
            )
        )
    return found


def score(tasks: Tasks, packets: Packets, on: set[str]) -> Counts:
    """The counts over the cases."""
    cases = cases_of(tasks, packets, on)
    without = [case for case in cases if not case.has_relevant]
    return Counts(
        tasks=len(cases),
        with_relevant=len(cases) - len(without),
        hits=sum(case.is_hit for case in cases),
        delivered=sum(case.delivered for case in cases),
        unrelated=sum(len(case.unrelated) for case in cases),
        neutral=sum(case.neutral for case in cases),
        delivered_where_none=sum(case.delivered for case in without),
        unrelated_where_none=sum(len(case.unrelated) for case in without),
    )


async def packets_of(client: httpx.AsyncClient, tasks: Tasks) -> list[list[str]]:
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


async def baseline_of(settings: Settings, tasks: Tasks) -> list[list[str]]:
    """The best four by BM25 for each task, over all that the House holds."""
    async with opened(settings) as house:
        database, house_id = house.runtime.database, house.house_id
        async with database.inside(house_id, ["shared", "room:default"]) as connection:
            return [
                await best_four(
                    connection,
                    house_id,
                    "\n".join([task["task_kind"], task["target"], task["change"], *task["proof"]]),
                )
                for task in tasks
            ]


async def measured(pack: Mapping[str, Any], tasks: Tasks) -> tuple[Packets, Packets]:
    """The packets of the tasks, and those of the baseline, in a House that holds just the pack."""
    with TemporaryDirectory() as directory:
        settings = Settings(home=Path(directory), database_url=None)
        async with connected(settings) as client:
            body_of(await client.post("/v1/lessons/import", json=pack))
            packets = await packets_of(client, tasks)
        return packets, await baseline_of(settings, tasks)


def shown(name: str, counts: Counts) -> str:
    """The counts as a line of the table."""
    strict = counts.delivered - counts.neutral
    return (
        f"{name:<12}{counts.hits:>5}/{counts.with_relevant:<5}"
        f"{counts.unrelated:>6}/{counts.delivered:<4} {_share(counts.unrelated, counts.delivered)}"
        f"{counts.unrelated:>6}/{strict:<4} {_share(counts.unrelated, strict)}"
        f"{counts.unrelated_where_none:>6}/{counts.delivered_where_none}"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "  - "


def main() -> None:
    """Print packets and baseline side by side, then the cases of the packets that are not right."""
    lessons, tasks = (
        (Path(name) for name in sys.argv[1:3])
        if len(sys.argv) > 1
        else (CORPUS / "lessons.json", CORPUS / "tasks.json")
    )
    pack = json.loads(lessons.read_text(encoding="utf-8"))
    listed = json.loads(tasks.read_text(encoding="utf-8"))
    on = {lesson["title"] for lesson in pack["lessons"] if lesson.get("always_on")}
    packets, baseline = asyncio.run(measured(pack, listed))
    print(f"{len(listed)} tasks over {len(pack['lessons'])} lessons")
    print(f"{'':<12}{'hits':>11}{'unrelated':>16}{'but neutral':>16}{'where none fits':>19}")
    print(shown("packets", score(listed, packets, on)))
    print(shown("BM25, best 4", score(listed, baseline, on)))
    for case in cases_of(listed, packets, on):
        if case.has_relevant and not case.is_hit:
            print(f"{case.name}: no hit")
        for title in case.unrelated:
            print(f"{case.name}: unrelated: {title}")


if __name__ == "__main__":
    main()
