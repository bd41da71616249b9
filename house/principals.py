"""Principals: registered and revoked by who administers what is shared."""

from datetime import datetime
from uuid import UUID

from contracts import NewPrincipal, Principal, PrincipalChanged, Revocation
from house.acting import hold_principals
from house.answers import NotFoundError, findable
from house.authorization import Caller, Deed, authorize
from house.commands import Call, ConflictError, Result, Written, perform
from house.governors import vacate_rooms
from house.pages import Page, Window, page_of, start_of
from house.runtime import Runtime
from store import Connection, grants, houses


class PrincipalExistsError(ConflictError):
    """The key belongs to a principal of another kind, or to one that was revoked."""

    def __init__(self, found: houses.Principal) -> None:
        state = "was revoked" if found.revoked else f"is of kind `{found.kind}`"
        super().__init__("principal_exists", f"principal `{found.key}` is there and {state}")
        self.location = "principal"


class LastOperatorError(ConflictError):
    """Without an operator nobody could administer the House."""

    def __init__(self, key: str) -> None:
        super().__init__("last_operator", f"principal `{key}` is the last operator")


async def create_principal(runtime: Runtime, call: Call, wanted: NewPrincipal) -> PrincipalChanged:
    """Register a principal; raises `DeniedError` and `PrincipalExistsError`."""

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        found = await houses.principal(connection, caller.house_id, wanted.principal)
        if found is None:
            return None
        if found.revoked or found.kind != wanted.kind:
            raise PrincipalExistsError(found)
        return _told(found, unchanged=True)

    async def write(connection: Connection, caller: Caller, _act: UUID) -> Written:
        key, kind = wanted.principal, wanted.kind
        await houses.add_principal(connection, caller.house_id, key, kind, caller.at)
        return Written(_told(houses.Principal(key, kind, revoked=False), unchanged=False))

    subject = f"{wanted.kind} {wanted.principal}"
    deed = Deed("administer", [houses.SHARED], subject, wanted.reason)
    result = await perform(runtime, call, deed, write, standing)
    return PrincipalChanged.model_validate(result)


async def revoke_principal(
    runtime: Runtime, call: Call, key: str, wanted: Revocation
) -> PrincipalChanged:
    """Let a principal act no more: its tokens open nothing, and where it governs nobody does.

    Raises `DeniedError`, `NotFoundError` and `LastOperatorError`.
    """

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await hold_principals(connection, caller.house_id)
        found = await _principal(connection, caller.house_id, key)
        if found.revoked:
            return _told(found, unchanged=True)
        if await houses.operators(connection, caller.house_id) == [key]:
            raise LastOperatorError(key)
        return None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        found = await _principal(connection, caller.house_id, key)
        await houses.revoke_principal(connection, caller.house_id, key, act)
        vacated = await vacate_rooms(connection, caller.house_id, key, act)
        gone = houses.Principal(key, found.kind, revoked=True)
        return Written(_told(gone, unchanged=False), vacated)

    deed = Deed("administer", [houses.SHARED], f"revocation of principal {key}", wanted.reason)
    result = await perform(runtime, call, deed, write, standing)
    return PrincipalChanged.model_validate(result)


async def list_principals(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Principal]:
    """All principals for who administers what is shared, else the caller alone; by key."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        only = None if caller.may("administer", houses.SHARED) else token.principal_id
        name = "principals" if only is None else "own principal"
        (after,) = start_of(caller, name, window, [""])
        found = await houses.page_principals(
            connection, caller.house_id, only, after, window.limit + 1
        )
    shown = [([p.key], Principal(principal=p.key, kind=p.kind, revoked=p.revoked)) for p in found]
    return page_of(caller, name, window, shown)


async def _principal(connection: Connection, house_id: UUID, key: str) -> houses.Principal:
    found = await houses.principal(connection, house_id, findable("principal", key))
    if found is None:
        raise NotFoundError("principal", key)
    return found


def _told(found: houses.Principal, *, unchanged: bool) -> Result:
    return {
        "principal": found.key,
        "kind": found.kind,
        "revoked": found.revoked,
        "unchanged": unchanged,
    }
