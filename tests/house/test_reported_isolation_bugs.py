"""Kinds of bugs of isolation and scope that users of other memories of agents reported.

The names of the tests cite the rows by number; `test_reported_memory_bugs` holds the list of all.
"""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from houses import FORGE, LIBRARY, PROJECTS, SHARED, Estate, Holding, Json, pack, start
from lesson_calls import (
    Ask,
    brass,
    bring,
    create,
    done,
    forget,
    lessons_of,
    refused,
    review,
    update,
)
from remains import counts

from api.http import create_application

pytestmark = pytest.mark.anyio
OLD = "Rinse the brass"


async def test_mc_24_no_choice_of_the_caller_opens_another_room(house: Estate) -> None:
    secret = await house.admit(Holding("reader", scopes=(FORGE, SHARED)))
    async with house.client() as client, house.client(secret) as other:
        items = await bring(client, brass(scope="library"))
        for asked in ({"scope": LIBRARY}, {"disposition": "promoted"}, {"kind": "coding_lesson"}):
            assert (await other.get("/v1/lessons", params=asked)).json()["items"] == []
        hidden = f"/v1/lessons/{items[OLD]['lesson_id']}"
        for asked in ({"scope": LIBRARY}, {"room": "library"}, {"principal": "operator"}):
            assert (await other.get(hidden, params=asked)).status_code == 404
        for wrong in ({"scopes": [LIBRARY]}, {"principal": "operator"}):
            answer = await other.post("/v1/tasks/start", json=start(**wrong))
            assert answer.status_code == 400


async def test_mc_26_two_senders_of_one_room_share_its_lessons_and_not_their_tasks(
    house: Estate,
) -> None:
    secrets = [await house.admit(Holding(name)) for name in ("one", "other")]
    async with house.client() as client:
        await bring(client, brass(scope="forge"))
    async with house.client(secrets[0]) as one, house.client(secrets[1]) as other:
        packet = (await one.post("/v1/tasks/start", json=start())).json()
        path = f"/v1/packets/{packet['packet_id']}"
        assert (await other.get(path)).status_code == 404
        assert await lessons_of(one) == await lessons_of(other) != {}


READ: dict[str, Callable[[Json], str]] = {
    "/v1/derivations/{digest}": lambda p: p["lessons"][0]["derivation"]["digest"],
    "/v1/fact-sets/{digest}": lambda p: p["lessons"][0]["derivation"]["given_digests"][0],
    "/v1/lessons": lambda _: "",
    "/v1/lessons/{lesson_id}": lambda p: p["lessons"][0]["id"],
    "/v1/packets/{packet_id}": lambda p: p["packet_id"],
}
OF_NO_ROOM = {"/health", "/ready", "/v1/rulesets/{version}"}


async def test_mc_27_no_reading_route_gives_what_lies_in_another_room(house: Estate) -> None:
    routes = {
        route.path_format
        for route in create_application(house.runtime, house.clock).routes
        if "GET" in getattr(route, "methods", ()) and not route.path.startswith("/openapi")
    }
    assert routes - OF_NO_ROOM >= set(READ)
    secret = await house.admit(Holding("reader", scopes=(LIBRARY, SHARED)))
    async with house.client() as client, house.client(secret) as other:
        items = await bring(client, brass(scope="forge"), brass("Polish brass", scope="library"))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
        for path, name in READ.items():
            asked = name(packet)
            address = re.sub(r"\{\w+\}", asked, path)
            mine, theirs = await client.get(address), await other.get(address)
            assert items[OLD]["lesson_id"] in mine.text, path
            told = theirs.text.replace(asked, "") if asked else theirs.text
            assert items[OLD]["lesson_id"] not in told, path
            assert theirs.status_code == (200 if path == "/v1/lessons" else 404)


async def test_mc_28_the_room_of_a_lesson_stays_with_every_row_that_comes_of_it(
    house: Estate,
) -> None:
    before = {table: set(rows) for table, rows in house.dump().items()}
    async with house.client() as client:
        await done(client, create(brass(scope="forge", review="unreviewed")))
        item = (await lessons_of(client))[OLD]
        await done(client, review(item, "promoted"))
        item = (await lessons_of(client))[OLD]
        await done(client, update(item, brass(rule="Rinse brass, tide.", scope="forge")))
        await client.post("/v1/tasks/start", json=start())
    new = {table: set(rows) - before[table] for table, rows in house.dump().items()}
    for table in ("acts", "contents", "lessons", "lesson_versions", "lesson_index", "packets"):
        assert new[table], table
        assert all(f'"scope": "{FORGE}"' in row for row in new[table]), table
    assert all(f'"{FORGE}"' in row for row in new["base_facts"])


