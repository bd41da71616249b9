"""Ledger of Houses with their rooms, the spirits that govern them, and principals."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from store.database import Connection
from store.rows import every, one, write

SHARED = "shared"


@dataclass(frozen=True, slots=True)
class House:
    """A House: the boundary of everything else."""

    house_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Principal:
    """Who can be granted something; one that was revoked opens nothing any more."""

    key: str
    kind: str
    revoked: bool


@dataclass(frozen=True, slots=True)
class Room:
    """A room with its governing spirit, None iff it has none, and the last appointment."""

    room: str
    governor: str | None
    appointment: str | None


@dataclass(frozen=True, slots=True)
class _Key:
    key: str


def scope_of(room: str) -> str:
    """The scope that holds what belongs to one room."""
    return SHARED if room == SHARED else f"room:{room}"


async def found(connection: Connection, house: House, at: datetime) -> None:
    """Append a House; the transaction must be narrowed to it."""
    await write(connection, "houses.found", {"house": house.house_id, "name": house.name, "at": at})


async def add_principal(
    connection: Connection, house_id: UUID, principal_id: str, kind: str, at: datetime
) -> None:
    """Append a principal."""
    await write(
        connection,
        "houses.add_principal",
        {"house": house_id, "principal": principal_id, "kind": kind, "at": at},
    )


async def add_room(connection: Connection, house_id: UUID, room: str, act_id: UUID) -> None:
    """Append a room."""
    await write(connection, "houses.add_room", {"house": house_id, "room": room, "act": act_id})


async def principal(connection: Connection, house_id: UUID, key: str) -> Principal | None:
    """The principal of that key, None iff there is none."""
    parameters = {"house": house_id, "principal": key}
    return await one(connection, Principal, "houses.principal", parameters)


async def operators(connection: Connection, house_id: UUID) -> list[str]:
    """The keys of the operators that have not been revoked, sorted."""
    return [o.key for o in await every(connection, _Key, "houses.operators", {"house": house_id})]


async def page_principals(
    connection: Connection, house_id: UUID, only: str | None, after: str, limit: int
) -> list[Principal]:
    """The principals after a key, by key: all, or `only` that one."""
    parameters = {
        "house": house_id,
        "all": only is None,
        "principal": only,
        "after": after,
        "limit": limit,
    }
    return await every(connection, Principal, "houses.page_principals", parameters)


async def revoke_principal(connection: Connection, house_id: UUID, key: str, act_id: UUID) -> None:
    """Append that a principal has gone: none of its tokens opens anything."""
    parameters = {"house": house_id, "principal": key, "act": act_id}
    await write(connection, "houses.revoke_principal", parameters)


async def rooms(connection: Connection, house_id: UUID) -> list[str]:
    """The keys of the rooms of a House, sorted."""
    return [r.key for r in await every(connection, _Key, "houses.rooms", {"house": house_id})]


async def room(connection: Connection, house_id: UUID, key: str) -> Room | None:
    """The room of that key, None iff there is none; its governor iff its scope is in sight."""
    return await one(connection, Room, "houses.room", {"house": house_id, "room": key})


async def page_rooms(
    connection: Connection, house_id: UUID, scopes: Collection[str], after: str, limit: int
) -> list[Room]:
    """The rooms of the scopes after a key, by key."""
    parameters = {"house": house_id, "scopes": sorted(scopes), "after": after, "limit": limit}
    return await every(connection, Room, "houses.page_rooms", parameters)


async def appoint(
    connection: Connection,
    house_id: UUID,
    appointment: Room,
    previous: str | None,
    act_id: UUID,
) -> None:
    """Append an appointment, which follows the one named.

    Raises psycopg's `UniqueViolation` when another one follows it already.
    """
    parameters = {
        "house": house_id,
        "record": appointment.appointment,
        "room": appointment.room,
        "principal": appointment.governor,
        "previous": previous,
        "act": act_id,
    }
    await write(connection, "houses.appoint", parameters)
