"""Creation of a lesson outside any import file: one record, written on purpose."""

from uuid import UUID

from contracts import LessonWritten, NewLesson
from house.authorization import Caller, Deed, record_act
from house.commands import Call, ConflictError, Result, Written, perform
from house.lesson_lookup import hold_lesson
from house.lesson_records import Wanted, records_of, says_the_same
from house.lesson_rows import PlannedLesson, authority_row, planned_alone
from house.lesson_writing import append_lesson, demand_no_successor, demand_project, drafted
from house.runtime import Runtime
from store import Connection, lesson_history, lessons


class LessonExistsError(ConflictError):
    """A lesson of that kind, scope, project and title is there, and says something else."""

    def __init__(self, lesson_id: str) -> None:
        super().__init__("lesson_exists", f"lesson `{lesson_id}` is there already: update it")


async def create_lesson(runtime: Runtime, call: Call, wanted: NewLesson) -> LessonWritten:
    """Make a lesson: promoted where the caller may promote and the record asks for it.

    Raises `DeniedError`, `LessonExistsError`, `LessonForgottenError`, `FieldRefusedError`.
    """
    lesson = planned_alone(call.token.house_id, wanted.record)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await hold_lesson(connection, caller, lesson.lesson_id)
        demand_no_successor(wanted.record, "record")
        await demand_project(connection, caller, lesson)
        await drafted(connection, caller, lesson, wanted.negation_of)
        return await _as_it_is(connection, caller, lesson)

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        draft = await drafted(connection, caller, lesson, wanted.negation_of)
        row = await append_lesson(connection, caller.house_id, act, draft)
        record = authority_row(lesson, row.version)
        if record is not None and caller.may("promote", lesson.scope):
            deed = Deed("promote", [lesson.scope], deed_of_making.subject, wanted.reason)
            promotion = await record_act(connection, caller, deed)
            await lessons.add_authority(connection, caller.house_id, promotion, [record])
        else:
            record = None
        record_id = None if record is None else record.record_id
        told = _told(lesson.lesson_id, row.version, record_id, unchanged=False)
        return Written(told, [lesson.lesson_id], [lesson.lesson_id])

    subject = f"creation of {lesson.lesson_id}"
    deed_of_making = Deed("import", [lesson.scope], subject, wanted.reason)
    result = await perform(runtime, call, deed_of_making, write, standing)
    return LessonWritten.model_validate(result)


async def demand_new(connection: Connection, caller: Caller, lesson: PlannedLesson) -> None:
    """Raise `LessonExistsError` iff there is a lesson of that identity."""
    if await lesson_history.known(connection, caller.house_id, lesson.lesson_id):
        raise LessonExistsError(lesson.lesson_id)


async def _as_it_is(connection: Connection, caller: Caller, lesson: PlannedLesson) -> Result | None:
    """The lesson as it stands when it says what the record says, None iff there is none.

    Raises `LessonExistsError` when it says something else.
    """
    present = await lessons.standing(connection, caller.house_id, lesson.lesson_id)
    if present is None:
        await demand_new(connection, caller, lesson)
        return None
    key = (present.lesson_id, present.version)
    asked = Wanted(*key, present.kind, present.scope, present.project, present.disposition)
    found = await records_of(connection, caller.house_id, [asked])
    if not says_the_same(found[key], lesson.record):
        raise LessonExistsError(lesson.lesson_id)
    return _told(*key, present.record_id, unchanged=True)


def _told(lesson_id: str, version: int, record_id: str | None, *, unchanged: bool) -> Result:
    return {
        "lesson_id": lesson_id,
        "version": version,
        "record_id": record_id,
        "unchanged": unchanged,
    }
