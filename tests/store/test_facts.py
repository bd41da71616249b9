"""Base facts against the ledgers: every change once, in order, and the projection equal to both."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from houses import FORGE, HOUSE_ID, LIBRARY, SHARED, START, Estate, Holding, Json, lesson, pack
from psycopg import errors
from psycopg.types.json import Jsonb

from engine import fact_id
from store import facts, grants, upkeep

pytestmark = pytest.mark.anyio
ROWS: list[Json] = [
    lesson("Rinse the brass", stages=["build", "build"], languages=["python"]),
    lesson("Oil the valve", scope="forge", always_on=True),
    lesson("Oil no valve", scope="forge", negation_of_title="Oil the valve"),
    lesson("Old oil", scope="library", superseded_by_title="Rinse the brass"),
    lesson("Of the sluice", kind="project_lesson", project="sluicebook", review="unreviewed"),
]


async def fill(house: Estate, rows: list[Json] = ROWS, name: str = "synthetic") -> None:
    async with house.client() as client:
        answer = await client.post("/v1/lessons/import", json=pack(rows, name))
        assert answer.status_code == 200, answer.text


def owner(house: Estate) -> psycopg.Connection[Any]:
    return psycopg.connect(house.owner, autocommit=True)


async def told(house: Estate, after: int = 0) -> list[facts.Change]:
    """The changes that a reader of every scope and principal is told."""
    with owner(house) as connection:
        rows = connection.execute(
            "select distinct unnest(scopes) from fact_changes where house_id = %s", (HOUSE_ID,)
        )
        scopes = [str(row[0]) for row in rows]
    async with house.inside(*scopes) as connection:
        return await facts.changes(connection, HOUSE_ID, after)


def replayed(changes: list[facts.Change]) -> Counter[tuple[Any, ...]]:
    """The facts that changes lead to."""
    held: Counter[tuple[Any, ...]] = Counter()
    for change in changes:
        key = (tuple(change.scopes), change.relation, *change.row, change.source)
        held[key] += 1 if change.change == "added" else -1
        assert held[key] in {0, 1}, change
    return +held


def held(house: Estate) -> Counter[tuple[Any, ...]]:
    with owner(house) as connection:
        rows = connection.execute(
            "select scopes, relation, row, source from base_facts where house_id = %s", (HOUSE_ID,)
        ).fetchall()
    return Counter((tuple(scopes), name, *row, source) for scopes, name, row, source in rows)


async def test_the_changes_lead_to_the_facts_and_the_facts_equal_the_ledgers(house: Estate) -> None:
    await fill(house)
    await house.admit(Holding("worker", valid_until=START + timedelta(days=9)))
    await house.revoke("grant-worker-read")
    changed = [dict(row) for row in ROWS]
    changed[0] |= {"lesson": "Rinse it twice.", "stages": ["ship"]}
    changed[2] |= {"lesson": "Never oil it.", "negation_of_title": None}
    await fill(house, changed)
    changes = await told(house)
    assert replayed(changes) == held(house)
    assert all(c.fact_id == fact_id(c.relation, tuple(c.row), c.source) for c in changes)
    assert upkeep.differences(house.owner, HOUSE_ID) == []
    assert {change.change for change in changes} == {"added", "retracted"}
    assert sorted({c.epoch for c in changes}) == list(range(1, max(c.epoch for c in changes) + 1))


@pytest.mark.parametrize(
    "row",
    [
        (),
        ("",),
        ("a", "b"),
        ("ab",),
        (1, -1, 0, 2**63 - 1, -(2**63)),
        ("1", 1),
        ("e\u0301", "\u00e9", "\U0001f600", "\u202e"),
        ("a\nb", '"', "\\", "l4:s4:fact"),
    ],
)
def test_the_database_and_the_engine_give_a_fact_the_same_id(
    schema: str, row: tuple[str | int, ...]
) -> None:
    with psycopg.connect(schema) as connection:
        made = connection.execute(
            "select fact_id(%s, %s, %s)", ("relation", Jsonb(list(row)), "source:\u00fc")
        ).fetchone()
    assert made == (fact_id("relation", row, "source:\u00fc"),)


async def test_an_import_that_changes_nothing_makes_no_epoch(house: Estate) -> None:
    await fill(house)
    before = house.dump()
    await fill(house)
    assert house.dump() == before


async def test_a_reader_is_told_of_changes_inside_its_scopes_alone(house: Estate) -> None:
    await fill(house)
    for scopes in ([], [SHARED], [FORGE], [FORGE, SHARED], [LIBRARY, SHARED]):
        async with house.inside(*scopes) as connection:
            changes = await facts.changes(connection, HOUSE_ID, 0)
            given = await facts.base(connection, HOUSE_ID)
            epoch = await facts.visible_epoch(connection, HOUSE_ID)
        assert all(set(change.scopes) <= set(scopes) for change in changes)
        assert len(given) == len(changes)
        assert bool(epoch) is bool(changes)


async def test_a_link_is_seen_by_who_may_read_both_ends(house: Estate) -> None:
    await fill(house)
    seen: dict[tuple[str, ...], int] = {}
    for scopes in ((LIBRARY,), (SHARED,), (LIBRARY, SHARED)):
        async with house.inside(*scopes) as connection:
            given = await facts.base(connection, HOUSE_ID)
        seen[scopes] = sum(fact.relation == "lesson_superseded" for fact in given)
    assert seen == {(LIBRARY,): 0, (SHARED,): 0, (LIBRARY, SHARED): 1}


async def test_sixteen_writers_and_readers_lose_nothing_and_mix_nothing(house: Estate) -> None:
    """Every reader's facts are those of the epoch that it sees, replayed from the changes."""
    snapshots: list[tuple[list[facts.Change], set[tuple[Any, ...]], int]] = []

    async def write(number: int) -> None:
        for turn in range(4):
            room = "forge" if number % 2 else "library"
            rows = [lesson(f"Of writer {number}", f"Turn {turn}.", scope=room)]
            rows.append(lesson("Of everyone", f"By {number} in turn {turn}.", scope="forge"))
            await fill(house, rows, "common" if number % 4 else f"pack-{number}")

    async def read() -> None:
        for _ in range(8):
            async with house.inside(FORGE, LIBRARY, SHARED) as connection:
                changes = await facts.changes(connection, HOUSE_ID, 0)
                given = await facts.base(connection, HOUSE_ID)
                epoch = await facts.visible_epoch(connection, HOUSE_ID)
            snapshots.append((changes, {(f.relation, *f.values, f.source) for f in given}, epoch))
            await asyncio.sleep(0.01)

    await asyncio.gather(*(write(n) for n in range(16)), *(read() for _ in range(4)))
    assert len(snapshots) == 32
    for changes, given, epoch in snapshots:
        assert {key[1:] for key in replayed(changes)} == given
        assert len({(c.epoch, tuple(c.scopes)) for c in changes}) == epoch
    changes = await told(house)
    assert replayed(changes) == held(house)
    assert upkeep.differences(house.owner, HOUSE_ID) == []
    epochs = sorted({change.epoch for change in changes})
    with owner(house) as connection:
        last = connection.execute("select fact_epoch from fact_epochs").fetchone()
    assert epochs == list(range(1, last[0] + 1 if last else 0))


