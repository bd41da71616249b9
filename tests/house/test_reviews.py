"""Reviews: which decision may follow which, by whom, and what it changes."""

import asyncio

import psycopg
import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start
from lesson_calls import Ask, brass, bring, done, lessons_of, refused, review, update
from psycopg.rows import dict_row

pytestmark = pytest.mark.anyio
STATES: dict[str, list[str]] = {
    "unreviewed": [],
    "promoted": ["promoted"],
    "dismissed": ["dismissed"],
    "archived": ["promoted", "archived"],
}
ALLOWED = {
    ("unreviewed", "promoted"),
    ("unreviewed", "dismissed"),
    ("promoted", "archived"),
    ("promoted", "dismissed"),
    ("dismissed", "promoted"),
    ("archived", "promoted"),
}
PAIRS = [(state, wanted) for state in STATES for wanted in ("promoted", "dismissed", "archived")]


async def draft(house: Estate, *decisions: str) -> Json:
    """A lesson that nobody promoted at first, after some decisions."""
    async with house.client() as client:
        item: Json = (await bring(client, brass(review="unreviewed")))["Rinse the brass"]
        for decision in decisions:
            await done(client, review(item, decision))
            item = (await lessons_of(client))["Rinse the brass"]
    return item


async def selected(house: Estate, phase: str) -> list[str]:
    async with house.client() as client:
        answer = await client.post("/v1/tasks/start", json=start(phase=phase))
    return [row["title"] for row in answer.json()["lessons"]]


@pytest.mark.parametrize(("state", "wanted"), PAIRS)
async def test_a_decision_follows_another_iff_the_table_has_it(
    house: Estate, state: str, wanted: str
) -> None:
    item = await draft(house, *STATES[state])
    assert (item["disposition"] or "unreviewed") == state
    before = house.dump()
    async with house.client() as client:
        answer = await review(item, wanted).of(client)
        after = (await lessons_of(client))["Rinse the brass"]
    if (state, wanted) in ALLOWED:
        assert answer.status_code == 200, answer.text
        assert (after["disposition"], after["record_id"]) == (wanted, answer.json()["record_id"])
        assert await selected(house, "next") == (
            ["Rinse the brass"] if wanted == "promoted" else []
        )
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "transition_refused")
        assert answer.json()["detail"].startswith(f"{state} does not become {wanted}: ")
        assert house.dump() == before


async def test_a_review_is_recorded_with_its_act_and_the_record_that_it_follows(
    house: Estate,
) -> None:
    await draft(house, "promoted", "archived", "promoted")
    with psycopg.connect(house.owner, row_factory=dict_row) as connection:
        rows = connection.execute(
            "select r.record_id, r.previous, r.disposition, a.operation, a.reason, a.basis,"
            " a.scope, a.permission from authority_records r"
            " join acts a using (house_id, act_id) order by a.at"
        ).fetchall()
    assert [row["disposition"] for row in rows] == ["promoted", "archived", "promoted"]
    assert [row["previous"] for row in rows] == [None, rows[0]["record_id"], rows[1]["record_id"]]
    assert {(row["operation"], row["scope"], row["reason"]) for row in rows} == {
        ("promote", SHARED, "a reviewer says so")
    }
    assert all(row["basis"] == f"derivation:{row['permission']['digest']}" for row in rows)


@pytest.mark.parametrize("decisions", [[], ["promoted"], ["promoted", "archived"]])
@pytest.mark.parametrize("previous", [None, "authority-0", "first"])
async def test_a_review_of_a_stale_record_is_told_the_present_one(
    house: Estate, decisions: list[str], previous: str | None
) -> None:
    item = await draft(house, *decisions)
    async with house.client() as client:
        past = (await client.get(f"/v1/lessons/{item['lesson_id']}")).json()["versions"][0]
        records = [row["record_id"] for row in past["dispositions"]]
        named = records[0] if previous == "first" and records else previous
        if named == item["record_id"]:
            return
        before = house.dump()
        answer = await review(item, "promoted", previous=named).of(client)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale_review")
    detail = answer.json()["detail"]
    assert (item["record_id"] or "null") in detail
    assert (item["disposition"] or "no review") in detail
    assert house.dump() == before


async def test_of_two_reviewers_at_once_one_wins_and_the_other_is_told_so(house: Estate) -> None:
    await house.admit(Holding("second", operations=("read", "promote"), kind="reviewer"))
    for turn in range(6):
        title = f"Rinse brass {turn}"
        async with house.client() as one, house.client(Holding("second").secret) as other:
            item = (await bring(one, brass(title, review="unreviewed")))[title]
            answers = await asyncio.gather(
                review(item, "promoted").of(one), review(item, "dismissed").of(other)
            )
            now = (await lessons_of(one))[title]
        assert sorted(a.status_code for a in answers) == [200, 409]
        won = next(a.json() for a in answers if a.status_code == 200)
        lost = next(a.json() for a in answers if a.status_code == 409)
        assert lost["code"] == "stale_review"
        assert f"`{won['record_id']}`: {won['disposition']}" in lost["detail"]
        assert now["disposition"] == won["disposition"]


