"""Import of lessons."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from litestar import Controller, Request, Response, post
from litestar.exceptions import ValidationException
from litestar.params import FromQuery, JSONBody
from pydantic import TypeAdapter, ValidationError

from api.http.access import Authenticated
from api.http.bodies import MAX_IMPORT_BYTES, RepeatedNameError, UnreadableBodyError, body_of
from api.http.problems import RULES, TOKEN, WRITES, documented, problem
from api.http.refusals import findings, on_repeated, repetitions
from contracts import ImportReport, LessonPack, Rejection, Title
from house import import_lessons

_TITLES: Final[TypeAdapter[str]] = TypeAdapter(Title)


def _refused(rejected: Sequence[Rejection]) -> Response[dict[str, Any]]:
    """The answer to a pack with wrong records: nothing of it was stored."""
    first = rejected[0]
    detail = f"record {first.record}, field `{first.field}`: {first.problem}"
    return problem("rejected", detail, rejected=_rows(rejected))


def _rows(rejected: Sequence[Rejection]) -> list[dict[str, Any]]:
    return [rejection.model_dump(mode="json") for rejection in rejected]


def _on_invalid(
    request: Request[Any, Any, Any], cause: ValidationException
) -> Response[dict[str, Any]]:
    """Findings about the body as rejections of records."""
    found = findings(cause) or [{"field": "", "message": "malformed input"}]
    return _refused(_rejections(request, found))


def _on_unreadable(
    request: Request[Any, Any, Any], cause: UnreadableBodyError
) -> Response[dict[str, Any]]:
    """A body that is no JSON as a rejection of the file."""
    return _refused(_rejections(request, [{"field": "", "message": str(cause.detail)}]))


def _on_repeated(
    request: Request[Any, Any, Any], cause: RepeatedNameError
) -> Response[dict[str, Any]]:
    """Names that stand twice, as everywhere, and as rejections of records beside it."""
    answer = on_repeated(request, cause)
    answer.content["rejected"] = _rows(_rejections(request, repetitions(cause)))
    return answer


def _rejections(
    request: Request[Any, Any, Any], found: Sequence[Mapping[str, str]]
) -> list[Rejection]:
    """Findings as rejections: `lessons.3.tags.0` is about record 3, any other about the file."""
    file = request.query_params.get("file", "body")
    return [_rejection(request, file, f["field"], f["message"]) for f in found]


def _rejection(request: Request[Any, Any, Any], file: str, place: str, message: str) -> Rejection:
    parts = place.split(".")
    record, field, title = -1, place, None
    if parts[0] == "lessons" and len(parts) > 1 and parts[1].isdecimal():
        record, field = int(parts[1]), ".".join(parts[2:]) or "record"
        title = _title(body_of(request), record)
    return Rejection(file=file, record=record, title=title, field=field, problem=message)


def _title(body: Any, record: int) -> str | None:
    """The title of a record in a body that was refused, None iff it has none that is one."""
    try:
        return _TITLES.validate_python(body["lessons"][record]["title"], strict=True)
    except (ValidationError, LookupError, TypeError):
        return None


class Imports(Controller):
    """`/v1/lessons/import`."""

    path = "/v1/lessons"
    tags = ["lessons"]
    exception_handlers: Any = {
        ValidationException: _on_invalid,
        UnreadableBodyError: _on_unreadable,
        RepeatedNameError: _on_repeated,
    }

    @post(
        "/import",
        status_code=200,
        request_max_body_size=MAX_IMPORT_BYTES,
        responses=documented(*TOKEN, *RULES, *WRITES, "repeated", "too_large", "rejected"),
    )
    async def import_pack(
        self, data: JSONBody[LessonPack], access: Authenticated, file: FromQuery[str] = "body"
    ) -> ImportReport | Response[dict[str, Any]]:
        """Import a pack of lessons; the whole of it is checked before anything is written."""
        report = await import_lessons(access.runtime, access.token, data, file, access.at)
        return _refused(report.rejected) if report.rejected else report
