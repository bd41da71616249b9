"""Forgetting: nothing of the text and no digest of it stays; what rested on it says so."""

import json
from typing import Any

import httpx
import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, pack, start
from lesson_calls import (
    brass,
    bring,
    create,
    done,
    forget,
    lessons_of,
    refused,
    review,
    supersede,
    update,
)
from lesson_packs import record
from remains import counts, digests_of, left, paths_of, texts_of

pytestmark = pytest.mark.anyio
SECRETS = ("quicksilver", "vermilion", "orpiment", "realgar", "cinnabar", "antimony", "galena")
FULL = record(102) | {
    "title": "Rinse the brass with quicksilver",
    "lesson": "Rinse the brass at the tide with vermilion.",
    "trigger_context": "The brass shows orpiment.",
    "proof_pattern": "No realgar is left.",
    "trigger": {"condition": "cinnabar.*", "ast_condition": "antimony"},
    "source": {"path": "docs/galena.md", "first_line": 1, "last_line": 2},
    "scope": "shared",
    "review": "promoted",
    "stages": [],
    "languages": [],
    "technologies": [],
}
TITLE = str(FULL["title"])


async def started(client: httpx.AsyncClient, **changes: Any) -> Json:
    answer = await client.post("/v1/tasks/start", json=start(**changes))
    assert answer.status_code == 200, answer.text
    packet: Json = answer.json()
    return packet


async def test_no_byte_and_no_digest_of_a_lesson_is_left_in_any_table(house: Estate) -> None:
    second = FULL | {"title": f"{TITLE} twice", "tags": ["antimony"]}
    third = FULL | {"lesson": "Rinse the brass with galena at the tide."}
    async with house.client() as client:
        first = (await bring(client, FULL))[TITLE]
        await started(client)
        told = update(first, second, reason="the vermilion was wrong")
        assert (await told.of(client, "update-1")).status_code == 200
        now = (await lessons_of(client))[second["title"]]
        assert (await review(now, "archived", reason="quicksilver").of(client, "r")).is_success
        now = (await lessons_of(client))[second["title"]]
        await done(client, update(now, third))
        now = (await lessons_of(client))[TITLE]
        await started(client, phase="later")
        made = supersede(now, brass("Rinse brass in water"), reason="orpiment is bad")
        assert (await made.of(client, "supersede-1")).status_code == 200
        records = [FULL, second, third]
        wanted = digests_of(SHARED, {t for r in records for t in texts_of(r)}, *records)
        assert len(left(house, [*SECRETS, *wanted])) >= 5
        assert (await forget(now).of(client, "forget-1")).status_code == 200
    assert left(house, [*SECRETS, *wanted]) == {}
    lesson_id = first["lesson_id"]
    dumped = house.dump()
    versions = [json.loads(row) for row in dumped["lesson_versions"] if lesson_id in row]
    assert [row["source_digest"] for row in versions] == ["forgotten"] * 3
    assert all(lesson_id not in row for row in dumped["lesson_index"])
    assert all(lesson_id not in row for row in dumped["base_facts"])


async def test_no_call_under_a_key_that_carried_the_lesson_can_be_compared_any_more(
    house: Estate,
) -> None:
    async with house.client() as client:
        made = create(FULL)
        assert (await made.of(client, "create-1")).status_code == 200
        item = (await lessons_of(client))[TITLE]
        other = create(brass("Polish brass"))
        assert (await other.of(client, "create-2")).status_code == 200
        first = await forget(item).of(client, "forget-1")
        before = house.dump()
        for key in ("create-1", "create-1"):
            gone = await made.of(client, key)
            assert (gone.status_code, gone.json()["code"]) == (410, "evidence_forgotten")
        assert (await other.of(client, "create-2")).status_code == 200
        again = await forget(item).of(client, "forget-1")
        assert (again.status_code, again.content) == (200, first.content)
        assert house.dump() == before
    digests = {row["key"]: row["request_digest"] for row in map(json.loads, before["idempotency"])}
    assert digests["create-1"] == "forgotten"
    assert "forgotten" not in {digests["create-2"], digests["forget-1"]}


