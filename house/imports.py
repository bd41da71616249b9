"""Import lessons: a deliberate write, in batches, that may be repeated without effect.

A lesson is the same lesson when House, pack, scope, project, kind and title agree; when its source
digest differs from the one of its last version, it gets a new version. Who may `promote` in a scope
gives each version an authority record; without that right it lands unreviewed, and does not take
the place of a version that somebody stands behind. A record that is as it was imported last changes
nothing, even when the lesson was updated since.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias
from uuid import UUID

from contracts import ImportReport, LessonPack, Rejection
from house.authorization import Caller, Deed, DeniedError, authorize, record_act
from house.lesson_rows import (
    PlannedLesson,
    authority_row,
    by_title,
    link_rows,
    planned,
    targets,
    texts,
    version_row,
)
from house.runtime import Runtime, unraced
from store import (
    Connection,
    contents,
    facts,
    forgettings,
    grants,
    houses,
    lessons,
    narrow,
    projects,
)

BATCH = 500
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Import:
    """One import under way."""

    runtime: Runtime
    token: grants.Token
    pack_id: str
    titles: Mapping[str, PlannedLesson]
    at: datetime

    @property
    def subject(self) -> str:
        """What its acts are about."""
        return f"import of pack {self.pack_id}"


def _silent(_done: int, _total: int) -> None:
    pass


async def import_lessons(
    runtime: Runtime,
    token: grants.Token,
    pack: LessonPack,
    file: str,
    at: datetime,
    *,
    progress: Progress = _silent,
) -> ImportReport:
    """Check the whole pack, then write what is new; `progress` is told of lessons done of all.

    A rejection means that nothing was stored. Batches commit by themselves: when a later one
    fails, the same import made again goes on where it stopped. Raises `DeniedError` for a caller
    that may import nowhere.
    """
    plan = planned(token.house_id, pack)
    titles = by_title(plan)
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        open_scopes = caller.scopes_of("import")
        if not open_scopes:
            raise DeniedError("import")
        await narrow(connection, token.house_id, sorted({*caller.readable, *open_scopes}))
        ids = [lesson.lesson_id for lesson in plan]
        gone = {*await forgettings.forgotten(connection, token.house_id, ids)}
        usable = {
            scope: await projects.usable(connection, token.house_id, {scope, houses.SHARED})
            for scope in sorted({lesson.scope for lesson in plan} & {*open_scopes})
        }
    rejected = tuple(
        Rejection(
            file=file, record=lesson.position, title=lesson.record.title, field=f, problem=problem
        )
        for lesson in plan
        for f, problem in _problems(lesson, titles, usable, gone)
    )
    if rejected:
        return ImportReport(imported=0, unchanged=0, rejected=rejected)
    running = _Import(runtime, token, pack.pack.id, titles, at)
    imported = 0
    for start in range(0, len(plan), BATCH):
        batch = plan[start : start + BATCH]
        imported += await unraced(partial(_import_batch, running, batch))
        progress(start + len(batch), len(plan))
    return ImportReport(imported=imported, unchanged=len(plan) - imported)


def _problems(
    lesson: PlannedLesson,
    titles: Mapping[str, PlannedLesson],
    usable: Mapping[str, Collection[str]],
    gone: Collection[str],
) -> Iterator[tuple[str, str]]:
    """What is wrong with a record in this House: pairs of field and problem.

    `usable` holds the scopes open to the caller, each with the projects that may be named there;
    `gone` the lessons that were forgotten.
    """
    record = lesson.record
    if titles[record.title] is not lesson:
        yield "title", f"the title stands in record {titles[record.title].position} already"
    if lesson.scope not in usable:
        yield "scope", f"`{record.scope}` is not open to you for import"
    elif lesson.lesson_id in gone:
        yield "title", "the lesson was forgotten; leave it out, or give it another title"
    elif record.project is not None and record.project not in usable[lesson.scope]:
        yield "project", f"project `{record.project}` is not registered"
    for field, title in (
        ("negation_of_title", record.negation_of_title),
        ("superseded_by_title", record.superseded_by_title),
    ):
        if title is not None and title not in titles:
            yield field, f"no lesson of the file has the title `{title}`"


async def _import_batch(running: _Import, batch: Sequence[PlannedLesson]) -> int:
    """Write one batch in one transaction; the number of lessons that it changed."""
    house_id = running.token.house_id
    async with running.runtime.database.changing(house_id, []) as connection:
        await contents.keep_from_forgetting(connection, house_id)
        caller = await authorize(running.runtime, connection, running.token, running.at)
        await narrow(connection, house_id, sorted({*caller.readable, *caller.scopes_of("import")}))
        await lessons.hold_pack(connection, house_id, running.pack_id)
        known = await lessons.latest(connection, house_id, [p.lesson_id for p in batch])
        changed = [_change(p, known.get(p.lesson_id), caller) for p in batch]
        for scope in sorted({p.scope for p in batch}):
            mine = [c for c in changed if c is not None and c.lesson.scope == scope]
            if mine:
                await _write_scope(running, connection, caller, scope, mine)
        done = [c.lesson.lesson_id for c in changed if c is not None]
        await facts.advance(connection, done)
        await lessons.index(connection, house_id, done)
    return len(done)


@dataclass(frozen=True, slots=True)
class _Change:
    """What an import does to one lesson: a new version, or authority over the last one."""

    lesson: PlannedLesson
    version: int
    is_new: bool


def _change(lesson: PlannedLesson, last: lessons.Latest | None, caller: Caller) -> _Change | None:
    """The change that a record makes; None iff the House holds it as it is."""
    if last is None:
        return _Change(lesson, lesson.record.version, is_new=True)
    if last.is_forgotten:
        return None
    if lesson.source_digest not in (last.source_digest, last.imported_digest):
        return _Change(lesson, max(lesson.record.version, last.version + 1), is_new=True)
    waits = not last.is_reviewed and lesson.record.review != "unreviewed"
    if waits and caller.may("promote", lesson.scope):
        return _Change(lesson, last.version, is_new=False)
    return None


async def _write_scope(
    running: _Import,
    connection: Connection,
    caller: Caller,
    scope: str,
    changes: Sequence[_Change],
) -> None:
    """Append new versions inside one scope, and authority where the caller may give it."""
    house_id, subject = caller.house_id, f"{running.subject}: {changes[0].lesson.lesson_id}"
    new = [change for change in changes if change.is_new]
    if new:
        act = await record_act(connection, caller, Deed("import", [scope], subject))
        await _write_versions(running, connection, house_id, act, new)
    if caller.may("promote", scope):
        promotion = await record_act(connection, caller, Deed("promote", [scope], subject))
        records = [authority_row(change.lesson, change.version) for change in changes]
        given = [record for record in records if record is not None]
        await lessons.add_authority(connection, house_id, promotion, given)


async def _write_versions(
    running: _Import, connection: Connection, house_id: UUID, act: UUID, new: Sequence[_Change]
) -> None:
    """Append versions with their texts and links.

    Lessons that they refer to get their identity here too, since a later batch may hold them.
    """
    titles = running.titles
    named = {t.lesson_id: t for change in new for t in targets(change.lesson, titles)}
    identities = {**named, **{change.lesson.lesson_id: change.lesson for change in new}}
    await lessons.add_identities(
        connection, house_id, act, [lesson.identity for lesson in identities.values()]
    )
    for change in new:
        await contents.keep(connection, house_id, change.lesson.scope, texts(change.lesson))
    versions = [version_row(change.lesson, change.version) for change in new]
    await lessons.add_versions(connection, house_id, act, versions)
    links = [link for c in new for link in link_rows(c.lesson, c.version, titles)]
    await lessons.add_links(connection, house_id, act, links)
