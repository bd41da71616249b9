"""Lessons as they are read: in a list, and one with its past."""

from datetime import datetime
from typing import Literal

from contracts.lesson_changes import Decision
from contracts.lessons import LessonRecord
from contracts.texts import Contract


class LessonItem(Contract):
    """A lesson by the version that speaks for it; `disposition` null: nobody has decided about it.

    `waiting_version` is a later version that waits for a review. `record` can be imported, or sent
    back as an update; a link to a lesson out of sight is not in it.
    """

    lesson_id: str
    version: int
    kind: str
    scope: str
    project: str | None
    disposition: Decision | None
    record_id: str | None
    successor_id: str | None
    waiting_version: int | None
    title: str
    record: LessonRecord


class LessonPage(Contract):
    """Lessons by id, and where the list goes on; null iff it ends here."""

    items: tuple[LessonItem, ...]
    next_cursor: str | None


class LessonDisposition(Contract):
    """A decision about a version: by whom, on what basis, why, and which one it follows."""

    record_id: str
    disposition: Decision
    previous: str | None
    by: str
    basis: str
    reason: str
    at: datetime


class LessonLink(Contract):
    """A version says the opposite of another lesson, or names the one that it gives way to."""

    kind: Literal["negation_of", "superseded_by"]
    lesson_id: str


class LessonVersion(Contract):
    """One version: what it says, who wrote it, and what was decided about it, in order."""

    version: int
    by: str
    reason: str
    at: datetime
    record: LessonRecord
    dispositions: tuple[LessonDisposition, ...]
    links: tuple[LessonLink, ...]


class LessonGivenWay(Contract):
    """How a lesson gave way to another by a record of its own."""

    successor_id: str
    baseline_version: int
    record_id: str
    evidence_refs: tuple[str, ...]
    by: str
    reason: str
    at: datetime


class LessonDetail(LessonItem):
    """A lesson with its versions by number, the last 200 at most."""

    versions: tuple[LessonVersion, ...]
    supersession: LessonGivenWay | None
