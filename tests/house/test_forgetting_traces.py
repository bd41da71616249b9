"""Forgetting leaves no trace of what was said, and nobody writes texts while it goes on."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable

import httpx
import psycopg
import pytest
from houses import FORGE, Estate, Json, estate, pack, start
from lesson_calls import brass, bring, create, done, forget, lessons_of, review, supersede, update

pytestmark = pytest.mark.anyio
TITLE = "Rinse the brass"


async def life(house: Estate, word: str) -> dict[str, list[str]]:
    """What the tables hold after the life of a lesson that said something about a word."""
    first = brass(TITLE, f"Rinse {word}.", trigger_context=f"{word} is wet.", shape=word)
    second = first | {"title": f"Rinse the {word}", "trigger": {"condition": f"{word}.*"}}
    async with house.client() as client:
        await bring(client, first, brass("Polish it"))
        item = (await lessons_of(client))[TITLE]
        assert (await review(item, "archived", reason=f"{word}?").of(client, "r-1")).is_success
        item = (await lessons_of(client))[TITLE]
        assert (await update(item, second, reason=word).of(client, "u-1")).is_success
        item = (await lessons_of(client))[f"Rinse the {word}"]
        named = supersede(item, (await lessons_of(client))["Polish it"], reason=f"{word}!")
        assert (await named.of(client, "s-1")).is_success
        assert (await forget(item).of(client, "f-1")).is_success
        assert (await forget(item).of(client, "f-2")).is_success
    held = house.dump()
    changes = [json.loads(row) for row in held["fact_changes"]]  # dated by the database
    return held | {"fact_changes": sorted(str(row | {"at": ""}) for row in changes)}


async def test_no_row_of_any_table_depends_on_what_a_forgotten_lesson_said(
    house: Estate, other_database: str
) -> None:
    """Two Houses that differ in nothing but what the lesson said, from its second title on."""
    async with estate(other_database) as other:
        assert await life(house, "quicksilver") == await life(other, "vermilion")


async def starts(client: httpx.AsyncClient, _items: Json) -> object:
    return await client.post("/v1/tasks/start", json=start())


async def imports(client: httpx.AsyncClient, _items: Json) -> object:
    return await client.post("/v1/lessons/import", json=pack([brass("Polish brass")]))


WRITES: dict[str, Callable[[httpx.AsyncClient, Json], Awaitable[object]]] = {
    "the start of a task": starts,
    "an import": imports,
    "a creation": lambda client, _: done(client, create(brass("Polish brass"))),
    "an update": lambda client, items: done(client, update(items[TITLE], brass(rule="Other."))),
    "a review": lambda client, items: done(client, review(items[TITLE], "archived")),
    "a supersession": lambda client, items: done(client, supersede(items[TITLE], brass("New"))),
}


@pytest.mark.parametrize("name", WRITES)
async def test_no_text_is_written_while_something_is_forgotten_by(house: Estate, name: str) -> None:
    async with house.client() as client:
        items = await bring(client, brass())
        before = house.dump()
        with psycopg.connect(house.owner) as connection:
            connection.execute(
                "select pg_advisory_xact_lock(hashtextextended(%s, 0))",
                (f"{house.house_id} texts",),
            )
            writing = asyncio.create_task(as_coroutine(WRITES[name](client, items)))
            await until_one_waits(house)
            assert not writing.done()
            assert house.dump()["contents"] == before["contents"]
        await writing
    assert house.dump() != before


async def as_coroutine(work: Awaitable[object]) -> object:
    return await work


async def until_one_waits(house: Estate) -> None:
    """Return when a session waits for a lock that no table has."""
    waiting = (
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and wait_event_type = 'Lock' and wait_event = 'advisory'"
    )
    deadline = time.monotonic() + 20
    with psycopg.connect(house.owner, autocommit=True) as connection:
        while connection.execute(waiting).fetchone() == (0,):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.005)


async def test_a_task_that_says_what_a_lesson_says_keeps_its_texts(house: Estate) -> None:
    for turn in range(5):
        text = f"Rinse the brass at tide {turn}."
        row = brass(f"Rinse brass {turn}", text, scope="forge")
        async with house.client() as client:
            item = (await bring(client, row))[row["title"]]
            assert item["scope"] == FORGE
            body = start(phase=f"turn {turn}", target=text, change=text, proof_contract=[text])
            told, answer = await asyncio.gather(
                forget(item).of(client), client.post("/v1/tasks/start", json=body)
            )
        assert (told.status_code, answer.status_code) == (200, 200)
    with psycopg.connect(house.owner) as connection:
        dangling = connection.execute(
            "select count(*) from tasks t cross join unnest(t.proof_ids || t.target_id) i"
            " where not exists (select from contents c where c.content_id = i)"
        ).fetchone()
    assert dangling == (0,)
