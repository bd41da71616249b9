"""Lessons one by one: read, made, reviewed, updated, superseded, forgotten."""

import re
from typing import Annotated, Literal

from litestar import Controller, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, RULES, TOKEN, documented
from api.http.windows import Cursor, Limit
from contracts import (
    LessonDetail,
    LessonForgetting,
    LessonForgotten,
    LessonPage,
    LessonReview,
    LessonReviewed,
    LessonSuperseded,
    LessonSupersession,
    LessonUpdate,
    LessonWritten,
    NewLesson,
    PacketForgetting,
)
from house import (
    USUAL_ITEMS,
    FieldRefusedError,
    Window,
    create_lesson,
    forget_lesson,
    list_lessons,
    read_lesson,
    review_lesson,
    supersede_lesson,
    update_lesson,
)
from store import lessons

_SCOPE = re.compile(r"shared|room:[a-z0-9][a-z0-9_-]{0,63}")
Scope = Annotated[str | None, QueryParameter(name="scope")]
Kind = Literal["coding_lesson", "project_lesson"]
Stands = Literal["promoted", "dismissed", "archived", "unreviewed"]


class Lessons(Controller):
    """`/v1/lessons`."""

    path = "/v1/lessons"
    tags = ["lessons"]

    @get(responses=documented(*LIST, "field_refused"))
    async def page(
        self,
        access: Authenticated,
        *,
        limit: Limit = USUAL_ITEMS,
        cursor: Cursor = None,
        kind: FromQuery[Kind | None] = None,
        inside: Scope = None,
        disposition: FromQuery[Stands | None] = None,
    ) -> LessonPage:
        """List the lessons that the caller may read, by id, each in the version that speaks for it.

        A cursor goes on with the same choice of kind, scope and disposition, and no other.
        """
        if inside is not None and not _SCOPE.fullmatch(inside):
            raise FieldRefusedError("scope", "it is `shared`, or `room:` and the key of a room")
        choice = lessons.Choice(kind, inside, disposition)
        window = Window(limit, cursor)
        return await list_lessons(access.runtime, access.token, choice, window, access.at)

    @post(
        status_code=200,
        responses=documented(*CHANGES, "field_refused", "lesson_exists", "lesson_forgotten"),
    )
    async def create(self, data: JSONBody[NewLesson], access: Authenticated) -> LessonWritten:
        """Make one lesson: promoted where the caller may promote, else unreviewed."""
        return await create_lesson(access.runtime, access.call(data), data)

    @get("/{lesson_id:str}", responses=documented(*TOKEN, *RULES, "not_found"))
    async def lesson(self, lesson_id: FromPath[str], access: Authenticated) -> LessonDetail:
        """Read one lesson with its versions, the decisions about them, and its links."""
        return await read_lesson(access.runtime, access.token, lesson_id, access.at)

    @put(
        "/{lesson_id:str}",
        responses=documented(
            *CHANGES,
            *("not_found", "field_refused", "stale_title", "stale_baseline", "superseded"),
            *("identity_differs", "lesson_forgotten"),
        ),
    )
    async def update(
        self, lesson_id: FromPath[str], data: JSONBody[LessonUpdate], access: Authenticated
    ) -> LessonWritten:
        """Give a lesson a new version, promoted; its identity stays, its title may change."""
        return await update_lesson(access.runtime, access.call(data), lesson_id, data)

    @post(
        "/{lesson_id:str}/review",
        status_code=200,
        responses=documented(
            *CHANGES, "not_found", "stale_review", "transition_refused", "lesson_forgotten"
        ),
    )
    async def review(
        self, lesson_id: FromPath[str], data: JSONBody[LessonReview], access: Authenticated
    ) -> LessonReviewed:
        """Decide about a version of a lesson, after the decision that `previous` names."""
        return await review_lesson(access.runtime, access.call(data), lesson_id, data)

    @post(
        "/{lesson_id:str}/supersede",
        status_code=200,
        responses=documented(
            *CHANGES,
            *("not_found", "field_refused", "stale_baseline", "superseded", "successor_refused"),
            *("circle", "lesson_exists", "lesson_forgotten"),
        ),
    )
    async def supersede(
        self, lesson_id: FromPath[str], data: JSONBody[LessonSupersession], access: Authenticated
    ) -> LessonSuperseded:
        """Let a lesson give way to another one, or to one that is made with it."""
        return await supersede_lesson(access.runtime, access.call(data), lesson_id, data)

    @post(
        "/{lesson_id:str}/forget",
        status_code=200,
        responses=documented(*CHANGES, "not_found", "stale_title"),
    )
    async def forget(
        self, lesson_id: FromPath[str], data: JSONBody[LessonForgetting], access: Authenticated
    ) -> LessonForgotten:
        """Delete what a lesson said, in every version; only its id stays.

        Under an idempotency key the title does not count: no digest of it outlives the lesson.
        """
        call = access.call(PacketForgetting(reason=data.reason))
        return await forget_lesson(access.runtime, call, lesson_id, data)
