"""Import of lessons."""

from typing import Any

from litestar import Controller, Request, Response, post
from litestar.exceptions import ValidationException
from litestar.params import FromQuery, JSONBody

from api.http.access import Authenticated
from api.http.bodies import UnreadableBodyError
from api.http.problems import findings, problem
from contracts import ImportReport, LessonPack, Rejection
from house import import_lessons

_MAX_BODY_BYTES = 64 * 1024 * 1024


def _refused(rejected: tuple[Rejection, ...]) -> Response[dict[str, Any]]:
    """The answer to a pack with wrong records: nothing of it was stored."""
    first = rejected[0]
    return problem(
        422,
        "rejected",
        "records rejected, nothing stored",
        f"record {first.record}, field `{first.field}`: {first.problem}",
        rejected=[rejection.model_dump(mode="json") for rejection in rejected],
    )


def _on_invalid(
    request: Request[Any, Any, Any], cause: ValidationException
) -> Response[dict[str, Any]]:
    """Findings about the body as rejections of records."""
    file = request.query_params.get("file", "body")
    return _refused(
        tuple(_rejection(file, f["field"], f["message"]) for f in findings(cause))
        or (Rejection(file=file, record=-1, title=None, field="", problem="malformed input"),)
    )


def _on_unreadable(
    request: Request[Any, Any, Any], cause: UnreadableBodyError
) -> Response[dict[str, Any]]:
    """A body that is no JSON as a rejection of the file."""
    file = request.query_params.get("file", "body")
    return _refused(
        (Rejection(file=file, record=-1, title=None, field="", problem=str(cause.detail)),)
    )


def _rejection(file: str, key: str, message: str) -> Rejection:
    """A finding at `lessons.3.tags.0` is one of record 3; any other is one of the file."""
    parts = key.split(".")
    if parts[0] == "lessons" and len(parts) > 1 and parts[1].isdigit():
        field = ".".join(parts[2:]) or "record"
        return Rejection(file=file, record=int(parts[1]), title=None, field=field, problem=message)
    return Rejection(file=file, record=-1, title=None, field=key, problem=message)


class Imports(Controller):
    """`/v1/lessons/import`."""

    path = "/v1/lessons"
    tags = ["lessons"]
    exception_handlers: Any = {
        ValidationException: _on_invalid,
        UnreadableBodyError: _on_unreadable,
    }

    @post("/import", status_code=200, request_max_body_size=_MAX_BODY_BYTES)
    async def import_pack(
        self, data: JSONBody[LessonPack], access: Authenticated, file: FromQuery[str] = "body"
    ) -> ImportReport | Response[dict[str, Any]]:
        """Import a pack of lessons; the whole of it is checked before anything is written."""
        report = await import_lessons(access.runtime, access.token, data, file, access.at)
        return _refused(report.rejected) if report.rejected else report
