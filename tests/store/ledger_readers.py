"""Every function of `store` that reads, asked for what lies in one room of one House."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from houses import FORGE, LIBRARY, SHARED, Json

from store import (
    Connection,
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
from store.relevance import score_words

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
EVERYTHING = grants.Visible("operator", [*ROOMS, SHARED], [], 100)


async def of_intent(connection: Connection, found: Found) -> object:
    task = await packets.task(connection, found.house_id, found.packet["task_id"])
    return task and await packets.last_of_intent(connection, found.house_id, task)


def mine(found: Found, rows: Sequence[Any], field: str = "lesson_id") -> list[Any]:
    """The rows that are about the first lesson of the packet, which lies in the room."""
    return [row for row in rows if getattr(row, field) == found.packet["lessons"][0]["id"]]


async def facts_base(connection: Connection, found: Found) -> object:
    given = await facts.base(connection, found.house_id)
    return [fact for fact in given if fact.values[0] == found.packet["lessons"][0]["id"]]


async def facts_changes(connection: Connection, found: Found) -> object:
    told = await facts.changes(connection, found.house_id, 0)
    return [change for change in told if change.row[0] == found.packet["lessons"][0]["id"]]


async def packets_page(connection: Connection, found: Found) -> object:
    start = packets.Start(found.house_id, "", 100)
    shown = await packets.page(connection, "nobody", [found.scope], start)
    return [row for row in shown if row.packet_id == found.packet["packet_id"]]


async def packets_successor(connection: Connection, found: Found) -> object:
    """The one that follows the packet, which has the id of the packet with `-next` behind it."""
    return await packets.successor(connection, found.house_id, found.packet["packet_id"])


async def lessons_page(connection: Connection, found: Found) -> object:
    choice = lessons.Choice()
    return mine(found, await lessons.page(connection, found.house_id, choice, "", 1000))


async def lessons_versions(connection: Connection, found: Found) -> object:
    chosen = [(row["id"], row["version"]) for row in found.packet["lessons"][:1]]
    return await lessons.versions(connection, found.house_id, chosen)


async def lesson_history_linked(connection: Connection, found: Found) -> object:
    choice = lessons.Choice(scope=found.scope)
    seen = await lessons.page(connection, found.house_id, choice, "", 1000)
    ids = [row.lesson_id for row in seen]
    return await lesson_history.linked(connection, found.house_id, ids)


async def lesson_history_titled(connection: Connection, found: Found) -> object:
    title = found.packet["lessons"][0]["title"]
    name = contents.content_of(found.scope, title).content_id
    return await lesson_history.titled(connection, found.house_id, [name])


def gone_from(found: Found) -> str:
    """The lesson of a room of which only the id is left."""
    return f"lesson-gone-from-{found.scope.removeprefix('room:')}"


async def lessons_wordings(connection: Connection, found: Found) -> object:
    chosen = [(row["id"], row["version"]) for row in found.packet["lessons"][:1]]
    return await lessons.wordings(connection, found.house_id, chosen)


async def relevance_score_words(connection: Connection, found: Found) -> object:
    return mine(found, (await score_words(connection, found.house_id, "brass tide")).lessons)


async def contents_bodies(connection: Connection, found: Found) -> object:
    title = found.packet["lessons"][0]["title"]
    name = contents.content_of(found.scope, title).content_id
    return await contents.bodies(connection, found.house_id, [name])


async def rows_of(found: Found, read: Awaitable[Sequence[projects.Project]]) -> object:
    return [row for row in await read if row.scope == found.scope]


async def a_token(connection: Connection, found: Found) -> object:
    shown = await grants.page_tokens(connection, found.house_id, EVERYTHING, UUID(int=0))
    return shown and await grants.token(connection, found.house_id, shown[0].token_id)


async def a_grant_like_it(connection: Connection, found: Found) -> object:
    shown = await grants.page(connection, found.house_id, EVERYTHING, "")
    return shown and await grants.equal(connection, shown[0], begun=True)


# What lies in a room, by the function that reads it.
IN_A_ROOM: dict[str, Read] = {
    "contents.bodies": contents_bodies,
    "facts.base": facts_base,
    "facts.changes": facts_changes,
    "facts.of_subjects": lambda c, f: facts.of_subjects(
        c, f.house_id, [f.packet["lessons"][0]["id"]]
    ),
    "forgettings.forgotten": lambda c, f: forgettings.forgotten(c, f.house_id, [gone_from(f)]),
    "lesson_history.disposed": lambda c, f: lesson_history.disposed(c, f.house_id, first_of(f)),
    "lesson_history.succession": lambda c, f: lesson_history.succession(c, f.house_id, first_of(f)),
    "lesson_history.known": lambda c, f: lesson_history.known(c, f.house_id, first_of(f)),
    "lesson_history.linked": lesson_history_linked,
    "lesson_history.made": lambda c, f: lesson_history.made(c, f.house_id, first_of(f), 1),
    "lesson_history.titled": lesson_history_titled,
    "lessons.latest": lambda c, f: lessons.latest(c, f.house_id, [f.packet["lessons"][0]["id"]]),
    "lessons.page": lessons_page,
    "lessons.standing": lambda c, f: lessons.standing(c, f.house_id, f.packet["lessons"][0]["id"]),
    "lessons.versions": lessons_versions,
    "lessons.wordings": lessons_wordings,
    "packets.holding": lambda c, f: packets.holding(
        c, f.house_id, f.packet["lessons"][0]["derivation"]["digest"]
    ),
    "packets.packet": lambda c, f: packets.packet(c, f.house_id, f.packet["packet_id"]),
    "packets.last_of_intent": of_intent,
    "packets.placed": lambda c, f: packets.placed(c, f.house_id, f.packet["packet_id"]),
    "packets.replacements": lambda c, f: packets.replacements(c, f.house_id, f.packet["packet_id"]),
    "packets.page": packets_page,
    "packets.successor": packets_successor,
    "packets.delivery": lambda c, f: packets.delivery(c, f.house_id, f.packet["packet_id"]),
    "packets.resting_on": lambda c, f: packets.resting_on(c, f.house_id, f.digests[0]),
    "packets.task": lambda c, f: packets.task(c, f.house_id, f.packet["task_id"]),
    "projects.page": lambda c, f: rows_of(f, projects.page(c, f.house_id, ("", ""), 1000)),
    "projects.project": lambda c, f: projects.project(c, f.house_id, "sluicebook", f.scope),
    "projects.usable": lambda c, f: projects.usable(c, f.house_id, [f.scope]),
    "proofs.derivation": lambda c, f: proofs.derivation(
        c, f.house_id, f.packet["lessons"][0]["derivation"]["digest"]
    ),
    "proofs.stored_facts": lambda c, f: proofs.stored_facts(c, f.house_id, f.digests[1]),
    "relevance.score_words": relevance_score_words,
}

# What belongs to a House as a whole.
IN_A_HOUSE: dict[str, Read] = {
    "facts.visible_epoch": lambda c, f: facts.visible_epoch(c, f.house_id),
    "grants.equal": a_grant_like_it,
    "grants.grant": lambda c, f: grants.grant(c, f.house_id, f"grant-{worker_of(f)}-read"),
    "grants.page": lambda c, f: grants.page(c, f.house_id, EVERYTHING, ""),
    "grants.page_tokens": lambda c, f: grants.page_tokens(c, f.house_id, EVERYTHING, UUID(int=0)),
    "grants.token": a_token,
    "houses.operators": lambda c, f: houses.operators(c, f.house_id),
    "houses.page_principals": lambda c, f: houses.page_principals(c, f.house_id, None, "", 10),
    "houses.page_rooms": lambda c, f: houses.page_rooms(c, f.house_id, [f.scope], "", 10),
    "houses.principal": lambda c, f: houses.principal(c, f.house_id, "operator"),
    "houses.room": lambda c, f: houses.room(c, f.house_id, "forge"),
    "houses.rooms": lambda c, f: houses.rooms(c, f.house_id),
    "idempotency.answer": lambda c, f: idempotency.answer(c, token_in(f.house_id), "key-1"),
    "vocabulary.of_principal": lambda c, f: vocabulary.of_principal(c, f.house_id, "operator"),
    "vocabulary.page": lambda c, f: vocabulary.page(
        c, f.house_id, None, vocabulary.Word("", "", ""), 10
    ),
}

# A token is looked up before its House is known, and what it may do is read inside its own; a
# ruleset is the same in every House.
OF_NO_HOUSE = {"facts.routing_facts", "grants.token_by_hash", "proofs.ruleset"}
WRITERS = (
    "add",
    "advance",
    "appoint",
    "carry",
    "forget",
    "found",
    "give",
    "hold_",
    "index",
    "keep",
    "open_",
    "rebuild_index",
    "record",
    "retire",
    "revoke",
    "supersede",
)


def first_of(found: Found) -> str:
    """The first lesson of the packet."""
    return str(found.packet["lessons"][0]["id"])


def worker_of(found: Found) -> str:
    """The principal whose packet it is."""
    return f"{found.scope.removeprefix('room:')}-{found.house_id.hex[-1]}"


def token_in(house_id: UUID) -> grants.Token:
    """A token of the operator of a House."""
    return grants.Token(house_id, UUID(int=1), "operator", [], [], None)
