"""Writing what a lesson says, as commands about one lesson do: a version, its texts, its opposite.

A record of such a command names the opposite by its present title, or the command names it by id.
A title is looked for among the lessons of the same scope and of what is shared: the opposite that
the lesson has already comes first, then the own scope. A title that several have is refused.
"""

from dataclasses import dataclass
from uuid import UUID

from contracts import LessonRecord
from house.authorization import Caller
from house.lesson_rows import PlannedLesson, texts, version_row
from store import Connection, contents, houses, lesson_history, lessons, projects


class FieldRefusedError(Exception):
    """A field of a lesson does not fit what the House holds."""

    def __init__(self, location: str, problem: str) -> None:
        super().__init__(f"`{location}`: {problem}")
        self.location = location


@dataclass(frozen=True, slots=True)
class Draft:
    """What a lesson is to say, and the lesson that it says the opposite of, if it does."""

    lesson: PlannedLesson
    opposite: str | None


async def append_version(
    connection: Connection, house_id: UUID, act: UUID, draft: Draft, version: int
) -> lessons.Version:
    """Append a version of a lesson that has its identity; that version."""
    row = version_row(draft.lesson, version)
    await contents.keep(connection, house_id, row.scope, texts(draft.lesson))
    await lessons.add_versions(connection, house_id, act, [row])
    if draft.opposite is not None:
        link = lessons.Link(row.lesson_id, version, "negation_of", draft.opposite)
        await lessons.add_links(connection, house_id, act, [link])
    return row


async def append_lesson(
    connection: Connection, house_id: UUID, act: UUID, draft: Draft
) -> lessons.Version:
    """Append a lesson with its first version; that version."""
    await lessons.add_identities(connection, house_id, act, [draft.lesson.identity])
    version = draft.lesson.record.version
    return await append_version(connection, house_id, act, draft, version)


async def demand_project(connection: Connection, caller: Caller, lesson: PlannedLesson) -> None:
    """Raise `FieldRefusedError` iff the record names a project that is not registered there."""
    project = lesson.record.project
    if project is not None:
        scopes = {lesson.scope, houses.SHARED}
        if project not in await projects.usable(connection, caller.house_id, scopes):
            raise FieldRefusedError("record.project", f"project `{project}` is not registered")


def demand_no_successor(record: LessonRecord, place: str) -> None:
    """Raise `FieldRefusedError` iff the record says that its lesson has given way."""
    if record.superseded_by_title is not None:
        problem = "a lesson gives way by a supersession of its own"
        raise FieldRefusedError(f"{place}.superseded_by_title", problem)


def demand_promoted(record: LessonRecord, place: str) -> None:
    """Raise `FieldRefusedError` iff the record asks for anything but to be promoted."""
    if record.review != "promoted":
        problem = "what is written here is promoted; decide otherwise by a review"
        raise FieldRefusedError(f"{place}.review", problem)


async def drafted(
    connection: Connection,
    caller: Caller,
    lesson: PlannedLesson,
    named: str | None,
    place: str = "",
) -> Draft:
    """What a lesson is to say, with its opposite by the id that the command gave, or by title.

    `place` leads to both in the command. Raises `FieldRefusedError` when there is no such lesson in
    the scope or in what is shared, or several.
    """
    return Draft(lesson, await _opposite(connection, caller, lesson, named, place))


async def _opposite(
    connection: Connection, caller: Caller, lesson: PlannedLesson, named: str | None, place: str
) -> str | None:
    scopes = (lesson.scope, houses.SHARED)
    if named is not None:
        known = await lesson_history.known(connection, caller.house_id, named)
        fits = known is not None and known.scope in scopes and not known.is_forgotten
        if not fits or named == lesson.lesson_id:
            raise FieldRefusedError(f"{place}negation_of", f"no other lesson `{named}` is here")
        return named
    if lesson.record.negation_of_title is None:
        return None
    return await _titled(connection, caller, lesson, f"{place}record.negation_of_title")


async def _titled(connection: Connection, caller: Caller, lesson: PlannedLesson, place: str) -> str:
    """The one lesson with the title that a record names as its opposite."""
    title = str(lesson.record.negation_of_title)
    ids = {contents.content_of(s, title).content_id for s in (lesson.scope, houses.SHARED)}
    titled = await lesson_history.titled(connection, caller.house_id, ids)
    found = {t.lesson_id: t.scope for t in titled if t.lesson_id != lesson.lesson_id}
    links = await lesson_history.linked(connection, caller.house_id, [lesson.lesson_id])
    present = {link.other_id for link in links if link.kind == "negation_of"}
    for chosen in (
        found.keys() & present,
        {name for name, scope in found.items() if scope == lesson.scope},
        found.keys(),
    ):
        if len(chosen) == 1:
            return next(iter(chosen))
        if chosen:
            break
    problem = (
        f"{len(found)} lessons have that title: name one by id" if found else "no lesson has it"
    )
    raise FieldRefusedError(place, problem)