async def test_facts_that_were_tampered_with_are_found_and_made_anew(house: Estate) -> None:
    await fill(house)
    before, told_before = held(house), await told(house)
    with owner(house) as connection:
        connection.execute("delete from base_facts where relation = 'lesson_authority'")
        connection.execute(
            "insert into base_facts values (%s, 'lesson-0', %s, 'lesson', %s, 'lesson:lesson-0@1')",
            (HOUSE_ID, [SHARED], Jsonb(["lesson-0", "coding_lesson"])),
        )
    wrong = upkeep.differences(house.owner, HOUSE_ID)
    assert {(row.change, row.relation) for row in wrong} == {
        ("added", "lesson_authority"),
        ("retracted", "lesson"),
    }
    with pytest.raises(upkeep.FactsDifferError, match="rebuild them"):
        upkeep.compact(house.owner, HOUSE_ID)
    assert upkeep.rebuild(house.owner, HOUSE_ID) == max(c.epoch for c in told_before) + 1
    assert held(house) == before
    assert upkeep.differences(house.owner, HOUSE_ID) == []
    assert upkeep.rebuild(house.owner, HOUSE_ID) == max(c.epoch for c in told_before) + 1


async def test_compaction_keeps_the_facts_and_what_comes_after(house: Estate) -> None:
    await fill(house)
    before = held(house)
    snapshot = upkeep.compact(house.owner, HOUSE_ID)
    assert snapshot.facts == before.total()
    assert await told(house) == []
    assert held(house) == before
    assert upkeep.compact(house.owner, HOUSE_ID) == snapshot
    async with house.inside(SHARED) as connection:
        epoch = await facts.visible_epoch(connection, HOUSE_ID)
    await fill(house, [lesson("One more")])
    changes = await told(house)
    assert {change.epoch for change in changes} == {snapshot.epoch + 1}
    async with house.inside(SHARED) as connection:
        assert await facts.visible_epoch(connection, HOUSE_ID) == epoch + 1


