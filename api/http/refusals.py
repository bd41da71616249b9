"""How each cause of a refusal is answered: the handlers that the application hangs in."""

import traceback
from typing import Any, Final

import structlog
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from pydantic import BaseModel, TypeAdapter

from api.http.bodies import RepeatedNameError, UnreadableBodyError
from api.http.problems import CAUSES, answer, kind_of, printable, problem
from api.http.request_ids import request_id
from house import UnauthenticatedError

_LOG: structlog.stdlib.BoundLogger = structlog.get_logger()


class _Finding(BaseModel):
    """What the framework says of one place in a body."""

    message: str
    key: str = ""


def on_known(_: Request[Any, Any, Any], cause: Exception) -> Response[dict[str, Any]]:
    """The answer to a cause that the table knows."""
    refusal = answer(kind_of(cause), str(cause))
    if isinstance(cause, UnauthenticatedError):
        refusal.headers["WWW-Authenticate"] = "Bearer"
    return refusal


def findings(cause: ValidationException) -> list[dict[str, str]]:
    """What is wrong with a body: field and message of each finding, never the values sent."""
    found = TypeAdapter(list[_Finding]).validate_python(cause.extra or [])
    return [_in_our_words(finding) for finding in found]


def _in_our_words(finding: _Finding) -> dict[str, str]:
    if (finding.key, finding.message) == ("data", "'data'"):  # the framework's word for no body
        return {"field": "", "message": "a JSON body is needed"}
    message = finding.message.removeprefix("Value error, ")
    return {"field": printable(finding.key), "message": message}


def repetitions(cause: RepeatedNameError) -> list[dict[str, str]]:
    """The places of a body where a name stands for the second time."""
    message = "the name stands twice in one object"
    return [{"field": printable(place), "message": message} for place in cause.places]


def on_invalid(_: Request[Any, Any, Any], cause: ValidationException) -> Response[dict[str, Any]]:
    """The answer to a body or parameter that does not fit its contract."""
    return _of_findings("invalid", findings(cause))


def on_repeated(_: Request[Any, Any, Any], cause: RepeatedNameError) -> Response[dict[str, Any]]:
    """The answer to a body in which a name stands twice: which of the two counts nobody knows."""
    return _of_findings("repeated", repetitions(cause))


def _of_findings(code: str, found: list[dict[str, str]]) -> Response[dict[str, Any]]:
    places = [f"`{f['field']}`" if f["field"] else "body" for f in found]
    detail = "; ".join(f"{place}: {f['message']}" for place, f in zip(places, found, strict=True))
    location = found[0]["field"] if found else None
    return problem(code, detail or "malformed input", location=location, errors=found)


def on_http(_: Request[Any, Any, Any], cause: HTTPException) -> Response[dict[str, Any]]:
    """The answer to what the framework refuses by itself."""
    if isinstance(cause, NotFoundException):
        return problem("no_route", "there is nothing at this address")
    if isinstance(cause, MethodNotAllowedException):
        refusal = problem("method", "this address takes another method")
        refusal.headers["Allow"] = (cause.headers or {}).get("allow", "")
        return refusal
    if isinstance(cause, RequestEntityTooLarge):
        return problem("too_large", "the body is larger than allowed")
    if isinstance(cause, UnreadableBodyError):
        return problem("malformed", f"body: {cause.detail}")
    if isinstance(cause, ClientException):
        return problem("malformed", "the request cannot be read")
    return problem("internal", "the cause is in the server's log")


def on_unknown(request: Request[Any, Any, Any], cause: Exception) -> Response[dict[str, Any]]:
    """The answer to a fault of ours: it says nothing of the inside; the log has the cause.

    The log gets the kind of the error and where it was raised, but not its message, which may hold
    private text.
    """
    frames = traceback.extract_tb(cause.__traceback__)
    _LOG.error(
        "unhandled error",
        error=type(cause).__name__,
        route=request.scope["path_template"],
        request_id=request_id(request.scope),
        raised_at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-6:]],
    )
    return problem("internal", "the cause is in the server's log")


HANDLERS: Final[dict[Any, Any]] = {
    **dict.fromkeys(CAUSES, on_known),
    ValidationException: on_invalid,
    RepeatedNameError: on_repeated,
    HTTPException: on_http,
    Exception: on_unknown,
}
