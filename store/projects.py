"""Ledger of projects: a key, and the scopes whose tasks and lessons may name it.

A key opened in two rooms is two entries; the one says nothing of the other.
"""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from store.database import Connection
from store.rows import every, one, write


@dataclass(frozen=True, slots=True)
class Project:
    """A project as one scope knows it; a retired one is named by no new task or lesson."""

    project: str
    scope: str
    retired: bool


async def open_in(
    connection: Connection, house_id: UUID, project: str, scope: str, act_id: UUID
) -> None:
    """Append that a project may be named in a scope.

    Raises psycopg's `UniqueViolation` when it was opened there before.
    """
    parameters = {"house": house_id, "project": project, "scope": scope, "act": act_id}
    await write(connection, "projects.add", parameters)
    await write(connection, "projects.open", parameters)


async def retire(
    connection: Connection, house_id: UUID, project: str, scope: str, act_id: UUID
) -> None:
    """Append that a project may no longer be named in a scope."""
    parameters = {"house": house_id, "project": project, "scope": scope, "act": act_id}
    await write(connection, "projects.retire", parameters)


async def usable(connection: Connection, house_id: UUID, scopes: Collection[str]) -> set[str]:
    """The keys of the projects that may be named in one of the scopes."""
    parameters = {"house": house_id, "scopes": sorted(scopes)}
    return {p.project for p in await every(connection, Project, "projects.usable", parameters)}


async def project(connection: Connection, house_id: UUID, key: str, scope: str) -> Project | None:
    """The project as the scope knows it, None iff it does not."""
    parameters = {"house": house_id, "project": key, "scope": scope}
    return await one(connection, Project, "projects.project", parameters)


async def page(
    connection: Connection, house_id: UUID, after: tuple[str, str], limit: int
) -> list[Project]:
    """The projects of the scopes of the transaction after a key and scope, in that order."""
    key, scope = after
    parameters = {"house": house_id, "project": key, "scope": scope, "limit": limit}
    return await every(connection, Project, "projects.page", parameters)
