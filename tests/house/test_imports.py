"""Import: a deliberate write with authority behind it, which may be repeated without effect."""

import asyncio
import json
from typing import Any

import httpx
import psycopg
import pytest
from houses import FORGE, HOUSE_ID, SHARED, Estate, Holding, Json, estate, lesson, pack, start
from lesson_packs import REVIEWS, synthetic
from psycopg.rows import dict_row

from engine import Fact, Limits, Status, check
from house import shipped
from store import facts, grants

pytestmark = pytest.mark.anyio

WRITTEN = """
select l.lesson_id, v.version, a.record_id, a.disposition, a.source_digest, a.previous,
       v.source_digest as version_digest, t.body as title, l.scope,
       i.principal_id as importer, i.operation as imported_by, i.basis as import_basis,
       i.reason, i.at, p.principal_id as promoter, p.operation as promoted_by,
       p.basis as promotion_basis, p.permission
from lessons l join lesson_versions v using (house_id, lesson_id)
join contents t on t.house_id = v.house_id and t.content_id = v.title_id
join acts i on i.house_id = v.house_id and i.act_id = v.act_id
left join authority_records a
  on (a.house_id, a.lesson_id, a.version) = (v.house_id, v.lesson_id, v.version)
left join acts p on p.house_id = a.house_id and p.act_id = a.act_id
order by title, v.version
"""


def written(house: Estate) -> list[dict[str, Any]]:
    """Every version of every lesson with the acts and the authority behind it."""
    with psycopg.connect(house.owner, row_factory=dict_row) as connection:
        return connection.execute(WRITTEN).fetchall()


async def send(client: httpx.AsyncClient, body: Json) -> Json:
    answer = await client.post("/v1/lessons/import", json=body)
    assert answer.status_code == 200, answer.text
    report: Json = answer.json()
    return report


async def test_the_second_import_of_a_pack_changes_nothing_at_all(house: Estate) -> None:
    async with house.client() as client:
        first = await send(client, synthetic())
        before = house.dump()
        second = await send(client, synthetic())
    assert first == {"imported": 117, "unchanged": 0, "rejected": []}
    assert second == {"imported": 0, "unchanged": 117, "rejected": []}
    assert house.dump() == before


async def test_every_lesson_gets_the_disposition_asked_for_and_an_act_behind_it(
    house: Estate,
) -> None:
    body = synthetic()
    async with house.client() as client:
        await send(client, body)
    rows = {row["title"]: row for row in written(house)}
    assert len(rows) == 117
    for record in body["lessons"]:
        row = rows[record["title"]]
        asked = None if record["review"] == "unreviewed" else record["review"]
        assert (row["version"], row["disposition"], row["previous"]) == (1, asked, None)
        assert (row["importer"], row["imported_by"]) == ("operator", "import")
        assert row["import_basis"].startswith("derivation:")
        assert row["reason"].startswith("import of pack synthetic")
        if asked:
            assert (row["promoter"], row["promoted_by"]) == ("operator", "promote")
            assert row["source_digest"] == row["version_digest"]
            assert row["promotion_basis"] == f"derivation:{row['permission']['digest']}"
    assert {row["disposition"] for row in rows.values()} == {None, *REVIEWS} - {"unreviewed"}


async def test_the_permission_that_an_act_rests_on_is_verified_by_the_checker(
    house: Estate,
) -> None:
    async with house.client() as client:
        await send(client, pack([lesson("Rinse brass", scope="forge"), lesson("Oil the valve")]))
    stored = "select digest, facts from fact_sets"
    with psycopg.connect(house.owner) as connection:
        given = {
            str(name): [
                Fact.of(relation, tuple(values), source) for relation, values, source in rows
            ]
            for name, rows in connection.execute(stored)
        }
        acts = connection.execute(
            "select operation, permission from acts where permission is not null"
        )
        permissions = acts.fetchall()
    assert sorted(operation for operation, _ in permissions) == ["import"] * 2 + ["promote"] * 2
    for operation, permission in permissions:
        verdict = check(permission, shipped().program, shipped().version, given, Limits())
        assert verdict.status == Status.VERIFIED, verdict
        assert permission["conclusion"]["values"][0] == operation


async def test_a_changed_record_gets_its_next_version_with_authority_of_its_own(
    house: Estate,
) -> None:
    body = pack([lesson("Rinse brass"), lesson("Oil the valve")])
    async with house.client() as client:
        await send(client, body)
        body["lessons"][0]["lesson"] = "Rinse brass twice before the tide."
        assert await send(client, body) == {"imported": 1, "unchanged": 1, "rejected": []}
        packet = (await client.post("/v1/tasks/start", json=start())).json()
    rows = [row for row in written(house) if row["title"] == "Rinse brass"]
    assert [row["version"] for row in rows] == [1, 2]
    assert [row["disposition"] for row in rows] == ["promoted", "promoted"]
    assert (
        len({row["record_id"] for row in rows}) == len({row["source_digest"] for row in rows}) == 2
    )
    assert [row["lesson"] for row in packet["lessons"] if row["title"] == "Rinse brass"] == [
        "Rinse brass twice before the tide."
    ]
    assert len([row for row in written(house) if row["title"] == "Oil the valve"]) == 1


async def test_a_record_that_changes_back_is_a_third_version(house: Estate) -> None:
    async with house.client() as client:
        for rule in ("One way.", "Another way.", "One way."):
            await send(client, pack([lesson("Rinse brass", rule)]))
    assert [row["version"] for row in written(house)] == [1, 2, 3]


