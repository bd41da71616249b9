"""Withdrawal: a packet stands until a lesson inside must no longer be used, and then says why."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import pytest
from houses import FORGE, SHARED, Estate, Holding, Json, start
from lesson_calls import (
    brass,
    bring,
    done,
    forget,
    lessons_of,
    review,
    supersede,
    update,
)

pytestmark = pytest.mark.anyio
MINE, NEW = "Rinse the brass", "Rinse brass in water"
Loss = Callable[[httpx.AsyncClient, Json], Awaitable[object]]
Change = Callable[[httpx.AsyncClient, Json, httpx.AsyncClient], Awaitable[object]]


async def started(client: httpx.AsyncClient, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    answer = await client.post("/v1/tasks/start", json=start(), headers=headers)
    assert answer.status_code == 200, answer.text
    return answer


async def replaced_by_import(client: httpx.AsyncClient, _items: Json) -> object:
    return await bring(client, brass(rule="Rinse brass at the tide, twice."))


LOSSES: dict[str, tuple[str, Loss]] = {
    "dismissed": ("never_mine", lambda c, i: done(c, review(i[MINE], "dismissed"))),
    "archived": ("once_true", lambda c, i: done(c, review(i[MINE], "archived"))),
    "superseded": ("superseded", lambda c, i: done(c, supersede(i[MINE], i[NEW]))),
    "superseded by one that is made": (
        "superseded",
        lambda c, i: done(c, supersede(i[MINE], brass("Rinse it in water"))),
    ),
    "updated": (
        "replaced",
        lambda c, i: done(c, update(i[MINE], brass(rule="Rinse brass, tide."))),
    ),
    "replaced by an import": ("replaced", replaced_by_import),
    "forgotten": ("forgotten", lambda c, i: done(c, forget(i[MINE]))),
}


@pytest.mark.parametrize("name", LOSSES)
async def test_a_packet_is_replaced_when_a_lesson_inside_is(house: Estate, name: str) -> None:
    reason, loss = LOSSES[name]
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        first = (await started(client)).json()
        assert {row["title"] for row in first["lessons"]} == {MINE, NEW}
        await loss(client, items)
        second = await started(client)
        again = await started(client)
        read = await client.get(f"/v1/packets/{second.json()['packet_id']}")
    packet = second.json()
    assert packet["packet_id"] != first["packet_id"]
    assert packet["task_id"] == first["task_id"]
    assert packet["intent_digest"] == first["intent_digest"]
    assert packet["replaces"]["packet_id"] == first["packet_id"]
    (why,) = packet["replaces"]["reasons"]
    assert (why["lesson_id"], why["reason"]) == (items[MINE]["lesson_id"], reason)
    assert again.content == read.content == second.content
    versions = {row["id"]: row["version"] for row in packet["lessons"]}
    assert versions.get(items[MINE]["lesson_id"]) == (2 if reason == "replaced" else None)
    assert items[NEW]["lesson_id"] in versions


async def test_the_basis_of_a_reason_is_the_record_that_says_so(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass("Brass tide"))
        first = (await started(client)).json()
        told = await done(client, review(items[MINE], "dismissed"))
        await done(client, supersede(items["Brass tide"], items[NEW]))
        second = (await started(client)).json()
    assert len(first["lessons"]) == 3
    assert {(r["lesson_id"], r["reason"], r["basis"]) for r in second["replaces"]["reasons"]} == {
        (items[MINE]["lesson_id"], "never_mine", told["record_id"]),
        (items["Brass tide"]["lesson_id"], "superseded", items[NEW]["lesson_id"]),
    }


async def draft_refused(client: httpx.AsyncClient, items: Json, clerk: httpx.AsyncClient) -> None:
    await bring(clerk, brass(rule="Never rinse brass at the tide."))
    await done(client, review(items[MINE], "dismissed", version=2, previous=None))


async def draft_waits(client: httpx.AsyncClient, _: Json, clerk: httpx.AsyncClient) -> None:
    await bring(clerk, brass(rule="Never rinse brass at the tide."))
    await lessons_of(client)


async def better_lessons(client: httpx.AsyncClient, _: Json, clerk: httpx.AsyncClient) -> None:
    await bring(client, *(brass(f"Rinse the brass valve {n} before the tide") for n in range(5)))
    await bring(clerk, brass("Rinse the brass valve"))


async def others_lost(client: httpx.AsyncClient, items: Json, _: httpx.AsyncClient) -> None:
    await done(client, review(items["Anchors"], "archived"))
    await done(client, forget(items["Anchors"]))
    await done(client, supersede(items["Ropes"], items[MINE]))


async def old_version_archived(
    client: httpx.AsyncClient, items: Json, _: httpx.AsyncClient
) -> None:
    await done(client, review(items[NEW], "archived", version=1))


CHANGES = [draft_refused, draft_waits, better_lessons, others_lost, old_version_archived]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_a_packet_stands_byte_for_byte_through(house: Estate, change: Change) -> None:
    clerk = await house.admit(
        Holding("clerk", operations=("import", "read"), scopes=(SHARED, FORGE))
    )
    others = [brass("Anchors", "Drop anchors."), brass("Ropes", "Coil ropes.")]
    async with house.client() as client, house.client(clerk) as other:
        items = await bring(client, brass(), brass(NEW, "Rinse brass once, tide."), *others)
        await bring(client, brass(NEW))
        first = await started(client)
        await change(client, items, other)
        again = await started(client)
    assert len(first.json()["lessons"]) == 2
    assert again.content == first.content


async def test_packets_of_one_intent_form_a_chain(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass("Brass tide"))
        packets = [(await started(client)).json()]
        for title in (MINE, NEW, "Brass tide"):
            await done(client, review(items[title], "archived"))
            packets.append((await started(client)).json())
        last = await started(client)
        read = [await client.get(f"/v1/packets/{packet['packet_id']}") for packet in packets]
    assert len({packet["packet_id"] for packet in packets}) == 4
    assert [len(packet["lessons"]) for packet in packets] == [3, 2, 1, 0]
    replaced = [packet["replaces"]["packet_id"] for packet in packets[1:]]
    assert replaced == [packet["packet_id"] for packet in packets[:-1]]
    assert last.json() == packets[-1]
    assert [answer.json() for answer in read] == packets


async def test_what_is_promoted_again_does_not_bring_a_withdrawn_packet_back(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass())
        first = (await started(client)).json()
        await done(client, review(items[MINE], "archived"))
        second = (await started(client)).json()
        await done(client, review((await lessons_of(client))[MINE], "promoted"))
        third = (await started(client)).json()
    assert second["lessons"] == []
    assert third == second  # a better lesson waits for the next change of intent
    assert first["packet_id"] != second["packet_id"]


async def test_two_starters_at_once_replace_a_packet_once(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        first = (await started(client)).json()
        await done(client, review(items[MINE], "dismissed"))
        answers = await asyncio.gather(*(started(client) for _ in range(6)))
    assert len({answer.content for answer in answers}) == 1
    assert answers[0].json()["replaces"]["packet_id"] == first["packet_id"]
    assert len(house.dump()["packets"]) == 2


async def test_a_start_during_a_review_gets_the_packet_of_before_or_after(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        first = await started(client)
        told, answer = await asyncio.gather(
            review(items[MINE], "dismissed").of(client), started(client)
        )
        after = await started(client)
    assert told.status_code == 200
    assert answer.content in {first.content, after.content}
    assert [row["title"] for row in after.json()["lessons"]] == [NEW]


async def test_a_key_never_brings_back_a_packet_that_was_withdrawn(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        first = await started(client, "key-1")
        assert (await started(client, "key-1")).content == first.content
        await done(client, forget(items[MINE]))
        second = await started(client, "key-1")
        assert second.json()["replaces"]["packet_id"] == first.json()["packet_id"]
        before = house.dump()
        assert (await started(client, "key-1")).content == second.content
        assert house.dump() == before
        changed = await client.post(
            "/v1/tasks/start", json=start(phase="other"), headers={"Idempotency-Key": "key-1"}
        )
    assert (changed.status_code, changed.json()["code"]) == (409, "key_reused")


async def test_a_withdrawn_packet_of_a_forgotten_lesson_is_not_read_again(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        first = (await started(client)).json()
        await done(client, review(items[NEW], "archived"))
        still = await client.get(f"/v1/packets/{first['packet_id']}")
        await done(client, forget(items[MINE]))
        gone = await client.get(f"/v1/packets/{first['packet_id']}")
    assert (still.status_code, still.json()) == (200, first)
    assert (gone.status_code, gone.json()["code"]) == (410, "evidence_forgotten")


async def test_one_room_that_loses_a_lesson_leaves_the_packets_of_another(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(scope="forge"), brass(NEW))
        body = start(room="library")
        library = (await client.post("/v1/tasks/start", json=body)).json()
        forge = (await started(client)).json()
        await done(client, review(items[MINE], "dismissed"))
        assert (await client.post("/v1/tasks/start", json=body)).json() == library
        assert (await started(client)).json()["replaces"]["packet_id"] == forge["packet_id"]
