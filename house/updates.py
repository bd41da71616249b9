"""Update of a lesson: a new version, promoted, by somebody who read the one before."""

from uuid import UUID

from contracts import LessonUpdate, LessonWritten
from house.authorization import Caller, Deed
from house.commands import Call, ConflictError, Result, Written, perform
from house.lesson_lookup import StaleTitleError, hold_lesson, present_version, visible_lesson
from house.lesson_records import Wanted, records_of, says_the_same
from house.lesson_rows import following_authority, planned_version
from house.lesson_writing import (
    Draft,
    append_version,
    demand_no_successor,
    demand_promoted,
    drafted,
)
from house.runtime import Runtime
from store import Connection, contents, houses, lesson_history, lessons


class IdentityError(ConflictError):
    """Kind, scope and project make a lesson what it is: they never change."""

    def __init__(self, field: str) -> None:
        super().__init__("identity_differs", f"`record.{field}` is another than the lesson's")


async def update_lesson(
    runtime: Runtime, call: Call, lesson_id: str, wanted: LessonUpdate
) -> LessonWritten:
    """Give a lesson a new version; one that would say the same changes nothing.

    Raises `NotFoundError`, `DeniedError`, `SupersededError`, `LessonForgottenError`,
    `StaleBaselineError`, `StaleTitleError`, `IdentityError`, `FieldRefusedError`.
    """
    lesson = planned_version(wanted.record, lesson_id)

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await visible_lesson(connection, caller, lesson_id)
        subject = f"update of {lesson_id}@{wanted.baseline_version}"
        return Deed("promote", [found.scope], subject, wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await hold_lesson(connection, caller, lesson_id)
        present = await present_version(connection, caller, lesson_id, wanted.baseline_version)
        _demand_fit(present, wanted)
        draft = await drafted(connection, caller, lesson, wanted.negation_of)
        if not await _says_it(connection, caller, present, draft):
            return None
        return _told(lesson_id, present.version, present.record_id, unchanged=True)

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        house_id = caller.house_id
        last = (await lessons.latest(connection, house_id, [lesson_id]))[lesson_id]
        version = max(wanted.record.version, last.version + 1)
        draft = await drafted(connection, caller, lesson, wanted.negation_of)
        row = await append_version(connection, house_id, act, draft, version)
        authority = following_authority(row, "promoted", None)
        await lessons.add_authority(connection, house_id, act, [authority])
        told = _told(lesson_id, row.version, authority.record_id, unchanged=False)
        return Written(told, [lesson_id], [lesson_id])

    return LessonWritten.model_validate(await perform(runtime, call, asking, write, standing))


def _demand_fit(present: lessons.Standing, wanted: LessonUpdate) -> None:
    """Refuse a record for another lesson than the one that the caller read."""
    expected = contents.content_of(present.scope, wanted.expected_title)
    if expected.content_id != present.title_id:
        raise StaleTitleError(present.lesson_id)
    record = wanted.record
    for field, mine, theirs in (
        ("kind", record.kind, present.kind),
        ("scope", houses.scope_of(record.scope), present.scope),
        ("project", record.project, present.project),
    ):
        if mine != theirs:
            raise IdentityError(field)
    demand_no_successor(record, "record")
    demand_promoted(record, "record")


async def _says_it(
    connection: Connection, caller: Caller, present: lessons.Standing, draft: Draft
) -> bool:
    """Whether the lesson stands promoted and says what the draft says."""
    if present.disposition != "promoted":
        return False
    key = (present.lesson_id, present.version)
    asked = Wanted(*key, present.kind, present.scope, present.project, present.disposition)
    found = await records_of(connection, caller.house_id, [asked])
    links = await lesson_history.linked(connection, caller.house_id, [present.lesson_id])
    others = {k.other_id for k in links if (k.version, k.kind) == (present.version, "negation_of")}
    return says_the_same(found[key], draft.lesson.record) and others == ({draft.opposite} - {None})


def _told(lesson_id: str, version: int, record_id: str | None, *, unchanged: bool) -> Result:
    return {
        "lesson_id": lesson_id,
        "version": version,
        "record_id": record_id,
        "unchanged": unchanged,
    }