async def test_what_rests_on_a_forgotten_lesson_is_gone_and_the_rest_is_not(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(
            client, FULL, brass("Polish brass", "Polish the brass valve before the tide turns.")
        )
        with_it = await started(client)
        await done(client, forget(items[TITLE]))
        later = await started(client, phase="later")
        paths = paths_of(with_it)
        gone = {
            path: await client.get(path) for path in [f"/v1/packets/{with_it['packet_id']}", *paths]
        }
        kept = {path: await client.get(path) for path in paths_of(later)}
        unknown = await client.get("/v1/derivations/" + "0" * 64)
    about = {
        row["title"]: f"/v1/derivations/{row['derivation']['digest']}" for row in with_it["lessons"]
    }
    assert len(about) == 2
    spared = gone.pop(about["Polish brass"])
    assert spared.status_code == 200  # its proof names no other lesson
    for path, answer in gone.items():
        assert (answer.status_code, answer.json()["code"]) == (410, "evidence_forgotten"), path
        assert not any(word in answer.text for word in SECRETS)
    assert {answer.status_code for answer in kept.values()} == {200}
    assert [row["title"] for row in later["lessons"]] == ["Polish brass"]
    assert unknown.status_code == 404


async def test_who_may_not_read_what_rests_on_a_forgotten_lesson_learns_nothing(
    house: Estate,
) -> None:
    secret = await house.admit(Holding("librarian", scopes=(LIBRARY, SHARED)))
    async with house.client() as client, house.client(secret) as other:
        items = await bring(client, brass(scope="forge"))
        packet = await started(client)
        await done(client, forget(items["Rinse the brass"]))
        for path in (f"/v1/lessons/{items['Rinse the brass']['lesson_id']}", *paths_of(packet)):
            mine, absent = await other.get(path), await other.get(path[:-8] + "0" * 8)
            name, unknown = (p.rpartition("/")[2].encode() for p in (path, path[:-8] + "0" * 8))
            assert mine.status_code == absent.status_code == 404
            assert mine.content.replace(name, unknown) == absent.content


async def test_a_forgotten_lesson_is_no_lesson_and_stays_forgotten(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, FULL, brass("Polish brass"))
        await done(client, forget(items[TITLE]))
        assert set(await lessons_of(client)) == {"Polish brass"}
        shown = await client.get(f"/v1/lessons/{items[TITLE]['lesson_id']}")
        assert (shown.status_code, shown.json()["code"]) == (410, "evidence_forgotten")
        before = house.dump()
        again = await client.post("/v1/lessons/import", json=pack([FULL, brass("New")]))
        assert again.status_code == 422
        (rejected,) = again.json()["rejected"]
        assert (rejected["record"], rejected["field"]) == (0, "title")
        assert rejected["problem"].startswith("the lesson was forgotten")
        for ask in (
            review(items[TITLE], "archived"),
            update(items[TITLE], FULL),
            supersede(items[TITLE], items["Polish brass"]),
        ):
            assert await refused(client, ask) == (409, "lesson_forgotten")
        assert (await done(client, forget(items[TITLE])))["unchanged"]
        assert house.dump() == before
        made = (await done(client, create(FULL)))["lesson_id"]
        await done(client, forget({"lesson_id": made, "title": TITLE}))
        assert await refused(client, create(FULL)) == (409, "lesson_forgotten")


async def test_a_lesson_is_forgotten_by_its_exact_title_by_who_administers_its_scope(
    house: Estate,
) -> None:
    writer = Holding("writer", operations=("read", "import", "promote"), scopes=(FORGE, SHARED))
    secret = await house.admit(writer)
    async with house.client() as client, house.client(secret) as other:
        items = await bring(client, brass(), brass("Polish brass", scope="library"))
        before = house.dump()
        mine, hidden = items["Rinse the brass"], items["Polish brass"]
        for title in ("Rinse the Brass", "Rinse the brass ", "Polish brass"):
            assert await refused(client, forget(mine, title=title)) == (409, "stale_title")
        assert await refused(other, forget(mine)) == (403, "denied")
        absent = forget(hidden | {"lesson_id": "lesson-" + "0" * 24})
        answers = [await ask.of(other) for ask in (forget(hidden), absent)]
        assert [a.status_code for a in answers] == [404, 404]
        names = [hidden["lesson_id"].encode(), b"lesson-" + b"0" * 24]
        assert answers[0].content.replace(*names) == answers[1].content
        for changes in ({"reason": ""}, {"title": "a\nb"}, {"all": True}):
            assert await refused(client, forget(mine, **changes)) == (400, "invalid")
        assert house.dump() == before


async def test_the_same_text_elsewhere_stays(house: Estate) -> None:
    """In another room, in another lesson of the same scope, and in a task that says the same."""
    rows = [brass(scope="forge"), brass(scope="library"), brass("Polish brass", scope="forge")]
    async with house.client() as client:
        await bring(client, rows[0], rows[2])
        await bring(client, rows[1], name="other")
        packet = await started(client, change=rows[0]["lesson"], target="Rinse the brass")
        found = (await client.get("/v1/lessons?scope=room:forge")).json()["items"]
        item = next(i for i in found if i["title"] == "Rinse the brass")
        await done(client, forget(item))
        names = {i["title"]: i for i in (await client.get("/v1/lessons")).json()["items"]}
    assert {(t, i["scope"]) for t, i in names.items()} == {
        ("Rinse the brass", LIBRARY),
        ("Polish brass", FORGE),
    }
    assert names["Polish brass"]["record"]["lesson"] == rows[0]["lesson"]
    kept = [json.loads(row) for row in house.dump()["contents"]]
    assert {(r["scope"], r["body"]) for r in kept} >= {
        (FORGE, rows[0]["lesson"]),
        (FORGE, "Rinse the brass"),  # the target of the task
        (LIBRARY, rows[1]["lesson"]),
        (LIBRARY, "Rinse the brass"),
    }
    assert packet["packet_id"]


async def test_forgetting_in_one_room_leaves_every_count_of_the_others(house: Estate) -> None:
    rows = [
        brass(f"Rinse brass of {room} {n}", scope=room)
        for n in range(3)
        for room in ("forge", "library")
    ]
    async with house.client() as client:
        items = await bring(client, *rows)
        for room in ("forge", "library"):
            await started(client, room=room)
        before = counts(house, LIBRARY)
        for item in items.values():
            if item["scope"] == FORGE:
                await done(client, forget(item))
        assert counts(house, LIBRARY) == before
        assert len(await lessons_of(client)) == 3
