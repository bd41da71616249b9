"""From records of lessons to the rows of the lesson ledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import rfc8785

from contracts import Decision, LessonPack, LessonRecord
from engine import digest
from store import contents, houses, lessons

_NO_PACK = ""  # no import file can have this id


@dataclass(frozen=True, slots=True)
class PlannedLesson:
    """A record of the file with the identity of its lesson and the digest of what it says."""

    position: int
    record: LessonRecord
    lesson_id: str
    source_digest: str

    @property
    def scope(self) -> str:
        """The scope that the lesson lies in."""
        return houses.scope_of(self.record.scope)

    @property
    def identity(self) -> lessons.Lesson:
        """The row of its identity."""
        return lessons.Lesson(self.lesson_id, self.record.kind, self.scope, self.record.project)


def planned(house_id: UUID, pack: LessonPack) -> list[PlannedLesson]:
    """The records of a pack in file order, each with its identity in the House."""
    return [
        planned_version(record, _lesson_id(house_id, pack.pack.id, record), position)
        for position, record in enumerate(pack.lessons)
    ]


def planned_alone(house_id: UUID, record: LessonRecord) -> PlannedLesson:
    """A record of no pack with its identity in the House."""
    return planned_version(record, _lesson_id(house_id, _NO_PACK, record))


def planned_version(record: LessonRecord, lesson_id: str, position: int = 0) -> PlannedLesson:
    """A record as what a lesson is to say, whatever that lesson was called before."""
    return PlannedLesson(position, record, lesson_id, _source_digest(record))


def by_title(plan: Iterable[PlannedLesson]) -> dict[str, PlannedLesson]:
    """The planned lessons by title; the first one wins where titles repeat."""
    found: dict[str, PlannedLesson] = {}
    for lesson in plan:
        found.setdefault(lesson.record.title, lesson)
    return found


def targets(lesson: PlannedLesson, titles: Mapping[str, PlannedLesson]) -> list[PlannedLesson]:
    """The lessons that a lesson refers to."""
    names = (lesson.record.negation_of_title, lesson.record.superseded_by_title)
    return [titles[name] for name in names if name is not None]


def version_row(lesson: PlannedLesson, version: int) -> lessons.Version:
    """The row of a version of a lesson."""
    record, scope = lesson.record, lesson.scope
    trigger, source = record.trigger, record.source
    return lessons.Version(
        lesson_id=lesson.lesson_id,
        version=version,
        source_digest=lesson.source_digest,
        scope=scope,
        title_id=contents.content_of(scope, record.title).content_id,
        rule_id=contents.content_of(scope, record.lesson).content_id,
        trigger_context_id=_text_id(scope, record.trigger_context),
        proof_pattern_id=_text_id(scope, record.proof_pattern),
        shape=record.shape,
        voice=record.voice,
        always_on=record.always_on,
        tags=list(record.tags),
        stages=list(record.stages),
        registers=list(record.registers),
        languages=list(record.languages),
        technologies=list(record.technologies),
        threads=list(record.threads),
        trigger_condition_id=_text_id(scope, trigger.condition if trigger else None),
        trigger_ast_condition_id=_text_id(scope, trigger.ast_condition if trigger else None),
        trigger_scope=trigger.scope if trigger else None,
        trigger_interrupt=trigger.interrupt if trigger else None,
        trigger_cooldown_seconds=trigger.cooldown_seconds if trigger else None,
        source_path_id=_text_id(scope, source.path if source else None),
        source_first_line=source.first_line if source else None,
        source_last_line=source.last_line if source else None,
    )


def texts(lesson: PlannedLesson) -> list[contents.Content]:
    """All free text of a lesson."""
    return [contents.content_of(lesson.scope, text) for text in _texts(lesson.record)]


def link_rows(
    lesson: PlannedLesson, version: int, titles: Mapping[str, PlannedLesson]
) -> Sequence[lessons.Link]:
    """The links of a version to the lessons that its record names by title."""
    named = (
        ("negation_of", lesson.record.negation_of_title),
        ("superseded_by", lesson.record.superseded_by_title),
    )
    return [
        lessons.Link(lesson.lesson_id, version, kind, titles[title].lesson_id)
        for kind, title in named
        if title is not None
    ]


def authority_row(lesson: PlannedLesson, version: int) -> lessons.Authority | None:
    """The first authority record over a version; None for one that is to stay unreviewed."""
    disposition = lesson.record.review
    if disposition == "unreviewed":
        return None
    row = version_row(lesson, version)
    return following_authority(row, disposition, None)


def following_authority(
    row: lessons.Version, disposition: Decision, previous: str | None
) -> lessons.Authority:
    """The authority record over a version that follows another, or none.

    Its id is made of its place alone, so that it keeps nothing of what the version says.
    """
    name = digest(["authority", row.lesson_id, row.version, disposition, previous or ""])
    return lessons.Authority(
        record_id=f"authority-{name[:24]}",
        lesson_id=row.lesson_id,
        version=row.version,
        disposition=disposition,
        source_digest=row.source_digest,
        previous=previous,
    )


def _texts(record: LessonRecord) -> Iterator[str]:
    trigger, source = record.trigger, record.source
    optional = (
        record.trigger_context,
        record.proof_pattern,
        trigger.condition if trigger else None,
        trigger.ast_condition if trigger else None,
        source.path if source else None,
    )
    yield from (record.title, record.lesson)
    yield from (text for text in optional if text is not None)


def _text_id(scope: str, text: str | None) -> str | None:
    return None if text is None else contents.content_of(scope, text).content_id


def _lesson_id(house_id: UUID, pack_id: str, record: LessonRecord) -> str:
    parts = [record.kind, record.scope, record.project or "", record.title]
    return "lesson-" + digest(["lesson", str(house_id), pack_id, *parts])[:24]


def _source_digest(record: LessonRecord) -> str:
    return digest(["record", rfc8785.dumps(record.model_dump(mode="json")).decode()])