def test_mc_29_no_test_of_isolation_can_be_skipped() -> None:
    root = Path(__file__).parents[1]
    tests = [path for path in root.rglob("*.py") if path != Path(__file__)]
    skipping = re.compile(r"importorskip|mark\.(skip|skipif|xfail)\b")
    guilty = {str(p.relative_to(root)) for p in tests if skipping.search(p.read_text("utf-8"))}
    assert not {name for name in guilty if name.startswith(("store/", "house/", "api/"))}


async def test_mc_31_writes_and_reads_of_two_rooms_at_once_never_mix(house: Estate) -> None:
    operations = ("read", "start_task", "import", "promote")
    holdings = [
        Holding(room, operations=operations, scopes=(f"room:{room}", SHARED))
        for room in ("forge", "library")
    ]
    for holding in holdings:
        await house.admit(holding)

    async def work(holding: Holding) -> None:
        room = holding.principal
        async with house.client(holding.secret) as client:
            for number in range(8):
                title = f"Rinse brass of {room} {number}"
                await done(client, create(brass(title, scope=room)))
                seen = await lessons_of(client)
                assert len(seen) == number + 1
                assert {item["scope"] for item in seen.values()} == {f"room:{room}"}
                body = start(room=room, phase=f"phase {number}")
                packet = (await client.post("/v1/tasks/start", json=body)).json()
                assert packet["lessons"]
                assert all(room in row["title"] for row in packet["lessons"])

    await asyncio.gather(*(work(holding) for holding in holdings))


async def test_mc_32_an_unknown_room_or_project_is_refused_and_stores_nothing(
    house: Estate,
) -> None:
    before = house.dump()
    async with house.client() as client:
        asks = [
            (create(brass(scope="cellar")), 403),
            (create(brass(project="attic")), 400),
            (create(brass(kind="project_lesson", project="attic")), 400),
            (Ask("POST", "/v1/lessons/import", pack([brass(scope="cellar")])), 422),
            (Ask("POST", "/v1/lessons/import", pack([brass(project="attic")])), 422),
            (Ask("POST", "/v1/tasks/start", start(room="cellar")), 403),
            (Ask("POST", "/v1/tasks/start", start(project_key="attic")), 400),
        ]
        for ask, status in asks:
            assert (await ask.of(client)).status_code == status, ask
    assert house.dump() == before


async def test_mc_33_a_project_is_what_the_caller_says_and_never_where_it_stands(
    house: Estate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for project in PROJECTS[:2]:
        folder = tmp_path / project
        folder.mkdir()
        monkeypatch.chdir(folder)
        async with house.client() as client:
            told = await done(client, create(brass()))
            packet = (await client.post("/v1/tasks/start", json=start())).json()
            lacking = {k: v for k, v in start().items() if k != "project_key"}
            answer = await client.post("/v1/tasks/start", json=lacking)
            assert (answer.status_code, answer.json()["location"]) == (400, "project_key")
            assert (await lessons_of(client))[OLD]["project"] is None
        found.append((told["lesson_id"], packet))
    assert found[0] == found[1]


async def test_mc_35_forgetting_in_one_room_leaves_the_same_text_in_another(
    house: Estate,
) -> None:
    async with house.client() as client:
        await bring(client, brass(scope="forge"))
        await bring(client, brass(scope="library"), name="other")
        found = (await client.get("/v1/lessons", params={"scope": FORGE})).json()["items"]
        await done(client, forget(found[0]))
        assert await refused(client, forget(found[0] | {"lesson_id": "lesson-0"})) == (
            404,
            "not_found",
        )
        (left,) = (await client.get("/v1/lessons")).json()["items"]
        packet = (await client.post("/v1/tasks/start", json=start(room="library"))).json()
    assert (left["scope"], left["record"]["lesson"]) == (LIBRARY, "Rinse brass at the tide.")
    assert [row["id"] for row in packet["lessons"]] == [left["lesson_id"]]


async def test_mc_36_a_purge_of_one_room_leaves_every_count_of_the_others(house: Estate) -> None:
    rows = [
        brass(f"Rinse brass of {room} {n}", scope=room)
        for n in range(4)
        for room in ("forge", "library", "shared")
    ]
    async with house.client() as client:
        items = await bring(client, *rows)
        before = {scope: counts(house, scope) for scope in (LIBRARY, SHARED)}
        for item in items.values():
            if item["scope"] == FORGE:
                await done(client, forget(item))
        after = {scope: counts(house, scope) for scope in (LIBRARY, SHARED)}
        assert len(await lessons_of(client)) == 8
    assert after == before
