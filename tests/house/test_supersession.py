"""Supersession: explicit, of one subject, in one transaction, never in a circle."""

import asyncio
from itertools import pairwise
from typing import Any

import httpx
import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start
from lesson_calls import brass, bring, done, forget, lessons_of, refused, review, supersede, update

pytestmark = pytest.mark.anyio
OLD, NEW, OTHER = "Rinse the brass", "Rinse brass in fresh water", "Polish brass"


async def packet_titles(client: httpx.AsyncClient, **changes: Any) -> list[str]:
    answer = await client.post("/v1/tasks/start", json=start(**changes))
    return sorted(row["title"] for row in answer.json()["lessons"])


async def test_a_lesson_gives_way_to_another_and_nothing_else_changes(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass(OTHER))
        refs = ["packet-1", "turn:4711@2"]
        told = await done(client, supersede(items[OLD], items[NEW], evidence_refs=refs))
        after = await lessons_of(client)
        detail = (await client.get(f"/v1/lessons/{items[OLD]['lesson_id']}")).json()
        assert await packet_titles(client) == sorted([NEW, OTHER])
    assert told == {
        "lesson_id": items[OLD]["lesson_id"],
        "successor_id": items[NEW]["lesson_id"],
        "baseline_version": 1,
        "record_id": detail["supersession"]["record_id"],
    }
    assert after[OLD] == items[OLD] | {"successor_id": items[NEW]["lesson_id"]}
    assert {t: after[t] for t in (NEW, OTHER)} == {t: items[t] for t in (NEW, OTHER)}
    assert detail["supersession"] | {"at": "", "record_id": ""} == {
        "successor_id": items[NEW]["lesson_id"],
        "baseline_version": 1,
        "record_id": "",
        "evidence_refs": refs,
        "by": "operator",
        "reason": "there is a better one",
        "at": "",
    }


async def test_the_successor_is_made_with_the_supersession_or_nothing_changes(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(OTHER))
        before = house.dump()
        for wrong in ({"negation_of_title": "Nobody's"}, {"project": "attic"}):
            ask = supersede(items[OLD], brass(NEW, **wrong))
            assert await refused(client, ask) == (400, "field_refused")
        assert house.dump() == before
        told = await done(client, supersede(items[OLD], brass(NEW, negation_of_title=OTHER)))
        after = await lessons_of(client)
        assert after[NEW]["lesson_id"] == told["successor_id"] == after[OLD]["successor_id"]
        assert (after[NEW]["disposition"], after[NEW]["version"]) == ("promoted", 1)
        assert len(await packet_titles(client)) == 1  # it and its opposite
        assert await refused(client, supersede(after[OTHER], brass(NEW))) == (409, "lesson_exists")


