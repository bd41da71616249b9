"""Reviews: somebody with authority decides about one version of a lesson.

A review names the record that it follows, so that of two reviewers who decide at once one is told
what the other decided. `contracts.TRANSITIONS` says which decision may follow which.
"""

from uuid import UUID

from contracts import TRANSITIONS, Decision, LessonReview, LessonReviewed
from house.answers import NotFoundError
from house.authorization import Caller, Deed
from house.commands import Call, ConflictError, Result, Written, perform
from house.lesson_lookup import hold_lesson, visible_lesson
from house.lesson_rows import following_authority
from house.runtime import Runtime
from store import Connection, lesson_history, lessons

_WHY = {
    (None, "archived"): "nobody stood behind it, so it was never true",
    ("dismissed", "archived"): "what is refused was never true: promote it first",
    ("archived", "dismissed"): "what was true once cannot have been refused: promote it first",
}


class StaleReviewError(ConflictError):
    """The review follows a record that is not the last one over the version."""

    def __init__(self, present: lesson_history.Disposed | None) -> None:
        if present is None:
            message = "no review came before: `previous` is null"
        else:
            message = f"the last review is `{present.record_id}`: {present.disposition}"
        super().__init__("stale_review", message)


class TransitionRefusedError(ConflictError):
    """The decision may not follow the one that stands."""

    def __init__(self, present: str | None, wanted: Decision) -> None:
        why = _WHY.get((present, wanted), f"it is {wanted} already")
        message = f"{present or 'unreviewed'} does not become {wanted}: {why}"
        super().__init__("transition_refused", message)


async def review_lesson(
    runtime: Runtime, call: Call, lesson_id: str, wanted: LessonReview
) -> LessonReviewed:
    """Decide about a version of a lesson.

    Raises `NotFoundError`, `DeniedError`, `StaleReviewError`, `TransitionRefusedError`,
    `LessonForgottenError`.
    """

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await visible_lesson(connection, caller, lesson_id)
        subject = f"review of {lesson_id}@{wanted.version}: {wanted.disposition}"
        return Deed("promote", [found.scope], subject, wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await hold_lesson(connection, caller, lesson_id)
        await _version(connection, caller, lesson_id, wanted.version)
        past = await lesson_history.disposed(connection, caller.house_id, lesson_id)
        over = [record for record in past if record.version == wanted.version]
        _demand_transition(over[-1] if over else None, wanted)
        return None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        row = await _version(connection, caller, lesson_id, wanted.version)
        record = following_authority(row, wanted.disposition, wanted.previous)
        await lessons.add_authority(connection, caller.house_id, act, [record])
        told = {
            "lesson_id": lesson_id,
            "version": wanted.version,
            "record_id": record.record_id,
            "disposition": wanted.disposition,
        }
        return Written(told, [lesson_id], [lesson_id])

    return LessonReviewed.model_validate(await perform(runtime, call, asking, write, standing))


async def _version(
    connection: Connection, caller: Caller, lesson_id: str, version: int
) -> lessons.Version:
    found = await lessons.versions(connection, caller.house_id, [(lesson_id, version)])
    if not found:
        raise NotFoundError("version", f"{lesson_id}@{version}")
    return found[0]


def _demand_transition(present: lesson_history.Disposed | None, wanted: LessonReview) -> None:
    if wanted.previous != (None if present is None else present.record_id):
        raise StaleReviewError(present)
    last = None if present is None else present.disposition
    if wanted.disposition not in TRANSITIONS[last]:
        raise TransitionRefusedError(last, wanted.disposition)
