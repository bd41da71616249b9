"""Updates and creations of single lessons: what they demand, what they write, what they leave."""

import asyncio

import psycopg
import pytest
from houses import FORGE, SHARED, Estate, Holding, Json, start
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

pytestmark = pytest.mark.anyio
FULL = record(102) | {"scope": "shared", "review": "promoted", "negation_of_title": None}


async def one(house: Estate, **changes: object) -> Json:
    async with house.client() as client:
        found: Json = (await bring(client, brass() | changes))["Rinse the brass"]
        return found


async def test_an_update_is_a_new_version_with_authority_of_its_own(house: Estate) -> None:
    item = await one(house)
    async with house.client() as client:
        before = (await client.post("/v1/tasks/start", json=start())).json()
        told = await done(client, update(item, brass("Rinse all brass", "Rinse brass, tide.")))
        detail = (await client.get(f"/v1/lessons/{item['lesson_id']}")).json()
        packet = (await client.post("/v1/tasks/start", json=start())).json()
    assert told | {"record_id": ""} == {
        "lesson_id": item["lesson_id"],
        "version": 2,
        "record_id": "",
        "unchanged": False,
    }
    assert (detail["version"], detail["title"]) == (2, "Rinse all brass")
    assert [v["record"]["title"] for v in detail["versions"]] == [
        "Rinse the brass",
        "Rinse all brass",
    ]
    assert [[d["disposition"] for d in v["dispositions"]] for v in detail["versions"]] == [
        ["promoted"],
        ["promoted"],
    ]
    assert detail["versions"][1]["reason"] == "it was wrong"
    assert packet["replaces"]["packet_id"] == before["packet_id"]
    assert [row["lesson"] for row in packet["lessons"]] == ["Rinse brass, tide."]


async def test_every_field_of_a_record_comes_back_as_it_was_written(house: Estate) -> None:
    item = await one(house)
    async with house.client() as client:
        await done(client, update(item, FULL))
        shown = (await lessons_of(client))[FULL["title"]]["record"]
        kept = {k: v for k, v in FULL.items() if v is not None}
        assert {k: shown[k] for k in kept} == kept
        again = (await lessons_of(client))[FULL["title"]]
        assert (await done(client, update(again, again["record"])))["unchanged"]


async def test_an_update_that_says_the_same_changes_nothing(house: Estate) -> None:
    item = await one(house, tags=["a"])
    before = house.dump()
    async with house.client() as client:
        told = await done(client, update(item, item["record"]))
        assert told["unchanged"]
        assert told["version"] == 1
        assert house.dump() == before
        await done(client, review(item, "archived"))
        archived = (await lessons_of(client))["Rinse the brass"]
        assert not (await done(client, update(archived, item["record"])))["unchanged"]


STALE: dict[str, tuple[Json, str]] = {
    "another title": ({"expected_title": "Rinse the Brass"}, "stale_title"),
    "an older version": ({"baseline_version": 1}, "stale_baseline"),
    "a version to come": ({"baseline_version": 3}, "stale_baseline"),
}


@pytest.mark.parametrize("name", STALE)
async def test_an_update_of_what_was_read_before_is_refused_with(house: Estate, name: str) -> None:
    item = await one(house)
    changes, code = STALE[name]
    async with house.client() as client:
        await done(client, update(item, brass(rule="Rinse brass, tide.")))
        now = (await lessons_of(client))["Rinse the brass"]
        before = house.dump()
        assert await refused(client, update(now, brass(rule="Other."), **changes)) == (409, code)
    assert house.dump() == before


IDENTITY: dict[str, Json] = {
    "kind": {"kind": "project_lesson", "project": "sluicebook"},
    "scope": {"scope": "forge"},
    "project": {"project": "sluicebook"},
}


@pytest.mark.parametrize("field", IDENTITY)
async def test_an_update_never_changes_the_identity_by(house: Estate, field: str) -> None:
    item = await one(house)
    async with house.client() as client:
        answer = await update(item, brass(**IDENTITY[field])).of(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "identity_differs")
    assert f"record.{field}" in answer.json()["detail"]


FIELDS: dict[str, tuple[Json, Json]] = {
    "record.review": ({"review": "unreviewed"}, {}),
    "record.superseded_by_title": ({"superseded_by_title": "Polish brass"}, {}),
    "record.negation_of_title": ({"negation_of_title": "Nobody's"}, {}),
    "negation_of": ({}, {"negation_of": "lesson-0"}),
    "expected_title": ({}, {"expected_title": ""}),
    "baseline_version": ({}, {"baseline_version": 0}),
    "record.colour": ({"colour": "red"}, {}),
    "colour": ({}, {"colour": "red"}),
}


@pytest.mark.parametrize("place", FIELDS)
async def test_an_update_is_refused_at(house: Estate, place: str) -> None:
    item = await one(house)
    fields, changes = FIELDS[place]
    before = house.dump()
    async with house.client() as client:
        answer = await update(item, brass(rule="Other.", **fields), **changes).of(client)
    assert (answer.status_code, answer.json()["location"]) == (400, place)
    assert house.dump() == before


