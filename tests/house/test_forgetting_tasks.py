"""Forgetting of tasks, and forgetting while others write."""

import asyncio
from typing import Any

import httpx
import psycopg
import pytest
from houses import FORGE, SHARED, Estate, Holding, Json, pack, start
from lesson_calls import brass, bring, done, forget, forget_packet, refused, review
from remains import digests_of, left, paths_of

from contracts import TaskStart, intent_digest

pytestmark = pytest.mark.anyio
SECRETS = ("quicksilver", "vermilion", "orpiment", "realgar", "cinnabar", "antimony", "galena")


async def started(client: httpx.AsyncClient, **changes: Any) -> Json:
    answer = await client.post("/v1/tasks/start", json=start(**changes))
    assert answer.status_code == 200, answer.text
    packet: Json = answer.json()
    return packet


async def test_no_byte_and_no_digest_of_a_task_is_left_in_any_table(house: Estate) -> None:
    body = start(
        worker_id="worker-quicksilver",
        worker_role="vermilion",
        phase="orpiment",
        task_kind="realgar",
        target="the cinnabar register",
        change="Rinse the brass of antimony at the tide.",
        proof_contract=["no galena is left", "no orpiment is left"],
    )
    intent = intent_digest(TaskStart.model_validate(body))
    texts = [body["target"], body["change"], *body["proof_contract"]]
    wanted = [*SECRETS, intent, *digests_of(FORGE, texts)]
    async with house.client() as client:
        items = await bring(client, brass())
        headers = {"Idempotency-Key": "start-1"}
        first = (await client.post("/v1/tasks/start", json=body, headers=headers)).json()
        await done(client, review(items["Rinse the brass"], "archived"))
        second = (await client.post("/v1/tasks/start", json=body)).json()
        assert second["replaces"]["packet_id"] == first["packet_id"]
        assert len(left(house, wanted)) >= 3
        told = await done(client, forget_packet(first))
        assert told == {
            "packet_id": first["packet_id"],
            "task_id": first["task_id"],
            "unchanged": False,
        }
        assert left(house, wanted) == {}
        before = house.dump()
        assert (await done(client, forget_packet(second)))["unchanged"]
        assert house.dump() == before
        for packet in (first, second):
            for path in (f"/v1/packets/{packet['packet_id']}", *paths_of(packet)[:1]):
                assert (await client.get(path)).json()["code"] == "evidence_forgotten"
        again = await client.post("/v1/tasks/start", json=body, headers=headers)
        assert (again.status_code, again.json()["code"]) == (410, "evidence_forgotten")
        third = (await client.post("/v1/tasks/start", json=body)).json()
        assert third["task_id"] not in {first["task_id"], second["task_id"]}
        assert third["replaces"] is None
        await done(client, forget_packet(third))
        fourth = (await client.post("/v1/tasks/start", json=body)).json()
        assert fourth["task_id"] not in {first["task_id"], third["task_id"]}


async def test_a_packet_is_forgotten_by_who_administers_its_room(house: Estate) -> None:
    owner = await house.admit(Holding("owner"))
    colleague = await house.admit(Holding("colleague"))
    warden = await house.admit(
        Holding("warden", operations=("read", "administer"), scopes=(FORGE, SHARED))
    )
    async with house.client(owner) as client:
        packet = await started(client)
        before = house.dump()
        assert await refused(client, forget_packet(packet)) == (403, "denied")
    async with house.client(colleague) as client:
        ask = forget_packet(packet)
        absent = forget_packet({"packet_id": "packet-" + "0" * 32})
        answers = [await a.of(client) for a in (ask, absent)]
        assert [a.status_code for a in answers] == [404, 404]
        names = [packet["packet_id"].encode(), b"packet-" + b"0" * 32]
        assert answers[0].content.replace(*names) == answers[1].content
    assert house.dump() == before
    async with house.client(warden) as client:
        assert not (await done(client, forget_packet(packet)))["unchanged"]


async def test_a_packet_that_starts_while_its_lesson_is_forgotten_is_of_before_or_after(
    house: Estate,
) -> None:
    for turn in range(5):
        title = f"Rinse brass {turn}"
        async with house.client() as client:
            item = (await bring(client, brass(title, "Rinse the brass at this tide.")))[title]
            body = start(phase=f"turn {turn}", change="Rinse the brass at this tide.")
            told, answer = await asyncio.gather(
                forget(item).of(client), client.post("/v1/tasks/start", json=body)
            )
            assert (told.status_code, answer.status_code) == (200, 200)
            after = (await client.post("/v1/tasks/start", json=body)).json()
        assert item["lesson_id"] not in {row["id"] for row in after["lessons"]}
        if item["lesson_id"] in {row["id"] for row in answer.json()["lessons"]}:
            assert [r["reason"] for r in after["replaces"]["reasons"]] == ["forgotten"]
    with psycopg.connect(house.owner) as connection:
        dangling = connection.execute(
            "select count(*) from tasks t cross join unnest(t.proof_ids || t.target_id) i"
            " where not exists (select from contents c where c.content_id = i)"
        ).fetchone()
    assert dangling == (0,)


async def test_an_import_that_runs_while_a_lesson_is_forgotten_brings_nothing_of_it_back(
    house: Estate,
) -> None:
    for turn in range(5):
        title = f"Rinse brass {turn}"
        async with house.client() as client:
            item = (await bring(client, brass(title, "Rinse it.")))[title]
            row = brass(title, f"Rinse it with quicksilver {turn}.")
            told, answer = await asyncio.gather(
                forget(item).of(client), client.post("/v1/lessons/import", json=pack([row]))
            )
            assert told.status_code in {200, 409}
            assert answer.status_code in {200, 422}
            await forget(item).of(client)
    assert left(house, ["quicksilver"]) == {}
