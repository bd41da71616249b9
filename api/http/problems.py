"""Errors as RFC 9457 problems: one table from causes to statuses."""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
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

import house
from api.http.access import IdempotencyKeyError
from api.http.bodies import UnreadableBodyError
from engine import ArithmeticFaultError, LimitReachedError, MatcherFaultError
from store import DatabaseUnavailableError, RacedError

_LOG: structlog.stdlib.BoundLogger = structlog.get_logger()


class _Finding(BaseModel):
    """What the framework says of one place in a body."""

    message: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a cause is answered. `location` names the field of the request that is at fault."""

    status: int
    code: str
    title: str
    hint: str
    location: str | None = None
    retry_after_seconds: int | None = None


_KINDS: Final[Mapping[type[Exception], _Kind]] = {
    house.UnauthenticatedError: _Kind(
        401, "unauthenticated", "no valid token", "send `Authorization: Bearer TOKEN`"
    ),
    house.DeniedError: _Kind(
        403, "denied", "not permitted", "ask the operator for a grant of the operation"
    ),
    house.NotFoundError: _Kind(
        404, "not_found", "not found", "it does not exist, or your scopes do not hold it"
    ),
    house.UnknownProjectError: _Kind(
        400,
        "unknown_project",
        "unknown project",
        "register the project before tasks name it",
        location="project_key",
    ),
    house.UndeclaredValueError: _Kind(
        400,
        "undeclared_value",
        "undeclared value",
        "register the value in the adapter's vocabulary before tasks use it",
    ),
    house.EpochNotReachedError: _Kind(
        409,
        "epoch_not_reached",
        "epoch not reached",
        "ask again; your scopes have fewer changes than you demand",
        location="minimum_epoch",
        retry_after_seconds=1,
    ),
    house.KeyReusedError: _Kind(
        409,
        "key_reused",
        "idempotency key reused",
        "use a new key for a new call",
        location="Idempotency-Key",
    ),
    house.ConflictError: _Kind(
        409, "conflict", "conflict", "read the records again, then decide again"
    ),
    house.CursorError: _Kind(
        400, "stale_cursor", "cursor refused", "start the list again", location="cursor"
    ),
    house.ForgottenError: _Kind(
        410, "evidence_forgotten", "evidence forgotten", "what it rested on was deleted on purpose"
    ),
    IdempotencyKeyError: _Kind(
        400,
        "invalid",
        "invalid request",
        "send a key of your own, such as a UUID",
        location="Idempotency-Key",
    ),
    house.RoomNotNamedError: _Kind(
        400, "room_not_named", "room not named", "name one room of the token", location="room"
    ),
    LimitReachedError: _Kind(
        422,
        "limit_reached",
        "an evaluation limit was reached",
        "nothing was concluded, neither yes nor no; the operator can raise the limit",
    ),
    ArithmeticFaultError: _Kind(
        500,
        "rule_failed",
        "a rule failed",
        "nothing was concluded, neither yes nor no; tell the operator the rule named",
    ),
    MatcherFaultError: _Kind(
        500,
        "rule_failed",
        "a rule failed",
        "nothing was concluded, neither yes nor no; tell the operator the rule named",
    ),
    house.BusyError: _Kind(
        503, "busy", "too many evaluations", "try again shortly", retry_after_seconds=1
    ),
    DatabaseUnavailableError: _Kind(
        503, "unavailable", "database unavailable", "try again shortly", retry_after_seconds=2
    ),
    RacedError: _Kind(
        503, "raced", "too many conflicting writers", "try again", retry_after_seconds=1
    ),
    house.InvariantBrokenError: _Kind(
        500,
        "invariant_broken",
        "the rules contradict themselves",
        "nothing was concluded; tell the operator the relation named",
    ),
}


def problem(
    status: int, code: str, title: str, detail: str, **more: object
) -> Response[dict[str, Any]]:
    """A problem response; `more` holds the members that are set, such as location and hint."""
    body: dict[str, Any] = {
        "type": f"urn:athanor:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }
    body |= {name: value for name, value in more.items() if value is not None}
    media_type = "application/problem+json"
    return Response(body, status_code=status, media_type=media_type)


def on_known(_: Request[Any, Any, Any], cause: Exception) -> Response[dict[str, Any]]:
    """The answer to a cause that the table knows."""
    kind = next(kind for type_, kind in _KINDS.items() if isinstance(cause, type_))
    code = cause.code if isinstance(cause, house.ConflictError) else kind.code
    location = kind.location or getattr(cause, "location", None)
    answer = problem(kind.status, code, kind.title, str(cause), location=location, hint=kind.hint)
    if kind.retry_after_seconds is not None:
        answer.headers["Retry-After"] = str(kind.retry_after_seconds)
    if isinstance(cause, house.UnauthenticatedError):
        answer.headers["WWW-Authenticate"] = "Bearer"
    return answer


def findings(cause: ValidationException) -> list[dict[str, str]]:
    """What is wrong with a body: field and message of each finding, never the values sent."""
    found = TypeAdapter(list[_Finding]).validate_python(cause.extra or [])
    return [_in_our_words(finding) for finding in found]


def _in_our_words(finding: _Finding) -> dict[str, str]:
    if (finding.key, finding.message) == ("data", "'data'"):  # the framework's word for no body
        return {"field": "", "message": "a JSON body is needed"}
    return {"field": finding.key, "message": finding.message.removeprefix("Value error, ")}


def on_invalid(_: Request[Any, Any, Any], cause: ValidationException) -> Response[dict[str, Any]]:
    """The answer to a body or parameter that does not fit its contract."""
    found = findings(cause)
    location = found[0]["field"] if found else None
    places = [f"`{f['field']}`" if f["field"] else "body" for f in found]
    detail = "; ".join(f"{place}: {f['message']}" for place, f in zip(places, found, strict=True))
    detail = detail or "malformed input"
    return problem(400, "invalid", "invalid request", detail, location=location, errors=found)


def on_http(_: Request[Any, Any, Any], cause: HTTPException) -> Response[dict[str, Any]]:
    """The answer to what the framework refuses by itself."""
    status = cause.status_code
    if isinstance(cause, NotFoundException):
        return problem(404, "no_route", "not found", "there is nothing at this address")
    if isinstance(cause, MethodNotAllowedException):
        answer = problem(405, "method", "method not allowed", "this address takes another method")
        answer.headers["Allow"] = (cause.headers or {}).get("allow", "")
        return answer
    if isinstance(cause, RequestEntityTooLarge):
        return problem(413, "too_large", "request too large", "the body is larger than allowed")
    if isinstance(cause, UnreadableBodyError):
        return problem(400, "malformed", "malformed request", f"body: {cause.detail}")
    if isinstance(cause, ClientException):
        return problem(status, "malformed", "malformed request", "the request cannot be read")
    return problem(status, "internal", "internal error", "the cause is in the server's log")


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
        raised_at=[f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-6:]],
    )
    return problem(500, "internal", "internal error", "the cause is in the server's log")


HANDLERS: Final[dict[Any, Any]] = {
    **dict.fromkeys(_KINDS, on_known),
    ValidationException: on_invalid,
    HTTPException: on_http,
    Exception: on_unknown,
}
