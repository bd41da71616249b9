"""Row-level security: rows of another House or of a hidden scope do not exist for the application.

Two Houses in one database, each with two rooms full of the same lessons, tasks and packets. Every
read function of every ledger is asked for everything, by whoever may see it and by who may not.
"""

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
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
from psycopg import sql

from engine import Fact
from store import Connection, acts, contents, facts, grants, houses, lessons, packets, proofs
from store.relevance import score_words

pytestmark = pytest.mark.anyio
ROOMS = {FORGE: "forge", LIBRARY: "library"}


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in one scope of one House, as its operator sees it."""

    house_id: UUID
    scope: str
    packet: Json

    @property
    def digests(self) -> list[str]:
        return list(self.packet["lessons"][0]["derivation"]["given_digests"])


Read = Callable[[Connection, Found], Awaitable[object]]


async def of_intent(connection: Connection, found: Found) -> object:
    task = await packets.task(connection, found.house_id, found.packet["task_id"])
    stored = await packets.packet(connection, found.house_id, found.packet["packet_id"])
    if task is None or stored is None:
        return None
    return await packets.packet_of_intent(
        connection, found.house_id, task, stored.authorization_digest
    )


def mine(found: Found, rows: Sequence[Any], field: str = "lesson_id") -> list[Any]:
    """The rows that are about the first lesson of the packet, which lies in the room."""
    return [row for row in rows if getattr(row, field) == found.packet["lessons"][0]["id"]]


async def lessons_current(connection: Connection, found: Found) -> object:
    return mine(found, await lessons.current(connection, found.house_id))


async def lessons_links(connection: Connection, found: Found) -> object:
    return mine(found, await lessons.links(connection, found.house_id), "other_id")


async def lessons_wordings(connection: Connection, found: Found) -> object:
    chosen = [(row["id"], row["version"]) for row in found.packet["lessons"][:1]]
    return await lessons.wordings(connection, found.house_id, chosen)


async def relevance_score_words(connection: Connection, found: Found) -> object:
    return mine(found, await score_words(connection, found.house_id, "brass tide"))


async def contents_bodies(connection: Connection, found: Found) -> object:
    title = found.packet["lessons"][0]["title"]
    name = contents.content_of(found.scope, title).content_id
    return await contents.bodies(connection, found.house_id, [name])


async def operator_grants(connection: Connection, found: Found) -> list[Fact]:
    token = grants.Token(found.house_id, UUID(int=1), "operator", [], [], None)
    given = await facts.routing_facts(connection, token, START)
    return [fact for fact in given if fact.relation == "grant"]


async def this_house(connection: Connection, found: Found) -> list[houses.House]:
    return [h for h in await houses.every_house(connection) if h.house_id == found.house_id]


# What lies in a room, by the function that reads it.
IN_A_ROOM: dict[str, Read] = {
    "contents.bodies": contents_bodies,
    "lessons.current": lessons_current,
    "lessons.latest": lambda c, f: lessons.latest(c, f.house_id, [f.packet["lessons"][0]["id"]]),
    "lessons.links": lessons_links,
    "lessons.wordings": lessons_wordings,
    "packets.holding": lambda c, f: packets.holding(
        c, f.house_id, f.packet["lessons"][0]["derivation"]["digest"]
    ),
    "packets.packet": lambda c, f: packets.packet(c, f.house_id, f.packet["packet_id"]),
    "packets.packet_of_intent": of_intent,
    "packets.placed": lambda c, f: packets.placed(c, f.house_id, f.packet["packet_id"]),
    "packets.task": lambda c, f: packets.task(c, f.house_id, f.packet["task_id"]),
    "proofs.derivation": lambda c, f: proofs.derivation(
        c, f.house_id, f.packet["lessons"][0]["derivation"]["digest"]
    ),
    "proofs.stored_facts": lambda c, f: proofs.stored_facts(c, f.house_id, f.digests[1]),
    "relevance.score_words": relevance_score_words,
}

# What belongs to a House as a whole.
IN_A_HOUSE: dict[str, Read] = {
    "facts.routing_facts": operator_grants,
    "grants.of_principal": lambda c, f: grants.of_principal(c, f.house_id, "operator"),
    "houses.has_project": lambda c, f: houses.has_project(c, f.house_id, "sluicebook"),
    "houses.every_house": this_house,
    "houses.projects": lambda c, f: houses.projects(c, f.house_id),
    "houses.rooms": lambda c, f: houses.rooms(c, f.house_id),
    "lessons.visible_epoch": lambda c, f: lessons.visible_epoch(c, f.house_id),
}

# A token is looked up before its House is known; a ruleset is the same in every House.
OF_NO_HOUSE = {"grants.token_by_hash", "proofs.ruleset"}
WRITERS = ("add_", "give", "keep", "revoke", "record", "found", "index", "rebuild_index")


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
    return found


def twins(room: str) -> list[Json]:
    """A lesson of a room and the one that says its opposite."""
    title = f"Rinse the brass of {room}"
    return [
        lesson(title, "Rinse brass before the tide.", scope=room),
        lesson(f"Never leave {room} dull", "Dull metal.", scope=room, negation_of_title=title),
    ]


def test_every_reading_function_of_every_ledger_is_asked_here() -> None:
    modules = (acts, contents, facts, grants, houses, lessons, packets, proofs)
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
            counts[tuple(scopes)] = await lessons.visible_epoch(connection, HOUSE_ID)
    assert counts == {(): 0, (FORGE,): 4, (LIBRARY,): 4, (FORGE, LIBRARY, SHARED): 8}
    assert len(worlds) == 4


def other_of(house_id: UUID) -> UUID:
    return OTHER_HOUSE_ID if house_id == HOUSE_ID else HOUSE_ID
