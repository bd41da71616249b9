"""Two API processes over one database, under writers: one state, one order, whole answers."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from command_lines import Shell
from houses import Json, lesson, pack, start

from store import upkeep

pytestmark = pytest.mark.anyio
WRITERS, READERS, TURNS = 8, 8, 3


@dataclass(frozen=True, slots=True)
class Pair:
    """A client of each process, and the owner's address of their database."""

    clients: tuple[httpx.AsyncClient, httpx.AsyncClient]
    owner: str


@pytest.fixture
def shells(tmp_path: Path, database: str) -> Iterator[tuple[Shell, Shell]]:
    shell = Shell(tmp_path, {"DATABASE_URL": database})
    with shell.serving() as (one, _), shell.serving() as (other, _):
        yield one, other


def secret_of(shell: Shell) -> str:
    return Path(shell.env["ATHANOR_TOKEN_FILE"]).read_text(encoding="ascii").strip()


@pytest.fixture
async def pair(shells: tuple[Shell, Shell], database: str) -> AsyncGenerator[Pair]:
    found = []
    for shell in shells:
        headers = {"Authorization": f"Bearer {secret_of(shell)}"}
        address = shell.env["ATHANOR_URL"]
        found.append(
            httpx.AsyncClient(base_url=address, headers=headers, trust_env=False, timeout=60)
        )
    async with found[0], found[1]:
        yield Pair((found[0], found[1]), database)


def task(**changes: object) -> Json:
    return start(room="default", project_key="demo", **changes)


async def ask(client: httpx.AsyncClient, path: str, body: Json | None = None) -> Any:
    """The body of an answer; asked again while the server says that it is busy."""
    while True:
        answer = await (client.get(path) if body is None else client.post(path, json=body))
        if answer.status_code != 503:
            assert answer.status_code == 200, answer.text
            return answer.json()
        await asyncio.sleep(0.2)


async def test_writers_and_readers_of_two_processes_lose_nothing_and_mix_nothing(
    pair: Pair,
) -> None:
    packets: list[tuple[httpx.AsyncClient, Json]] = []

    async def write(number: int) -> None:
        for turn in range(TURNS):
            rows = [lesson("Brass of all", f"Rinse the brass valve {number}.{turn}.")]
            rows += [
                lesson(f"Brass {number} {n}", f"Rinse the brass tide {turn}.") for n in range(3)
            ]
            await ask(pair.clients[number % 2], "/v1/lessons/import", pack(rows, "common"))

    async def read(number: int) -> None:
        for turn in range(TURNS):
            client = pair.clients[number % 2]
            body = task(worker_id=f"w{number}", change=f"Rinse the brass valve, turn {turn}.")
            packets.append((client, await ask(client, "/v1/tasks/start", body)))

    await asyncio.gather(*(write(n) for n in range(WRITERS)), *(read(n) for n in range(READERS)))
    (house_id,) = {row["house_id"] for row in dumped(pair.owner, "houses")}
    assert upkeep.differences(pair.owner, house_id) == []
    changes = dumped(pair.owner, "fact_changes")
    assert len(dumped(pair.owner, "lesson_versions")) == WRITERS * TURNS * 4
    assert len(packets) == READERS * TURNS
    for client, packet in packets:
        kept = next(
            row for row in dumped(pair.owner, "packets") if row["packet_id"] == packet["packet_id"]
        )
        shown = await ask(client, f"/v1/fact-sets/{kept['given_digests'][0]}")
        given = {json.dumps(row) for row in shown["facts"]}
        assert given == as_of(changes, packet["visible_epoch"])


def dumped(owner: str, table: str) -> list[dict[str, Any]]:
    """The rows of a table, as its owner sees them."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(f"select to_jsonb(t) from {table} t".encode()).fetchall()  # noqa: S608
    return [row[0] for row in rows]


def as_of(changes: list[dict[str, Any]], epoch: int) -> set[str]:
    """The facts of the shared scope after so many epochs that touched it."""
    shared = [change for change in changes if change["scopes"] == ["shared"]]
    numbers = sorted({change["epoch"] for change in shared})[:epoch]
    held: set[str] = set()
    for number in numbers:
        now = [change for change in shared if change["epoch"] == number]
        rows = {
            kind: {
                json.dumps([c["relation"], c["row"], c["source"]])
                for c in now
                if c["change"] == kind
            }
            for kind in ("added", "retracted")
        }
        held = (held - rows["retracted"]) | rows["added"]
    return held


async def test_the_same_intent_asked_of_both_at_once_gets_the_same_bytes(pair: Pair) -> None:
    rows = [lesson(f"Brass {n}", "Rinse the brass valve.") for n in range(6)]
    await ask(pair.clients[0], "/v1/lessons/import", pack(rows))
    for turn in range(5):
        body = task(change=f"Rinse the brass valve, time {turn}.")
        answers = await asyncio.gather(
            *(pair.clients[n % 2].post("/v1/tasks/start", json=body) for n in range(12))
        )
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1


async def test_what_one_process_changed_the_other_knows_at_once(pair: Pair) -> None:
    one, other = pair.clients
    for turn in range(5):
        rows = [lesson("Brass", f"Rinse the brass valve, {turn}.")]
        await ask(one, "/v1/lessons/import", pack(rows))
        seen = await ask(other, "/v1/tasks/start", task(change=f"Rinse the brass valve {turn}."))
        demanded = task(worker_id="late", change=f"Rinse the brass {turn}.", minimum_epoch=turn + 1)
        await ask(other, "/v1/tasks/start", demanded)
        assert [row["lesson"] for row in seen["lessons"]] == [f"Rinse the brass valve, {turn}."]
        assert seen["visible_epoch"] == turn + 1
