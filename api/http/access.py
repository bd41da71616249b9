"""Who calls: the token of a request, and what every route works with."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, TypeVar

import rfc8785
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation
from pydantic import BaseModel

from engine import digest
from house import Answer, Call, Runtime, UnauthenticatedError, authenticate
from store import grants

Body = TypeVar("Body")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class IdempotencyKeyError(Exception):
    """The header holds no key."""

    def __init__(self) -> None:
        super().__init__("`Idempotency-Key` takes 1 to 255 visible ASCII characters")


@dataclass(frozen=True, slots=True)
class Access:
    """An authenticated request: the House's runtime, the token, and the instant of arrival.

    `address` is method and path; `key` the idempotency key that the caller sent, if it did.
    """

    runtime: Runtime
    token: grants.Token
    at: datetime
    address: str
    key: str | None

    def call(self, body: BaseModel | None = None) -> Call:
        """The request as a call that may be repeated: the same address and body are the same."""
        content = None if body is None else rfc8785.dumps(body.model_dump(mode="json")).decode()
        request_digest = digest(["call", self.address, content or ""])
        return Call(self.token, self.at, request_digest, self.key)


async def admit(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Authenticate before anything else of a request is looked at, its body above all.

    Raises `UnauthenticatedError` without a valid bearer token. Which methods an address takes is
    no secret, so `OPTIONS` needs none.
    """
    if isinstance(connection, Request) and connection.method == "OPTIONS":
        return
    runtime: Runtime = connection.app.state.runtime
    clock: Callable[[], datetime] = connection.app.state.clock
    scheme, _space, secret = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise UnauthenticatedError
    at = clock()
    token = await authenticate(runtime, secret.strip(), at)
    key = connection.headers.get("idempotency-key")
    if key is not None and not _KEY.fullmatch(key):
        raise IdempotencyKeyError
    method = connection.method if isinstance(connection, Request) else "GET"
    address = f"{method} {connection.url.path}"
    connection.state.access = Access(runtime, token, at, address, key)


async def provide_access(request: Request[Any, Any, Any]) -> Access:
    """The access of a request that was admitted."""
    access: Access = request.state.access
    return access


Authenticated: TypeAlias = SkipValidation[NamedDependency[Access]]
"""The access that `admit` found, for a route that asks for it."""


def answered(answer: Answer[Body]) -> Response[Body]:
    """The body of an answer; a header says until when it holds, if passing time can change it."""
    until = answer.valid_until
    headers = {"Cache-Control": "no-store"}
    if until is not None:
        headers["Athanor-Valid-Until"] = until.isoformat().replace("+00:00", "Z")
    return Response(answer.body, headers=headers)
