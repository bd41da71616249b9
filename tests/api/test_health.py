"""`/health` and `/ready`: whether the process lives, and whether it can answer."""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event
from time import perf_counter

import httpx
import pytest
from houses import SECRET, Estate, estate, lesson, pack, start

from engine import Fact, Limits, Program
from rules import Source, load
from store import embedded, migrate
from store.migrations_runner import migrations

pytestmark = pytest.mark.anyio
LENGTH = 90
LONGEST_SECONDS = 30
CLOSURE = """
@[given]
.decl edge(a:number, b:number)
.decl path(a:number, b:number)
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
"""


class Held(list[Fact]):
    """Facts that keep an evaluator at work, with a busy processor, until they are let go."""

    def __init__(self, facts: list[Fact]) -> None:
        super().__init__(facts)
        self.let_go = Event()

    def __iter__(self) -> Iterator[Fact]:
        end = perf_counter() + LONGEST_SECONDS
        while not self.let_go.is_set() and perf_counter() < end:
            pass
        return super().__iter__()


def slow() -> tuple[Program, Held]:
    """A program, and facts that keep an evaluator busy until they are let go."""
    ruleset = load([Source("closure", CLOSURE)]).ruleset
    assert ruleset is not None
    return ruleset.program, Held([Fact.of("edge", (n, n + 1), "test") for n in range(LENGTH)])


async def test_health_and_readiness_need_no_token_and_tell_nothing_of_the_house(
    lanternquay: Estate,
) -> None:
    async with lanternquay.client(None) as client:
        health, ready = [await client.get(path) for path in ("/health", "/ready")]
    assert (health.status_code, health.json()) == (200, {"status": "live"})
    assert (ready.status_code, ready.json()) == (
        200,
        {
            "status": "ready",
            "ruleset_version": lanternquay.runtime.ruleset.version,
            "schema_version": migrations()[-1].version,
        },
    )


async def test_health_answers_at_once_while_an_evaluation_runs(lanternquay: Estate) -> None:
    program, facts = slow()
    busy = lanternquay.with_limits(Limits(), at_once=1)
    waits: list[float] = []
    async with lanternquay.client(None, runtime=busy) as client:
        await client.get("/health")
        running = asyncio.create_task(busy.evaluator.run(program, facts, []))
        await asyncio.sleep(0.01)
        for _ in range(20):
            before = perf_counter()
            assert (await client.get("/health")).status_code == 200
            waits.append(perf_counter() - before)
            await asyncio.sleep(0.005)
        assert not running.done()
        facts.let_go.set()
        assert len((await running).of("path")) == LENGTH * (LENGTH + 1) // 2
    assert median(waits) < 0.05


async def test_a_request_that_waits_for_the_evaluator_is_answered_in_its_turn(
    lanternquay: Estate,
) -> None:
    program, facts = slow()
    narrow = lanternquay.with_limits(Limits(), at_once=1, waiting=1)
    async with lanternquay.client(runtime=narrow) as client:
        running = asyncio.create_task(narrow.evaluator.run(program, facts, []))
        await asyncio.sleep(0.01)
        waiting = asyncio.create_task(client.post("/v1/tasks/start", json=start(phase="turn")))
        while narrow.evaluator._inside < 2:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.001)
        refused = await client.post("/v1/tasks/start", json=start(phase="no turn"))
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        facts.let_go.set()
        await running
        assert (await waiting).status_code == 200
        late = await client.post("/v1/tasks/start", json=start(phase="no turn"))
        assert late.status_code == 200


@dataclass(frozen=True, slots=True)
class Outage:
    """A House whose server can be stopped and started again."""

    house: Estate
    home: Path
    lease: embedded.Lease


@pytest.fixture
async def outage(tmp_path: Path) -> AsyncGenerator[Outage]:
    home = tmp_path / "home"
    lease = embedded.acquire(home, env=os.environ)
    try:
        migrate(lease.conninfo())
        async with estate(lease.conninfo()) as house:
            yield Outage(house, home, lease)
    finally:
        lease.release()


async def test_without_its_database_the_house_lives_and_says_that_it_is_unavailable(
    outage: Outage,
) -> None:
    body = start()
    async with outage.house.client() as client:
        await client.post("/v1/lessons/import", json=pack([lesson("Rinse the brass")]))
        before = await client.post("/v1/tasks/start", json=body)
        assert before.status_code == 200
        outage.lease.release()
        answers = await asyncio.gather(
            client.post("/v1/tasks/start", json=body),
            client.post("/v1/lessons/import", json=pack([lesson("Another")])),
            client.get("/v1/packets/packet-0"),
            client.get("/ready"),
            client.get("/health"),
        )
        for answer in answers[:3]:
            unavailable(answer)
        assert [answer.status_code for answer in answers] == [503, 503, 503, 503, 200]
        assert answers[3].json()["status"] == "unavailable"
        with embedded.acquire(outage.home, env=os.environ):
            after = await client.post("/v1/tasks/start", json=body)
            assert (after.status_code, after.content) == (200, before.content)
            assert (await client.get("/ready")).json()["status"] == "ready"
    assert SECRET not in "".join(answer.text for answer in answers)


def unavailable(answer: httpx.Response) -> None:
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["retry-after"] == "2"
    told = answer.json()
    assert (told["code"], told["detail"]) == ("unavailable", "the database is unavailable")
