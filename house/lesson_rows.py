"""From the records of an import file to the rows of the lesson ledger."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import rfc8785

from contracts import LessonPack, LessonRecord
from engine import digest
from store import contents, houses, lessons


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
        PlannedLesson(position, record, _lesson_id(house_id, pack, record), _source_digest(record))
        for position, record in enumerate(pack.lessons)
    ]


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
    name = digest(["authority", lesson.lesson_id, version, disposition, lesson.source_digest])
    return lessons.Authority(
        record_id=f"authority-{name[:24]}",
        lesson_id=lesson.lesson_id,
        version=version,
        disposition=disposition,
        source_digest=lesson.source_digest,
        previous=None,
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


def _lesson_id(house_id: UUID, pack: LessonPack, record: LessonRecord) -> str:
    parts = [record.kind, record.scope, record.project or "", record.title]
    return "lesson-" + digest(["lesson", str(house_id), pack.pack.id, *parts])[:24]


def _source_digest(record: LessonRecord) -> str:
    return digest(["record", rfc8785.dumps(record.model_dump(mode="json")).decode()])
