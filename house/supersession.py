"""Supersession: a lesson gives way to another one, in one transaction with the making of that.

Nothing else changes: the successor is named, has the same subject, and stands in the same scope or
in what is shared. Supersessions of a House are made one at a time, so that none closes a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from contracts import LessonSuperseded, LessonSupersession, Successor
from engine import digest
from house.authorization import Caller, Deed, DeniedError, record_act
from house.commands import Call, ConflictError, Result, Written, perform
from house.creations import demand_new
from house.lesson_lookup import LessonForgottenError, hold_lesson, present_version, visible_lesson
from house.lesson_rows import PlannedLesson, following_authority, planned_alone
from house.lesson_writing import (
    FieldRefusedError,
    append_lesson,
    demand_no_successor,
    demand_project,
    demand_promoted,
    drafted,
)
from house.runtime import Runtime
from store import Connection, contents, facts, houses, lesson_history, lessons, one_at_a_time

_PLACE = "successor."


class SuccessorRefusedError(ConflictError):
    """The lesson named cannot take the place of the other."""

    def __init__(self, problem: str) -> None:
        super().__init__("successor_refused", problem)


class CircleError(ConflictError):
    """A lesson would give way to itself in the end; `circle` are the lessons on the way."""

    def __init__(self, circle: Sequence[str]) -> None:
        way = " → ".join(f"`{lesson_id}`" for lesson_id in circle)
        super().__init__("circle", f"the supersessions would go in a circle: {way}")
        self.circle = tuple(circle)


@dataclass(frozen=True, slots=True)
class _Successor:
    """Which lesson it is, and what makes it one that may follow."""

    lesson_id: str
    kind: str
    scope: str
    project: str | None


async def supersede_lesson(
    runtime: Runtime, call: Call, lesson_id: str, wanted: LessonSupersession
) -> LessonSuperseded:
    """Let a lesson give way to one that is there, or to one that is made with it.

    Raises `NotFoundError`, `DeniedError`, `SupersededError`, `StaleBaselineError`, `CircleError`,
    `SuccessorRefusedError`, `LessonExistsError`, `LessonForgottenError`, `FieldRefusedError`.
    """
    made = _made(call, wanted.successor)

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await visible_lesson(connection, caller, lesson_id)
        subject = f"supersession of {lesson_id}@{wanted.baseline_version}"
        return Deed("promote", [found.scope], subject, wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await contents.keep_from_forgetting(connection, caller.house_id)
        await one_at_a_time(connection, caller.house_id, "supersessions")
        await hold_lesson(connection, caller, lesson_id)
        present = await present_version(connection, caller, lesson_id, wanted.baseline_version)
        successor = await _successor(connection, caller, wanted.successor, made)
        _demand_subject(present, successor)
        if not caller.may("promote", successor.scope):
            raise DeniedError("promote")
        if made is None:
            await _demand_standing(connection, caller, lesson_id, successor.lesson_id)
        else:
            await _demand_makeable(connection, caller, made, wanted.successor)
        return None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        new = [] if made is None else [await _make(connection, caller, made, wanted.successor)]
        successor_id = made.lesson_id if made else str(wanted.successor.lesson_id)
        row = _row(lesson_id, successor_id, wanted)
        await lessons.supersede(connection, caller.house_id, act, row)
        told = {
            "lesson_id": lesson_id,
            "successor_id": successor_id,
            "baseline_version": wanted.baseline_version,
            "record_id": row.record_id,
        }
        return Written(told, [lesson_id, *new], new)

    return LessonSuperseded.model_validate(await perform(runtime, call, asking, write, standing))


def _made(call: Call, successor: Successor) -> PlannedLesson | None:
    """The successor that is to be made, None iff it is there already."""
    if successor.record is None:
        return None
    return planned_alone(call.token.house_id, successor.record)


def _row(lesson_id: str, successor_id: str, wanted: LessonSupersession) -> lessons.Supersession:
    name = digest(["supersession", lesson_id, successor_id, wanted.baseline_version])
    return lessons.Supersession(
        lesson_id=lesson_id,
        successor_id=successor_id,
        baseline_version=wanted.baseline_version,
        record_id=f"supersession-{name[:24]}",
        evidence_refs=list(wanted.evidence_refs),
    )


async def _successor(
    connection: Connection, caller: Caller, named: Successor, made: PlannedLesson | None
) -> _Successor:
    """The successor by what makes it one; one that is named must be in sight."""
    if made is not None:
        identity = made.identity
        return _Successor(made.lesson_id, identity.kind, identity.scope, identity.project)
    key = str(named.lesson_id)
    known = await lesson_history.known(connection, caller.house_id, key)
    if known is None:
        raise FieldRefusedError("successor.lesson_id", f"no lesson `{key}`")
    if known.is_forgotten:
        raise LessonForgottenError(key)
    return _Successor(key, known.kind, known.scope, known.project)


def _demand_subject(present: lessons.Standing, successor: _Successor) -> None:
    """Refuse a successor that speaks of something else, or to fewer than the lesson did."""
    if successor.kind != present.kind:
        raise SuccessorRefusedError(f"a {present.kind} gives way to none but a {present.kind}")
    if successor.scope not in (present.scope, houses.SHARED):
        raise SuccessorRefusedError(
            "the successor stands neither in the same scope nor in `shared`"
        )
    if present.kind == "project_lesson" and successor.project != present.project:
        raise SuccessorRefusedError("the successor belongs to another project")


async def _demand_standing(
    connection: Connection, caller: Caller, lesson_id: str, successor_id: str
) -> None:
    """Refuse a successor that leads back to the lesson, or that nobody stands behind."""
    circle = await _way(connection, caller.house_id, successor_id, lesson_id)
    if circle:
        raise CircleError([lesson_id, *circle])
    found = await lessons.standing(connection, caller.house_id, successor_id)
    if found is None or found.disposition != "promoted":
        raise SuccessorRefusedError(f"nobody stands behind lesson `{successor_id}`")


async def _way(connection: Connection, house_id: UUID, start: str, end: str) -> list[str]:
    """The lessons from one to another, each of which gives way to the next; none iff there is none.

    It follows what the facts say, links of imported versions included.
    """
    before: dict[str, str | None] = {start: None}
    reached = [start]
    while reached and end not in before:
        given = await facts.of_subjects(connection, house_id, reached)
        steps = [f.values for f in given if f.relation == "lesson_superseded"]
        reached = [str(later) for _, later in steps if str(later) not in before]
        before |= {str(later): str(lesson) for lesson, later in steps if str(later) not in before}
    way: list[str] = []
    here: str | None = end if end in before else None
    while here is not None:
        way.insert(0, here)
        here = before[here]
    return way


async def _demand_makeable(
    connection: Connection, caller: Caller, made: PlannedLesson, wanted: Successor
) -> None:
    await hold_lesson(connection, caller, made.lesson_id)
    await demand_new(connection, caller, made)
    demand_no_successor(made.record, f"{_PLACE}record")
    demand_promoted(made.record, f"{_PLACE}record")
    await demand_project(connection, caller, made)
    await drafted(connection, caller, made, wanted.negation_of, _PLACE)


async def _make(
    connection: Connection, caller: Caller, made: PlannedLesson, wanted: Successor
) -> str:
    """Append the successor, promoted, behind an act of its own in its own scope; its id."""
    deed = Deed("promote", [made.scope], f"creation of {made.lesson_id}")
    act = await record_act(connection, caller, deed)
    draft = await drafted(connection, caller, made, wanted.negation_of, _PLACE)
    row = await append_lesson(connection, caller.house_id, act, draft)
    record = following_authority(row, "promoted", None)
    await lessons.add_authority(connection, caller.house_id, act, [record])
    return made.lesson_id