async def test_one_reviewer_at_once_from_two_windows_decides_once(house: Estate) -> None:
    item = await draft(house)
    async with house.client() as client:
        asks = [review(item, d) for d in ("promoted", "promoted", "dismissed", "dismissed")]
        answers = await asyncio.gather(*(ask.of(client) for ask in asks))
    assert sorted(a.status_code for a in answers) == [200, 409, 409, 409]
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"stale_review"}


async def test_a_refused_new_version_leaves_the_one_before_it_in_its_place(house: Estate) -> None:
    clerk = Holding("clerk", operations=("import", "read"), scopes=(SHARED, FORGE))
    secret = await house.admit(clerk)
    async with house.client() as client, house.client(secret) as other:
        await bring(client, brass())
        await bring(other, brass(rule="Never rinse brass at the tide."))
        item = (await lessons_of(client))["Rinse the brass"]
        assert (item["version"], item["waiting_version"]) == (1, 2)
        await done(client, review(item, "dismissed", version=2, previous=None))
        after = (await lessons_of(client))["Rinse the brass"]
    assert (after["version"], after["disposition"], after["waiting_version"]) == (
        1,
        "promoted",
        None,
    )
    assert await selected(house, "later") == ["Rinse the brass"]


async def test_a_promoted_new_version_takes_the_place_of_the_one_before(house: Estate) -> None:
    clerk = Holding("clerk", operations=("import", "read"), scopes=(SHARED, FORGE))
    secret = await house.admit(clerk)
    async with house.client() as client, house.client(secret) as other:
        await bring(client, brass())
        await bring(other, brass(rule="Rinse brass at the tide, twice."))
        item = (await lessons_of(client))["Rinse the brass"]
        told = await done(client, review(item, "promoted", version=2, previous=None))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
    assert told["version"] == 2
    assert [row["lesson"] for row in packet["lessons"]] == ["Rinse brass at the tide, twice."]


async def test_a_review_against_an_update_leaves_both_in_some_order(house: Estate) -> None:
    for turn in range(4):
        title = f"Rinse brass {turn}"
        async with house.client() as client:
            item = (await bring(client, brass(title)))[title]
            asks = [review(item, "dismissed"), update(item, brass(title, "Rinse brass, tide."))]
            answers = await asyncio.gather(*(ask.of(client) for ask in asks))
            after = (await lessons_of(client))[title]
        assert [a.status_code for a in answers] == [200, 200]
        assert (after["version"], after["disposition"]) == (2, "promoted")


BAD: dict[str, Json] = {
    "no reason": {"reason": ""},
    "a blank reason": {"reason": " "},
    "a reason that is too long": {"reason": "a" * 501},
    "a reason with NUL": {"reason": "a\0"},
    "another decision": {"disposition": "unreviewed"},
    "a version of none": {"version": 0},
    "a version that is too large": {"version": 2**31},
    "a version that is no number": {"version": "1"},
    "a version that is true": {"version": True},
    "a record of none": {"previous": "a b"},
    "an unknown field": {"colour": "red"},
}


@pytest.mark.parametrize("name", BAD)
async def test_a_review_is_refused_by_its_contract_with(house: Estate, name: str) -> None:
    item = await draft(house)
    before = house.dump()
    async with house.client() as client:
        answer = await review(item, "promoted", **BAD[name]).of(client)
        assert house.dump() == before
        longest = await review(item, "promoted", reason="\u00e4" * 500).of(client)
    assert (answer.status_code, answer.json()["location"]) == (400, next(iter(BAD[name])))
    assert longest.status_code == 200


async def test_a_review_must_say_what_it_follows(house: Estate) -> None:
    item = await draft(house)
    ask = review(item, "promoted")
    assert ask.body is not None
    body = {k: v for k, v in ask.body.items() if k != "previous"}
    async with house.client() as client:
        assert await refused(client, Ask("POST", ask.path, body)) == (400, "invalid")
        assert await refused(client, review(item, "promoted", version=2)) == (404, "not_found")


async def test_the_right_to_promote_counts_in_the_scope_of_the_lesson(house: Estate) -> None:
    reader = await house.admit(Holding("reader", scopes=(FORGE, LIBRARY, SHARED)))
    smith = await house.admit(
        Holding("smith", operations=("read", "promote"), scopes=(FORGE,), kind="reviewer")
    )
    async with house.client() as client:
        await bring(client, brass(), brass("Of the forge", scope="forge"))
        items = await lessons_of(client)
    async with house.client(reader) as client:
        for item in items.values():
            assert await refused(client, review(item, "archived")) == (403, "denied")
    async with house.client(smith) as client:
        assert await refused(client, review(items["Rinse the brass"], "archived")) == (
            403,
            "denied",
        )
        await done(client, review(items["Of the forge"], "archived"))