async def test_an_opposite_is_found_by_title_and_by_id(house: Estate) -> None:
    rows = [brass(), brass("Leave the brass", scope="forge"), brass("Leave the brass")]
    async with house.client() as client:
        await bring(client, *rows[:2])
        await bring(client, rows[2], name="other")
        await bring(client, brass("Leave the brass", "Other."), name="third")
        items = (await client.get("/v1/lessons")).json()["items"]
        mine = next(i for i in items if i["title"] == "Rinse the brass")
        others = {i["lesson_id"] for i in items if i["title"] == "Leave the brass"}
        shared = sorted(
            i["lesson_id"] for i in items if i["lesson_id"] in others and i["scope"] == "shared"
        )
        opposed = brass(negation_of_title="Leave the brass")
        ask = update(mine, opposed)
        assert await refused(client, ask) == (400, "field_refused")  # two have that title
        await done(client, update(mine, opposed, negation_of=shared[1]))
        now = (await lessons_of(client))["Rinse the brass"]
        assert now["record"]["negation_of_title"] == "Leave the brass"
        linked = (await client.get(f"/v1/lessons/{mine['lesson_id']}")).json()["versions"][-1]
        assert linked["links"] == [{"kind": "negation_of", "lesson_id": shared[1]}]
        await done(client, update(now, now["record"] | {"tags": ["a"]}))  # the one that it has
        linked = (await client.get(f"/v1/lessons/{mine['lesson_id']}")).json()["versions"][-1]
        assert linked["links"] == [{"kind": "negation_of", "lesson_id": shared[1]}]
        hidden = next(i for i in items if i["scope"] == FORGE)
        now = (await lessons_of(client))["Rinse the brass"]
        ask = update(now, opposed, negation_of=hidden["lesson_id"])
        assert await refused(client, ask) == (400, "field_refused")  # narrower than the lesson
        itself = update(now, opposed, negation_of=mine["lesson_id"])
        assert await refused(client, itself) == (400, "field_refused")


async def test_what_has_given_way_or_was_forgotten_is_not_updated(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass("Polish brass"), brass("Old", "Brass."))
        await done(client, supersede(items["Rinse the brass"], items["Polish brass"]))
        await done(client, forget(items["Old"]))
        for title, code in (("Rinse the brass", "superseded"), ("Old", "lesson_forgotten")):
            assert await refused(client, update(items[title], brass(title, "x"))) == (409, code)
            before = house.dump()
            await refused(client, update(items[title], brass(title, "x")))
            assert house.dump() == before


async def test_of_two_updates_at_once_one_lands_and_the_other_is_stale(house: Estate) -> None:
    item = await one(house)
    async with house.client() as client:
        asks = [update(item, brass(rule=f"Rinse brass {n}.")) for n in range(4)]
        answers = await asyncio.gather(*(ask.of(client) for ask in asks))
    assert sorted(a.status_code for a in answers) == [200, 409, 409, 409]
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"stale_baseline"}


async def test_a_file_that_did_not_change_does_not_undo_an_update(house: Estate) -> None:
    item = await one(house)
    async with house.client() as client:
        await done(client, update(item, brass("Rinse all brass", "Rinse brass, tide.")))
        assert set(await bring(client, brass())) == {"Rinse all brass"}
        changed = brass(rule="The file says otherwise now.")
        assert (await bring(client, changed))["Rinse the brass"]["version"] == 3
        assert (await bring(client, changed))["Rinse the brass"]["version"] == 3


async def test_a_lesson_is_made_promoted_by_who_may_and_unreviewed_by_who_may_not(
    house: Estate,
) -> None:
    clerk = await house.admit(
        Holding("clerk", operations=("import", "read"), scopes=(SHARED, FORGE))
    )
    async with house.client() as client, house.client(clerk) as other:
        mine = await done(client, create(brass()))
        draft = await done(other, create(brass("Polish brass", scope="forge")))
        asked = await done(client, create(brass("Sleep", review="unreviewed")))
        items = await lessons_of(client)
        assert await refused(other, create(brass("A", scope="library"))) == (403, "denied")
        assert await refused(other, create(brass("A", scope="cellar"))) == (403, "denied")
    assert items["Rinse the brass"]["record_id"] == mine["record_id"] is not None
    assert draft["record_id"] is asked["record_id"] is None
    assert {t: i["disposition"] for t, i in items.items()} == {
        "Rinse the brass": "promoted",
        "Polish brass": None,
        "Sleep": None,
    }


async def test_the_same_lesson_is_made_once_and_another_under_its_name_is_refused(
    house: Estate,
) -> None:
    async with house.client() as client:
        first = await done(client, create(brass()))
        before = house.dump()
        assert await done(client, create(brass())) == first | {"unchanged": True}
        other = await create(brass(rule="Something else.")).of(client)
        assert (other.status_code, other.json()["code"]) == (409, "lesson_exists")
        assert first["lesson_id"] in other.json()["detail"]
        unknown = create(brass("B", project="attic"))
        assert await refused(client, unknown) == (400, "field_refused")
        assert house.dump() == before
        asks = [create(brass("At once")) for _ in range(3)]
        answers = await asyncio.gather(*(ask.of(client) for ask in asks))
    assert [a.status_code for a in answers] == [200] * 3
    assert sorted(a.json()["unchanged"] for a in answers) == [False, True, True]
    with psycopg.connect(house.owner) as connection:
        assert connection.execute("select count(*) from lesson_versions").fetchone() == (2,)