WRONG: dict[str, tuple[Json, Json, str]] = {
    "another kind": ({}, {"kind": "project_lesson", "project": "sluicebook"}, "coding_lesson"),
    "another project": (
        {"kind": "project_lesson", "project": "sluicebook"},
        {"kind": "project_lesson", "project": "quaygauge"},
        "another project",
    ),
    "a narrower scope": ({}, {"scope": "forge"}, "scope"),
    "another room": ({"scope": "library"}, {"scope": "forge"}, "scope"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("is_made", [False, True], ids=["there", "made"])
async def test_a_successor_is_refused_that_is_of(house: Estate, name: str, is_made: bool) -> None:
    mine, other, told = WRONG[name]
    async with house.client() as client:
        items = await bring(client, brass(OLD, **mine), brass(NEW, **other))
        successor = brass("Made now", **other) if is_made else items[NEW]
        before = house.dump()
        answer = await supersede(items[OLD], successor).of(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "successor_refused")
    assert told in answer.json()["detail"]
    assert house.dump() == before


async def test_a_successor_may_be_shared_where_its_reviewer_may_promote_that(
    house: Estate,
) -> None:
    smith = Holding("smith", operations=("read", "promote"), scopes=(FORGE,), kind="reviewer")
    secret = await house.admit(smith)
    async with house.client() as client, house.client(secret) as narrow:
        items = await bring(client, brass(OLD, scope="forge"), brass(NEW), brass(OTHER))
        for successor in (items[NEW], brass("Made now")):
            before = house.dump()
            assert await refused(narrow, supersede(items[OLD], successor)) == (403, "denied")
            assert house.dump() == before
        made = supersede(items[OLD], brass("Made now"), reason="the forge says: hush")
        told = await done(client, made)
        for room, seen in (("forge", False), ("library", True)):
            titles = await packet_titles(client, room=room)
            assert OLD not in titles
            assert "Made now" in titles
            assert seen or titles
    librarian = await house.admit(Holding("librarian", scopes=(LIBRARY, SHARED)))
    async with house.client(librarian) as client:
        shown = await client.get(f"/v1/lessons/{told['successor_id']}")
        assert shown.status_code == 200
        assert "hush" not in shown.text
        assert items[OLD]["lesson_id"] not in shown.text


async def test_nobody_gives_way_to_what_nobody_stands_behind_or_to_what_is_not_there(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass(OTHER, review="unreviewed"))
        await done(client, forget(items[NEW]))
        before = house.dump()
        for successor, told in (
            (items[OTHER], (409, "successor_refused")),
            (items[NEW], (409, "lesson_forgotten")),
            ({"lesson_id": "lesson-0"}, (400, "field_refused")),
        ):
            assert await refused(client, supersede(items[OLD], successor)) == told
        both = {"lesson_id": items[NEW]["lesson_id"], "record": brass("A")}
        for named in (both, {}):
            ask = supersede(items[OLD], items[NEW], successor=named)
            assert await refused(client, ask) == (400, "invalid")
        for refs in (["a b"], ["a"] * 33, ["a" * 121]):
            ask = supersede(items[OLD], items[OTHER], evidence_refs=refs)
            assert await refused(client, ask) == (400, "invalid")
        assert house.dump() == before


async def test_a_lesson_gives_way_once_and_says_to_whom(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass(OTHER))
        await done(client, supersede(items[OLD], items[NEW]))
        before = house.dump()
        answer = await supersede(items[OLD], items[OTHER]).of(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "superseded")
    assert items[NEW]["lesson_id"] in answer.json()["detail"]
    assert house.dump() == before


async def test_a_baseline_that_was_read_before_an_update_is_stale(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        await done(client, update(items[OLD], brass(rule="Rinse brass, tide.")))
        stale = supersede(items[OLD], items[NEW])
        assert await refused(client, stale) == (409, "stale_baseline")
        now = (await lessons_of(client))[OLD]
        await done(client, supersede(now, items[NEW]))


@pytest.mark.parametrize("length", [1, 2, 3, 5])
async def test_a_circle_is_refused_and_every_lesson_on_it_named(house: Estate, length: int) -> None:
    names = [f"Rinse brass {n}" for n in range(length)]
    async with house.client() as client:
        items = await bring(client, *(brass(name) for name in names))
        ids = [items[name]["lesson_id"] for name in names]
        for name, following in pairwise(names):
            await done(client, supersede(items[name], items[following]))
        before = house.dump()
        answer = await supersede(items[names[-1]], items[names[0]]).of(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "circle")
    way = " → ".join(f"`{name}`" for name in [ids[-1], *ids])
    assert answer.json()["detail"].endswith(way)
    assert house.dump() == before


async def test_a_circle_through_the_link_of_an_import_is_refused_too(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(OLD, superseded_by_title=NEW), brass(NEW))
        assert items[OLD]["successor_id"] == items[NEW]["lesson_id"]
        assert await refused(client, supersede(items[NEW], items[OLD])) == (409, "circle")
        assert await refused(client, supersede(items[OLD], items[NEW])) == (409, "superseded")


async def test_supersessions_at_once_never_close_a_circle(house: Estate) -> None:
    names = [f"Rinse brass {n}" for n in range(4)]
    async with house.client() as client:
        items = await bring(client, *(brass(name) for name in names))
        pairs = zip(names, [*names[1:], names[0]], strict=True)
        asks = [supersede(items[one], items[other]) for one, other in pairs]
        answers = await asyncio.gather(*(ask.of(client) for ask in asks))
    assert sorted(a.status_code for a in answers) == [200, 200, 200, 409]


async def test_of_two_supersessions_of_one_lesson_at_once_one_lands(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW), brass(OTHER))
        asks = [supersede(items[OLD], items[NEW]), supersede(items[OLD], items[OTHER])]
        asks += [supersede(items[OLD], brass("Made")), supersede(items[OLD], brass("Made"))]
        answers = await asyncio.gather(*(ask.of(client) for ask in asks))
        now = await lessons_of(client)
    assert sorted(a.status_code for a in answers) == [200, 409, 409, 409]
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"superseded"}
    (won,) = (a.json()["successor_id"] for a in answers if a.status_code == 200)
    assert now[OLD]["successor_id"] == won
    assert ("Made" in now) == (won not in {items[NEW]["lesson_id"], items[OTHER]["lesson_id"]})


async def test_a_supersession_against_an_update_and_a_review_is_never_half_of_each(
    house: Estate,
) -> None:
    for turn in range(4):
        old, new = f"Rinse brass {turn}", f"Rinse all brass {turn}"
        async with house.client() as client:
            items = await bring(client, brass(old), brass(new))
            asks = [
                supersede(items[old], items[new]),
                update(items[old], brass(old, "Rinse brass, tide.")),
                review(items[old], "archived"),
            ]
            answers = await asyncio.gather(*(ask.of(client) for ask in asks))
            now = (await lessons_of(client))[old]
        statuses = [a.status_code for a in answers]
        assert sorted(statuses[:2]) == [200, 409]
        assert statuses[2] == 200
        assert (now["successor_id"] is None, now["version"]) == (
            (False, 1) if statuses[0] == 200 else (True, 2)
        )


async def test_a_changed_record_of_an_import_does_not_bring_back_what_gave_way(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        await done(client, supersede(items[OLD], items[NEW]))
        after = await bring(client, brass(rule="Rinse brass at the tide, always."), brass(NEW))
        assert (after[OLD]["version"], after[OLD]["disposition"]) == (2, "promoted")
        assert after[OLD]["successor_id"] == items[NEW]["lesson_id"]
        assert await packet_titles(client) == [NEW]


async def test_a_lesson_is_superseded_as_long_as_somebody_stands_behind_its_successor(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass(NEW))
        await done(client, supersede(items[OLD], items[NEW]))
        assert await packet_titles(client) == [NEW]
        await done(client, review(items[NEW], "archived"))
        assert await packet_titles(client, phase="later") == [OLD]
        await done(client, review(items[OLD], "archived"))
        assert await packet_titles(client, phase="last") == []