@pytest.mark.parametrize(("stated", "version"), [(1, 2), (2, 2), (9, 9)])
async def test_a_version_stated_in_the_file_never_goes_backwards(
    house: Estate, stated: int, version: int
) -> None:
    async with house.client() as client:
        await send(client, pack([lesson("Rinse brass", "One way.")]))
        await send(client, pack([lesson("Rinse brass", "Another way.", version=stated)]))
    assert [row["version"] for row in written(house)] == [1, version]


async def test_an_importer_who_may_not_promote_lands_everything_unreviewed(house: Estate) -> None:
    secret = await house.admit(Holding("clerk", operations=("import",), scopes=(SHARED,)))
    rows = [lesson(f"Lesson {review}", review=review) for review in sorted(set(REVIEWS))]
    async with house.client(secret) as clerk, house.client() as operator:
        assert (await send(clerk, pack(rows)))["imported"] == 4
        packet = (await operator.post("/v1/tasks/start", json=start(room="forge"))).json()
    assert [row["record_id"] for row in written(house)] == [None] * 4
    assert {row["importer"] for row in written(house)} == {"clerk"}
    assert packet["lessons"] == []


async def test_the_right_to_promote_counts_in_its_own_scope_alone(house: Estate) -> None:
    clerk = Holding("clerk", operations=("import",), scopes=(SHARED, "room:forge"))
    secret = await house.admit(clerk)
    async with house.database.changing(HOUSE_ID, []) as connection:
        act = await house.act(connection)
        await grants.give(
            connection,
            grants.Grant(
                HOUSE_ID, "grant-forge", "clerk", "promote", ["room:forge"], clerk.valid_from, None
            ),
            act,
        )
        await facts.advance(connection, ["grant-forge"])
        await house.give_token(
            connection,
            Holding("clerk", operations=("import", "promote"), scopes=(SHARED, "room:forge")),
            "ath_both",
            act,
        )
    async with house.client(secret) as plain, house.client("ath_both") as both:
        await send(plain, pack([lesson("A", scope="forge")]))
        await send(both, pack([lesson("B", scope="forge"), lesson("C")]))
    assert [row["disposition"] for row in written(house)] == [None, "promoted", None]


async def test_the_same_title_in_another_pack_room_or_project_is_another_lesson(
    house: Estate,
) -> None:
    variants: list[tuple[str, Json]] = [
        ("one", lesson("Rinse brass")),
        ("two", lesson("Rinse brass")),
        ("one", lesson("Rinse brass", scope="forge")),
        ("one", lesson("Rinse brass", project="sluicebook")),
        ("one", lesson("Rinse brass", project="sluicebook", kind="project_lesson")),
    ]
    async with house.client() as client:
        for name, row in variants:
            assert (await send(client, pack([row], name)))["imported"] == 1
    assert len({row["lesson_id"] for row in written(house)}) == len(variants)


async def test_two_imports_of_one_pack_at_once_leave_the_state_of_one(
    house: Estate, other_database: str
) -> None:
    body = synthetic()
    async with house.client() as one, house.client() as other:
        reports = await asyncio.gather(*(send(client, body) for client in (one, other, one)))
    assert sum(report["imported"] for report in reports) == 117
    assert sum(report["unchanged"] for report in reports) == 2 * 117
    async with estate(other_database) as single, single.client() as client:
        await send(client, body)
        assert state(single) == state(house)


async def test_two_imports_that_disagree_at_once_both_land_one_after_the_other(
    house: Estate,
) -> None:
    bodies = [
        pack([lesson(f"Lesson {n}", f"The way of {who}.") for n in range(30)]) for who in "ab"
    ]
    async with house.client() as one, house.client() as other:
        reports = await asyncio.gather(send(one, bodies[0]), send(other, bodies[1]))
    assert [report["imported"] for report in reports] == [30, 30]
    versions: dict[str, list[int]] = {}
    for row in written(house):
        versions.setdefault(row["title"], []).append(row["version"])
    assert set(map(tuple, versions.values())) == {(1, 2)}


def state(house: Estate) -> dict[str, list[Json]]:
    """What the House holds, but for the acts, in the order of their content."""
    tables = ("lessons", "lesson_versions", "lesson_links", "authority_records", "contents")
    dumped = house.dump()
    found = {}
    for table in (*tables, "lesson_index", "base_facts"):
        rows = [json.loads(row) for row in dumped[table]]
        plain = [{k: v for k, v in row.items() if k not in {"act_id", "change_id"}} for row in rows]
        found[table] = sorted(plain, key=lambda row: json.dumps(row, sort_keys=True))
    return found


async def test_a_version_without_authority_takes_no_place_of_one_that_has_it(
    house: Estate,
) -> None:
    helper = Holding("helper", operations=("import", "read", "start_task"), scopes=(SHARED, FORGE))
    async with house.client() as client:
        await send(client, pack([lesson("Rinse the brass", "Rinse the brass valve at the tide.")]))
        before = (await client.post("/v1/tasks/start", json=start(room="forge"))).json()
    async with house.client(await house.admit(helper)) as client:
        changed = pack([lesson("Rinse the brass", "Never rinse the brass valve at the tide.")])
        assert (await send(client, changed))["imported"] == 1
        assert (await send(client, changed))["unchanged"] == 1
    async with house.client() as client:
        again = start(room="forge", worker_id="another")
        during = (await client.post("/v1/tasks/start", json=again)).json()
        assert (await send(client, changed))["imported"] == 1
        third = start(room="forge", worker_id="a third")
        after = (await client.post("/v1/tasks/start", json=third)).json()
        assert (await send(client, changed))["unchanged"] == 1
    said = [p["lessons"][0]["lesson"] for p in (before, during, after)]
    assert said == [
        "Rinse the brass valve at the tide.",
        "Rinse the brass valve at the tide.",
        "Never rinse the brass valve at the tide.",
    ]
    assert [p["lessons"][0]["version"] for p in (before, during, after)] == [1, 1, 2]
