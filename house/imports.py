"""Import lessons: a deliberate write, in batches, that may be repeated without effect.

A lesson is the same lesson when House, pack, scope, project, kind and title agree; when its source
digest differs from the one of its current version, it gets a new version. Who may `promote` in a
scope gives each lesson an authority record; without that right it lands unreviewed.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeAlias

from contracts import ImportReport, LessonPack, Rejection
from house.authorization import Caller, DeniedError, authorize, record_act
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
from store import Connection, contents, grants, houses, lessons, narrow

BATCH = 500
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _Import:
    """One import under way."""

    runtime: Runtime
    token: grants.Token
    titles: Mapping[str, PlannedLesson]
    subject: str
    at: datetime


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
        projects = await houses.projects(connection, token.house_id)
    open_scopes = caller.scopes_of("import")
    if not open_scopes:
        raise DeniedError("import")
    rejected = tuple(
        Rejection(
            file=file, record=lesson.position, title=lesson.record.title, field=f, problem=problem
        )
        for lesson in plan
        for f, problem in _problems(lesson, titles, open_scopes, projects)
    )
    if rejected:
        return ImportReport(imported=0, unchanged=0, rejected=rejected)
    running = _Import(runtime, token, titles, f"import of pack {pack.pack.id}", at)
    imported = 0
    for start in range(0, len(plan), BATCH):
        batch = plan[start : start + BATCH]
        imported += await unraced(partial(_import_batch, running, batch))
        progress(start + len(batch), len(plan))
    return ImportReport(imported=imported, unchanged=len(plan) - imported)


def _problems(
    lesson: PlannedLesson,
    titles: Mapping[str, PlannedLesson],
    open_scopes: Collection[str],
    projects: Collection[str],
) -> Iterator[tuple[str, str]]:
    """What is wrong with a record in this House: pairs of field and problem."""
    record = lesson.record
    if titles[record.title] is not lesson:
        yield "title", f"the title stands in record {titles[record.title].position} already"
    if lesson.scope not in open_scopes:
        yield "scope", f"`{record.scope}` is not open to you for import"
    if record.project is not None and record.project not in projects:
        yield "project", f"project `{record.project}` is not registered"
    for field, title in (
        ("negation_of_title", record.negation_of_title),
        ("superseded_by_title", record.superseded_by_title),
    ):
        if title is not None and title not in titles:
            yield field, f"no lesson of the file has the title `{title}`"


async def _import_batch(running: _Import, batch: Sequence[PlannedLesson]) -> int:
    """Write one batch in one transaction; the number of lessons that got a new version."""
    house_id = running.token.house_id
    async with running.runtime.database.inside(house_id, []) as connection:
        caller = await authorize(running.runtime, connection, running.token, running.at)
        await narrow(connection, house_id, sorted({*caller.readable, *caller.scopes_of("import")}))
        known = {c.lesson_id: c for c in await lessons.current(connection, house_id)}
        changed = [
            (lesson, _next_version(lesson, known.get(lesson.lesson_id)))
            for lesson in batch
            if lesson.lesson_id not in known
            or known[lesson.lesson_id].source_digest != lesson.source_digest
        ]
        for scope in sorted({lesson.scope for lesson, _ in changed}):
            mine = [(lesson, version) for lesson, version in changed if lesson.scope == scope]
            await _write_scope(running, connection, caller, scope, mine)
        await lessons.index(connection, house_id, [lesson.lesson_id for lesson, _ in changed])
    return len(changed)


def _next_version(lesson: PlannedLesson, current: lessons.Current | None) -> int:
    return max(lesson.record.version, current.version + 1 if current else 1)


async def _write_scope(
    running: _Import,
    connection: Connection,
    caller: Caller,
    scope: str,
    changed: Sequence[tuple[PlannedLesson, int]],
) -> None:
    """Append new versions inside one scope, with authority where the caller may give it.

    Lessons that they refer to get their identity here too, since a later batch may hold them.
    """
    house_id, subject = caller.house_id, f"{running.subject}: {changed[0][0].lesson_id}"
    act = await record_act(connection, caller, "import", scope, subject)
    named = {t.lesson_id: t for lesson, _ in changed for t in targets(lesson, running.titles)}
    identities = {**named, **{lesson.lesson_id: lesson for lesson, _ in changed}}
    await lessons.add_identities(
        connection, house_id, act, [lesson.identity for lesson in identities.values()]
    )
    await contents.keep(connection, house_id, scope, [t for p, _ in changed for t in texts(p)])
    await lessons.add_versions(
        connection, house_id, act, [version_row(lesson, version) for lesson, version in changed]
    )
    await lessons.add_links(
        connection,
        house_id,
        act,
        [link for lesson, v in changed for link in link_rows(lesson, v, running.titles)],
    )
    if caller.may("promote", scope):
        promotion = await record_act(connection, caller, "promote", scope, subject)
        records = [authority_row(lesson, version) for lesson, version in changed]
        given = [(scope, record) for record in records if record is not None]
        await lessons.add_authority(connection, house_id, promotion, given)