async def test_compaction_while_others_write_removes_no_change_that_it_did_not_see(
    house: Estate,
) -> None:
    await fill(house)

    async def write(number: int) -> None:
        await fill(house, [lesson(f"During {number}")], f"pack-{number}")

    work = [asyncio.to_thread(upkeep.compact, house.owner, HOUSE_ID) for _ in range(4)]
    done = await asyncio.gather(*(write(n) for n in range(12)), *work)
    last = max(s.epoch for s in done if isinstance(s, facts.Snapshot))
    changes = await told(house)
    with owner(house) as connection:
        present = connection.execute("select fact_epoch from fact_epochs").fetchone()
    assert present is not None
    assert sorted({change.epoch for change in changes}) == list(range(last + 1, present[0] + 1))
    assert upkeep.differences(house.owner, HOUSE_ID) == []


async def test_a_writer_that_could_miss_others_is_refused(house: Estate) -> None:
    with pytest.raises(errors.ActiveSqlTransaction):
        async with house.inside(SHARED) as connection:
            await facts.advance(connection, ["lesson-0"])


async def test_a_change_that_is_rolled_back_leaves_no_epoch(house: Estate) -> None:
    await fill(house)
    before = house.dump()
    grant = grants.Grant(HOUSE_ID, "grant-x", "operator", "read", [SHARED], START, None)

    async def fail() -> None:
        async with house.database.changing(HOUSE_ID, [SHARED]) as connection:
            await grants.give(connection, grant, await house.act(connection))
            await facts.advance(connection, ["grant-x"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert house.dump() == before
    await fill(house, [lesson("After it")])
    changes = await told(house)
    assert sorted({c.epoch for c in changes}) == list(range(1, max(c.epoch for c in changes) + 1))


async def test_the_application_can_write_no_fact_and_no_change_by_itself(house: Estate) -> None:
    for statement in (
        "insert into base_facts values (current_house(), 's', '{shared}', 'now', '[1]', 'x')",
        "delete from base_facts",
        "update scope_epochs set epochs = 9",
        "update fact_epochs set fact_epoch = 9",
        "delete from fact_changes",
        "insert into fact_snapshots values (current_house(), 9, 9, 'd', now())",
    ):
        with pytest.raises(errors.InsufficientPrivilege):
            async with house.database.changing(HOUSE_ID, [SHARED]) as connection:
                await connection.execute(statement.encode())
