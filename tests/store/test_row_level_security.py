"""Row-level security: rows of another House or of a hidden scope do not exist for the application.

Two Houses in one database, each with two rooms full of the same lessons, tasks and packets. Every
read function of every ledger is asked for everything, by whoever may see it and by who may not.
"""

import inspect
from collections.abc import AsyncGenerator
from dataclasses import replace
from uuid import UUID

import pytest
from houses import (
    FORGE,
    HOUSE_ID,
    LIBRARY,
    OTHER_HOUSE_ID,
    SHARED,
    START,
    Estate,
    Holding,
    Json,
    estate,
    lesson,
    pack,
    start,
)
from ledger_readers import (
    IN_A_HOUSE,
    IN_A_ROOM,
    OF_NO_HOUSE,
    ROOMS,
    WRITERS,
    Found,
    gone_from,
    token_in,
)
from psycopg import sql

from contracts import LessonRecord
from house.lesson_rows import planned_version, texts, version_row
from store import (
    Connection,
    acts,
    contents,
    facts,
    forgettings,
    grants,
    houses,
    idempotency,
    lesson_history,
    lessons,
    packets,
    projects,
    proofs,
    vocabulary,
)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def worlds(module_database: str) -> AsyncGenerator[list[Found]]:
    """Everything that lies in the two rooms of two Houses of one database."""
    found: list[Found] = []
    async with (
        estate(module_database) as one,
        estate(module_database, house_id=OTHER_HOUSE_ID, secret="ath_other") as other,
    ):
        for house, secret in ((one, "ath_secret-of-the-operator"), (other, "ath_other")):
            found += [Found(house.house_id, *each) for each in await filled(house, secret)]
        yield found


@pytest.fixture(scope="module")
async def app(module_database: str) -> AsyncGenerator[Estate]:
    async with estate(module_database, house_id=UUID(int=7), secret="ath_third") as found:
        yield found


async def filled(house: Estate, secret: str) -> list[tuple[str, Json]]:
    """In each room a lesson with its opposite, and a task with its packet; the packets."""
    rows = [row for room in ROOMS.values() for row in twins(room)]
    async with house.client(secret) as client:
        await client.post("/v1/lessons/import", json=pack(rows))
    found: list[tuple[str, Json]] = []
    for scope, room in ROOMS.items():
        worker = Holding(f"{room}-{house.house_id.hex[-1]}", scopes=(scope, SHARED))
        async with house.client(await house.admit(worker)) as client:
            answer = await client.post("/v1/tasks/start", json=start(room=room))
            found.append((scope, answer.json()))
    async with house.inside(*ROOMS, SHARED) as connection:
        act = await house.act(connection)
        for scope in ROOMS:
            await projects.open_in(connection, house.house_id, "sluicebook", scope, act)
        words = [vocabulary.Word("operator", "phase", "build")]
        await vocabulary.add(connection, house.house_id, words, act)
        kept = idempotency.Kept("digest", {})
        token = token_in(house.house_id)
        await idempotency.keep(connection, token, "key-1", kept, START)
        for scope, packet in found:
            await past_of_a_lesson(
                connection, house.house_id, act, Found(house.house_id, scope, packet)
            )
            reasons = [packets.Replacement(scope, "superseded", "basis")]
            stored = await packets.packet(connection, house.house_id, packet["packet_id"])
            assert stored is not None
            following = replace(
                stored, packet_id=f"{stored.packet_id}-next", previous=stored.packet_id
            )
            await packets.add_packet(connection, house.house_id, act, following, [])
            delivery = packets.Delivery(packet["packet_id"], "worker-1")
            await packets.add_delivery(connection, house.house_id, delivery, act, START)
            await packets.add_replacements(connection, house.house_id, packet["packet_id"], reasons)
    return found


async def past_of_a_lesson(connection: Connection, house_id: UUID, act: UUID, found: Found) -> None:
    """The first lesson of the packet has given way to its opposite, and another was forgotten."""
    mine = found.packet["lessons"][0]["id"]
    seen = await lessons.page(connection, house_id, lessons.Choice(scope=found.scope), "", 10)
    other = next(row.lesson_id for row in seen if row.lesson_id != mine)
    row = lessons.Supersession(mine, other, 1, f"supersession-{found.scope}", [])
    await lessons.supersede(connection, house_id, act, row)
    draft = LessonRecord(title="Gone", lesson="Gone.", scope=found.scope.removeprefix("room:"))
    gone = planned_version(draft, gone_from(found))
    await contents.keep(connection, house_id, found.scope, texts(gone))
    await lessons.add_identities(connection, house_id, act, [gone.identity])
    await lessons.add_versions(connection, house_id, act, [version_row(gone, 1)])
    await forgettings.forget_lesson(connection, gone.lesson_id, act)


