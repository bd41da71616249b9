"""What the ledger of lessons tells of the past of one: versions, dispositions, successors."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from store.database import Connection
from store.rows import every, one

MOST_VERSIONS = 200


@dataclass(frozen=True, slots=True)
class Known:
    """A lesson that has, or had, something to say."""

    lesson_id: str
    kind: str
    scope: str
    project: str | None
    is_forgotten: bool


@dataclass(frozen=True, slots=True)
class Made:
    """Who made a version, when and why."""

    version: int
    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Disposed:
    """An authority record over a version, with the act behind it."""

    record_id: str
    version: int
    disposition: Literal["promoted", "dismissed", "archived"]
    previous: str | None
    by: str
    reason: str
    basis: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Linked:
    """A link of a version to a lesson in sight, with what that one is called now, if anything."""

    lesson_id: str
    version: int
    kind: Literal["negation_of", "superseded_by"]
    other_id: str
    other_title_id: str | None


@dataclass(frozen=True, slots=True)
class GivenWay:
    """How a lesson gave way to another, with the act behind it."""

    successor_id: str
    baseline_version: int
    record_id: str
    evidence_refs: list[str]
    by: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Titled:
    """A lesson whose current version has a title that was asked for."""

    lesson_id: str
    scope: str


async def known(connection: Connection, house_id: UUID, lesson_id: str) -> Known | None:
    """The lesson of that id, None iff none is in sight; one that is only named is none."""
    parameters = {"house": house_id, "lesson": lesson_id}
    return await one(connection, Known, "lesson_history.known", parameters)


async def made(connection: Connection, house_id: UUID, lesson_id: str, always: int) -> list[Made]:
    """The versions of a lesson by number, the last 200 at most; `always` is one more to show."""
    parameters = {
        "house": house_id,
        "lesson": lesson_id,
        "always": always,
        "limit": MOST_VERSIONS,
    }
    return await every(connection, Made, "lesson_history.made", parameters)


async def disposed(connection: Connection, house_id: UUID, lesson_id: str) -> list[Disposed]:
    """The authority records over all versions of a lesson, by version, the first ones first."""
    parameters = {"house": house_id, "lesson": lesson_id}
    return await every(connection, Disposed, "lesson_history.disposed", parameters)


async def linked(
    connection: Connection, house_id: UUID, lesson_ids: Collection[str]
) -> list[Linked]:
    """The links of all versions of some lessons, in order."""
    parameters = {"house": house_id, "ids": sorted(lesson_ids)}
    return await every(connection, Linked, "lesson_history.linked", parameters)


async def succession(connection: Connection, house_id: UUID, lesson_id: str) -> GivenWay | None:
    """How a lesson gave way to another by supersession, None iff it did not."""
    parameters = {"house": house_id, "lesson": lesson_id}
    return await one(connection, GivenWay, "lesson_history.succession", parameters)


async def titled(
    connection: Connection, house_id: UUID, title_ids: Collection[str]
) -> list[Titled]:
    """The lessons whose current title is one of those named by content ids, by id."""
    parameters = {"house": house_id, "titles": sorted(title_ids)}
    return await every(connection, Titled, "lesson_history.titled", parameters)
