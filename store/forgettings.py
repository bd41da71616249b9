"""Ledger of forgettings: what was deleted on purpose; its id stays, and nothing that it said."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from store.database import Connection
from store.rows import every, write


@dataclass(frozen=True, slots=True)
class _Subject:
    subject: str


async def forget_lesson(connection: Connection, lesson_id: str, act_id: UUID) -> None:
    """Delete all that a lesson said; the lesson must lie in the scopes of the transaction."""
    await write(connection, "forgettings.forget_lesson", {"lesson": lesson_id, "act": act_id})


async def forget_task(connection: Connection, task_id: str, act_id: UUID) -> None:
    """Delete all that a task said, for every packet that it got; the same holds of its scope."""
    await write(connection, "forgettings.forget_task", {"task": task_id, "act": act_id})


async def forgotten(connection: Connection, house_id: UUID, ids: Iterable[str]) -> list[str]:
    """Those of the ids that were forgotten, sorted."""
    parameters = {"house": house_id, "ids": sorted(set(ids))}
    found = await every(connection, _Subject, "forgettings.among", parameters)
    return [row.subject for row in found]