def twins(room: str) -> list[Json]:
    """A lesson of a room and the one that says its opposite."""
    title = f"Rinse the brass of {room}"
    return [
        lesson(title, "Rinse brass before the tide.", scope=room),
        lesson(f"Never leave {room} dull", "Dull metal.", scope=room, negation_of_title=title),
    ]


def test_every_reading_function_of_every_ledger_is_asked_here() -> None:
    modules = (
        acts,
        contents,
        facts,
        forgettings,
        grants,
        houses,
        idempotency,
        lesson_history,
        lessons,
        packets,
        projects,
        proofs,
        vocabulary,
    )
    readers = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in modules
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and not name.startswith(WRITERS)
    }
    assert readers == {*IN_A_ROOM, *IN_A_HOUSE, *OF_NO_HOUSE} - {"relevance.score_words"}


@pytest.mark.parametrize("name", IN_A_ROOM)
async def test_what_lies_in_a_room_is_seen_from_its_house_and_scope_alone(
    app: Estate, worlds: list[Found], name: str
) -> None:
    read = IN_A_ROOM[name]
    for found in worlds:
        async with app.database.inside(found.house_id, [found.scope, SHARED]) as connection:
            assert await read(connection, found), found
        hidden = next(scope for scope in ROOMS if scope != found.scope)
        for house_id, scopes in (
            (found.house_id, [hidden, SHARED]),
            (found.house_id, [SHARED]),
            (found.house_id, []),
            (other_of(found.house_id), [found.scope, SHARED]),
        ):
            async with app.database.inside(house_id, scopes) as connection:
                assert not await read(connection, found), (house_id, scopes)


@pytest.mark.parametrize("name", IN_A_HOUSE)
async def test_what_belongs_to_a_house_is_seen_from_inside_it_alone(
    app: Estate, worlds: list[Found], name: str
) -> None:
    read = IN_A_HOUSE[name]
    for found in worlds:
        async with app.database.inside(found.house_id, [found.scope]) as connection:
            assert await read(connection, found)
        async with app.database.inside(other_of(found.house_id), [found.scope]) as connection:
            assert not await read(connection, found)
        async with app.database.connection() as connection:
            assert not await read(connection, found)


@pytest.mark.parametrize("scopes", [[], [SHARED], [FORGE], [LIBRARY, SHARED]])
async def test_a_table_that_knows_scopes_shows_no_row_of_another_one(
    app: Estate, worlds: list[Found], scopes: list[str]
) -> None:
    """Table by table, whatever the queries join: each policy holds by itself."""
    scoped = (
        "select attrelid::regclass::text, attname from pg_attribute a"
        " join pg_class c on c.oid = a.attrelid and c.relkind = 'r'"
        " where attname in ('scope', 'scopes') and c.relnamespace = 'public'::regnamespace"
    )
    open_tables = {"acts", "grants", "tokens"}  # of a House as a whole
    assert len(worlds) == 4
    async with app.database.inside(HOUSE_ID, scopes) as connection:
        columns = await (await connection.execute(scoped)).fetchall()
        assert {table for table, _ in columns} > {*open_tables, "lessons", "packets", "fact_sets"}
        for table, column in columns:
            query = sql.SQL("select {} from {}").format(
                sql.Identifier(column), sql.Identifier(table)
            )
            for (found,) in await (await connection.execute(query)).fetchall():
                seen = {found} if isinstance(found, str) else set(found)
                assert seen <= set(scopes) or table in open_tables, table


async def test_the_visible_epoch_counts_the_changes_of_the_scopes_in_sight(
    app: Estate, worlds: list[Found]
) -> None:
    counts = {}
    for scopes in ([], [FORGE], [LIBRARY], [FORGE, LIBRARY, SHARED]):
        async with app.database.inside(HOUSE_ID, scopes) as connection:
            counts[tuple(scopes)] = await facts.visible_epoch(connection, HOUSE_ID)
    assert counts == {(): 0, (FORGE,): 1, (LIBRARY,): 1, (FORGE, LIBRARY, SHARED): 2}
    assert len(worlds) == 4


def other_of(house_id: UUID) -> UUID:
    return OTHER_HOUSE_ID if house_id == HOUSE_ID else HOUSE_ID
