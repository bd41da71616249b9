"""How fast the words of a task are held against many lessons.

Run: `python -m benchmarks.relevance_speed LESSONS.json TASKS.json`. It imports 10,000 lessons into
an embedded PostgreSQL of its own, made of words drawn from the given ones, so that words are as
frequent among them as there. Then the words of every task are measured over the application's
connection, behind row-level security. (That the look-up uses the index of words is held by
`tests/store/test_relevance.py`.)
"""

import asyncio
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from api.cli.connection import connected
from api.cli.outcome import body_of
from api.opening import opened
from api.settings import Settings
from store.relevance import score_words

COUNT = 10_000
BATCH = 1_000
SCOPES = ("shared", "room:forge", "room:library")


def drawn(lessons: Sequence[Mapping[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    """Lessons of 110 words, taken from the given ones by a fixed step."""
    texts = [f"{row['title']} {row['lesson']} {row.get('trigger_context', '')}" for row in lessons]
    words = " ".join(texts).split()
    state = 1
    for number in range(count):
        taken: list[str] = []
        for _ in range(110):
            state = (state * 1_103_515_245 + 12_345) % 2**31
            taken.append(words[state % len(words)])
        yield {"title": f"Lesson {number}", "lesson": " ".join(taken), "tags": [f"t{number % 500}"]}


async def fill(client: httpx.AsyncClient, rows: Sequence[Mapping[str, Any]]) -> None:
    """Import the lessons in batches."""
    for start in range(0, len(rows), BATCH):
        pack = {"id": f"drawn-{start}"}
        body = {"schema_version": 1, "pack": pack, "lessons": rows[start : start + BATCH]}
        body_of(await client.post("/v1/lessons/import", json=body))


async def measure(lessons: Path, tasks: Path) -> None:
    """Print the times of all tasks."""
    pack = json.loads(lessons.read_text(encoding="utf-8"))
    listed = json.loads(tasks.read_text(encoding="utf-8"))
    with TemporaryDirectory() as directory:
        settings = Settings(home=Path(directory), database_url=None)
        async with connected(settings) as client:
            await fill(client, list(drawn(pack["lessons"], COUNT)))
        async with opened(settings) as house:
            database, house_id = house.runtime.database, house.house_id
            times: list[float] = []
            found = 0
            for task in listed:
                text = "\n".join(
                    [task["task_kind"], task["target"], task["change"], *task["proof"]]
                )
                async with database.inside(house_id, SCOPES) as connection:
                    start = time.perf_counter()
                    measures = await score_words(connection, house_id, text)
                    times.append(time.perf_counter() - start)
                found += len(measures.lessons)
    times.sort()
    print(f"{COUNT} lessons, {len(listed)} tasks, {found // len(listed)} lessons hold some word")
    print(f"median {times[len(times) // 2] * 1000:.0f} ms, slowest {times[-1] * 1000:.0f} ms")


def main() -> None:
    """Measure with the two files named as arguments."""
    lessons, tasks = (Path(name) for name in sys.argv[1:3])
    asyncio.run(measure(lessons, tasks))


if __name__ == "__main__":
    main()
