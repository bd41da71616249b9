"""Errors as RFC 9457 problems: one table from causes to statuses."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from litestar import Response
from litestar.openapi.datastructures import ResponseSpec

import house
from api.http.access import IdempotencyKeyError
from api.http.conflicts import CONFLICTS
from api.http.kinds import Kind
from contracts import Problem
from engine import ArithmeticFaultError, LimitReachedError, MatcherFaultError
from store import DatabaseUnavailableError, RacedError

_MEDIA_TYPE: Final = "application/problem+json"


_KINDS: Final[Mapping[type[Exception], Kind]] = {
    house.UnauthenticatedError: Kind(
        401, "unauthenticated", "no valid token", "send `Authorization: Bearer TOKEN`"
    ),
    house.DeniedError: Kind(
        403, "denied", "not permitted", "ask the operator for a grant of the operation"
    ),
    house.NotFoundError: Kind(
        404, "not_found", "not found", "it does not exist, or your scopes do not hold it"
    ),
    house.UnknownProjectError: Kind(
        400,
        "unknown_project",
        "unknown project",
        "register the project before tasks name it",
        location="project_key",
    ),
    house.UndeclaredValueError: Kind(
        400,
        "undeclared_value",
        "undeclared value",
        "register the value in the adapter's vocabulary before tasks use it",
    ),
    house.UnknownPrincipalError: Kind(
        400,
        "unknown_principal",
        "unknown principal",
        "register the principal before records name it",
    ),
    house.NotASpiritError: Kind(
        400, "not_a_spirit", "no spirit", "name a principal of kind `spirit`"
    ),
    house.NotGoverningError: Kind(
        403,
        "not_governing",
        "not the governing spirit",
        "give the grant without `delegated`, or govern the room first",
    ),
    house.PeriodError: Kind(
        400, "invalid_period", "a period that never holds", "name a later time"
    ),
    house.VocabularyFullError: Kind(
        422,
        "vocabulary_full",
        "too many values",
        "declare what tasks and events use, not what they are about",
    ),
    house.FieldRefusedError: Kind(
        400, "field_refused", "field refused", "name what is there, or leave it out"
    ),
    house.CursorError: Kind(
        400, "stale_cursor", "cursor refused", "start the list again", location="cursor"
    ),
    house.ForgottenError: Kind(
        410, "evidence_forgotten", "evidence forgotten", "what it rested on was deleted on purpose"
    ),
    IdempotencyKeyError: Kind(
        400,
        "invalid",
        "invalid request",
        "send a key of your own, such as a UUID",
        location="Idempotency-Key",
    ),
    house.RoomNotNamedError: Kind(
        400, "room_not_named", "room not named", "name one room of the token", location="room"
    ),
    LimitReachedError: Kind(
        422,
        "limit_reached",
        "an evaluation limit was reached",
        "nothing was concluded, neither yes nor no; the operator can raise the limit",
    ),
    ArithmeticFaultError: Kind(
        500,
        "rule_failed",
        "a rule failed",
        "nothing was concluded, neither yes nor no; tell the operator the rule named",
    ),
    MatcherFaultError: Kind(
        500,
        "rule_failed",
        "a rule failed",
        "nothing was concluded, neither yes nor no; tell the operator the rule named",
    ),
    house.BusyError: Kind(
        503, "busy", "too many evaluations", "try again shortly", retry_after_seconds=1
    ),
    DatabaseUnavailableError: Kind(
        503, "unavailable", "database unavailable", "try again shortly", retry_after_seconds=2
    ),
    RacedError: Kind(
        503, "raced", "too many conflicting writers", "try again", retry_after_seconds=1
    ),
    house.InvariantBrokenError: Kind(
        500,
        "invariant_broken",
        "the rules contradict themselves",
        "nothing was concluded; tell the operator the relation named",
    ),
}


CAUSES: Final = (*_KINDS, house.ConflictError)

_FRAMEWORK: Final[Mapping[str, Kind]] = {
    kind.code: kind
    for kind in (
        Kind(400, "malformed", "malformed request", "send one JSON value in UTF-8"),
        Kind(400, "invalid", "invalid request", "the contracts are at `/v1/schemas`"),
        Kind(400, "repeated", "a name stands twice", "keep one member of each name"),
        Kind(404, "no_route", "not found", "see `/openapi/openapi.json` for what there is"),
        Kind(405, "method", "method not allowed", "the header `Allow` names those that it takes"),
        Kind(413, "too_large", "request too large", "the limits are at `/v1/capabilities`"),
        Kind(
            422,
            "rejected",
            "records rejected, nothing stored",
            "mend the records named and import all of them again",
        ),
        Kind(500, "internal", "internal error", "tell the operator the value of `X-Request-ID`"),
    )
}
"""What is refused by the framework, or on its behalf, by code."""

TOKEN: Final = ("unauthenticated", "unavailable")
RULES: Final = ("busy", "limit_reached", "rule_failed", "invariant_broken")
BODY: Final = ("invalid", "repeated", "too_large")
WRITES: Final = ("denied", "raced")
CHANGES: Final = (*TOKEN, *RULES, *BODY, *WRITES, "key_reused")
LIST: Final = (*TOKEN, *RULES, "invalid", "stale_cursor")


def documented(*codes: str) -> dict[int, ResponseSpec]:
    """The refusals of a route, by status, for its OpenAPI document.

    Every route can give `malformed` and `internal`; `TOKEN`, `RULES`, `BODY` and `WRITES` name what
    comes with a token, with an evaluation, with a body and with what is written.
    """
    kinds = {
        kind.code: kind for kind in [*_KINDS.values(), *CONFLICTS.values(), *_FRAMEWORK.values()]
    }
    named = [kinds[code] for code in ("malformed", *codes, "internal")]
    return {
        status: ResponseSpec(
            Problem,
            generate_examples=False,
            description="; ".join(f"`{k.code}`: {k.title}" for k in named if k.status == status),
            media_type=_MEDIA_TYPE,
        )
        for status in sorted({kind.status for kind in named})
    }


def problem(code: str, detail: str, **more: object) -> Response[dict[str, Any]]:
    """The answer of a kind that the framework knows; `more` are further members."""
    return answer(_FRAMEWORK[code], detail, more)


def answer(
    kind: Kind, detail: str, more: Mapping[str, object] | None = None
) -> Response[dict[str, Any]]:
    """A problem response; members that are None are left out."""
    members = {"location": kind.location, "hint": kind.hint, **(more or {})}
    body: dict[str, Any] = {
        "type": f"urn:athanor:problem:{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": printable(detail),
        "code": kind.code,
    }
    body |= {name: value for name, value in members.items() if value is not None}
    found = Response(body, status_code=kind.status, media_type=_MEDIA_TYPE)
    if kind.retry_after_seconds is not None:
        found.headers["Retry-After"] = str(kind.retry_after_seconds)
    return found


def kind_of(cause: Exception) -> Kind:
    """The row of the table for a cause, with the location that the cause names itself.

    Raises `StopIteration` or `KeyError` iff there is none.
    """
    if isinstance(cause, house.ConflictError):
        kind = CONFLICTS[cause.code]
    else:
        kind = next(kind for type_, kind in _KINDS.items() if isinstance(cause, type_))
    return replace(kind, location=kind.location or getattr(cause, "location", None))


def printable(text: str) -> str:
    """The text with a code in the place of each lone surrogate, which no answer could hold."""
    return text.encode(errors="backslashreplace").decode()
