"""Finding the lesson that a command is about, and holding it until the command is done."""

from house.answers import NotFoundError, findable
from house.authorization import Caller
from house.commands import ConflictError
from store import Connection, contents, lesson_history, lessons, one_at_a_time


class LessonForgottenError(ConflictError):
    """Nothing can be done to a lesson of which only the id is left."""

    def __init__(self, lesson_id: str) -> None:
        super().__init__("lesson_forgotten", f"lesson `{lesson_id}` was forgotten")


class StaleBaselineError(ConflictError):
    """The version that the caller read is not the one that speaks for the lesson now."""

    def __init__(self, lesson_id: str, present: int) -> None:
        message = f"version {present} of lesson `{lesson_id}` stands now"
        super().__init__("stale_baseline", message)


class StaleTitleError(ConflictError):
    """The lesson has another title than the caller takes it to have."""

    def __init__(self, lesson_id: str) -> None:
        super().__init__("stale_title", f"lesson `{lesson_id}` has another title")


class SupersededError(ConflictError):
    """A lesson that gave way is history: it neither changes nor gives way again."""

    def __init__(self, lesson_id: str, successor_id: str) -> None:
        message = f"lesson `{lesson_id}` has given way to lesson `{successor_id}`"
        super().__init__("superseded", message)


async def visible_lesson(
    connection: Connection, caller: Caller, lesson_id: str
) -> lesson_history.Known:
    """The lesson of that id; raises `NotFoundError` iff the caller can see none."""
    name = findable("lesson", lesson_id)
    found = await lesson_history.known(connection, caller.house_id, name)
    if found is None:
        raise NotFoundError("lesson", lesson_id)
    return found


async def hold_lesson(connection: Connection, caller: Caller, lesson_id: str) -> None:
    """Let nobody else review, change, supersede or forget the lesson before this transaction ends.

    Raises `LessonForgottenError`.
    """
    await contents.keep_from_forgetting(connection, caller.house_id)
    await one_at_a_time(connection, caller.house_id, lesson_id)
    found = await lesson_history.known(connection, caller.house_id, lesson_id)
    if found is not None and found.is_forgotten:
        raise LessonForgottenError(lesson_id)


async def present_version(
    connection: Connection, caller: Caller, lesson_id: str, baseline: int
) -> lessons.Standing:
    """The version that speaks for a held lesson, which has not given way.

    Raises `NotFoundError`, `SupersededError`, and `StaleBaselineError` iff it is not the baseline.
    """
    found = await lessons.standing(connection, caller.house_id, lesson_id)
    if found is None:
        raise NotFoundError("lesson", lesson_id)
    if found.successor_id is not None:
        raise SupersededError(lesson_id, found.successor_id)
    if found.version != baseline:
        raise StaleBaselineError(lesson_id, found.version)
    return found
