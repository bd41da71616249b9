"""Reading lessons: a list in pages, and one lesson with its versions and what was decided."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from contracts import (
    LessonDetail,
    LessonDisposition,
    LessonGivenWay,
    LessonItem,
    LessonLink,
    LessonPage,
    LessonRecord,
    LessonVersion,
)
from house.answers import ForgottenError, NotFoundError
from house.authorization import Caller, authorize
from house.lesson_lookup import visible_lesson
from house.lesson_records import Wanted, records_of
from house.pages import Window, page_of, start_of
from house.runtime import Runtime
from store import Connection, grants, lesson_history, lessons


async def list_lessons(
    runtime: Runtime, token: grants.Token, choice: lessons.Choice, window: Window, at: datetime
) -> LessonPage:
    """The chosen lessons that the caller may read, by id; forgotten ones are no lessons.

    Raises `CursorError` for a cursor of another choice or of other scopes.
    """
    name = "\n".join(
        ["lessons", *(str(c) for c in (choice.kind, choice.scope, choice.disposition))]
    )
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        (after,) = start_of(caller, name, window, [""])
        limit = window.limit + 1
        found = await lessons.page(connection, caller.house_id, choice, after, limit)
        wanted = [_of_standing(standing) for standing in found]
        records = await records_of(connection, caller.house_id, wanted)
    shown = [([s.lesson_id], _item(s, records[s.lesson_id, s.version])) for s in found]
    page = page_of(caller, name, window, shown)
    return LessonPage(items=page.items, next_cursor=page.next_cursor)


async def read_lesson(
    runtime: Runtime, token: grants.Token, lesson_id: str, at: datetime
) -> LessonDetail:
    """A lesson that the caller may read, with its versions, decisions and links.

    Raises `NotFoundError`, and `ForgottenError` iff only its id is left.
    """
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        known = await visible_lesson(connection, caller, lesson_id)
        if known.is_forgotten:
            raise ForgottenError("lesson", lesson_id)
        standing = await lessons.standing(connection, caller.house_id, lesson_id)
        if standing is None:
            raise NotFoundError("lesson", lesson_id)
        versions = await _versions(connection, caller, standing)
        given_way = await lesson_history.succession(connection, caller.house_id, lesson_id)
    record = next(v.record for v in versions if v.version == standing.version)
    return LessonDetail(
        **dict(_item(standing, record)),
        versions=tuple(versions),
        supersession=None if given_way is None else _given_way(given_way),
    )


def _of_standing(standing: lessons.Standing) -> Wanted:
    return Wanted(
        lesson_id=standing.lesson_id,
        version=standing.version,
        kind=standing.kind,
        scope=standing.scope,
        project=standing.project,
        disposition=standing.disposition,
    )


def _item(standing: lessons.Standing, record: LessonRecord) -> LessonItem:
    disposition: Any = standing.disposition
    return LessonItem(
        lesson_id=standing.lesson_id,
        version=standing.version,
        kind=standing.kind,
        scope=standing.scope,
        project=standing.project,
        disposition=disposition,
        record_id=standing.record_id,
        successor_id=standing.successor_id,
        waiting_version=standing.waiting_version,
        title=record.title,
        record=record,
    )


async def _versions(
    connection: Connection, caller: Caller, standing: lessons.Standing
) -> list[LessonVersion]:
    """The versions of a lesson by number; the one that speaks for it is always among them."""
    house_id, lesson_id = caller.house_id, standing.lesson_id
    made = await lesson_history.made(connection, house_id, lesson_id, standing.version)
    disposed = await lesson_history.disposed(connection, house_id, lesson_id)
    links = await lesson_history.linked(connection, house_id, [lesson_id])
    last = {record.version: record.disposition for record in disposed}
    wanted = [
        Wanted(
            lesson_id=lesson_id,
            version=version.version,
            kind=standing.kind,
            scope=standing.scope,
            project=standing.project,
            disposition=last.get(version.version),
        )
        for version in made
    ]
    records = await records_of(connection, house_id, wanted)
    return [
        LessonVersion(
            version=version.version,
            by=version.by,
            reason=version.reason,
            at=version.at,
            record=records[lesson_id, version.version],
            dispositions=_dispositions(d for d in disposed if d.version == version.version),
            links=_links([k for k in links if k.version == version.version]),
        )
        for version in made
    ]


def _dispositions(found: Iterable[lesson_history.Disposed]) -> tuple[LessonDisposition, ...]:
    return tuple(
        LessonDisposition(
            record_id=record.record_id,
            disposition=record.disposition,
            previous=record.previous,
            by=record.by,
            basis=record.basis,
            reason=record.reason,
            at=record.at,
        )
        for record in found
    )


def _links(found: Sequence[lesson_history.Linked]) -> tuple[LessonLink, ...]:
    return tuple(LessonLink(kind=link.kind, lesson_id=link.other_id) for link in found)


def _given_way(found: lesson_history.GivenWay) -> LessonGivenWay:
    return LessonGivenWay(
        successor_id=found.successor_id,
        baseline_version=found.baseline_version,
        record_id=found.record_id,
        evidence_refs=tuple(found.evidence_refs),
        by=found.by,
        reason=found.reason,
        at=found.at,
    )
