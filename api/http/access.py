"""Who calls: the token of a request, and what every route works with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from house import Runtime, UnauthenticatedError, authenticate
from store import grants


@dataclass(frozen=True, slots=True)
class Access:
    """An authenticated request: the House's runtime, the token, and the instant of arrival."""

    runtime: Runtime
    token: grants.Token
    at: datetime


async def provide_access(request: Request[Any, Any, Any]) -> Access:
    """The access of a request; raises `UnauthenticatedError` without a valid bearer token."""
    runtime: Runtime = request.app.state.runtime
    clock: Callable[[], datetime] = request.app.state.clock
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise UnauthenticatedError
    at = clock()
    return Access(runtime, await authenticate(runtime, secret.strip(), at), at)


Authenticated: TypeAlias = SkipValidation[NamedDependency[Access]]
"""The access that `provide_access` gives to a route."""
