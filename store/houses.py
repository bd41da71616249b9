"""Ledger of Houses with their rooms, projects and principals."""

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
class _Key:
    key: str


def scope_of(room: str) -> str:
    """The scope that holds what belongs to one room."""
    return SHARED if room == SHARED else f"room:{room}"


async def found(connection: Connection, house: House, at: datetime) -> None:
    """Append a House; the transaction must be narrowed to it."""
    await write(connection, "houses.found", {"house": house.house_id, "name": house.name, "at": at})


async def every_house(connection: Connection) -> list[House]:
    """The Houses that the transaction can see, by founding time."""
    return await every(connection, House, "houses.all", {})


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


async def add_project(connection: Connection, house_id: UUID, project: str, act_id: UUID) -> None:
    """Append a project."""
    await write(
        connection, "houses.add_project", {"house": house_id, "project": project, "act": act_id}
    )


async def rooms(connection: Connection, house_id: UUID) -> list[str]:
    """The keys of the rooms of a House, sorted."""
    return [r.key for r in await every(connection, _Key, "houses.rooms", {"house": house_id})]


async def projects(connection: Connection, house_id: UUID) -> list[str]:
    """The keys of the projects of a House, sorted."""
    return [r.key for r in await every(connection, _Key, "houses.projects", {"house": house_id})]


async def has_project(connection: Connection, house_id: UUID, project: str) -> bool:
    """Whether a House has a project of that key."""
    parameters = {"house": house_id, "project": project}
    return await one(connection, _Key, "houses.project", parameters) is not None
