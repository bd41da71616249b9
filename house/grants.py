"""Grants: given, revoked and listed by who administers their scopes."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from contracts import Grant, GrantChanged, NewGrant, Revocation
from engine import digest
from house.acting import acting_principal
from house.answers import NotFoundError, findable
from house.authorization import Caller, Deed, authorize
from house.commands import Call, Result, Written, perform
from house.pages import Page, Window, page_of, start_of
from house.runtime import Runtime
from house.visibility import list_name, shows, visible_to
from store import Connection, grants, houses, one_at_a_time


class NotGoverningError(Exception):
    """Only the governing spirit of a room can have a delegate there."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"you do not govern `{scope}`, so nobody can act for you there")
        self.location = "scopes"


class PeriodError(Exception):
    """What would never hold, or no longer, is not given."""

    def __init__(self, field: str, start: str | None = None) -> None:
        told = f" and after `{start}`" if start else ""
        super().__init__(f"`{field}` must lie in the future{told}")
        self.location = field


async def give_grant(runtime: Runtime, call: Call, wanted: NewGrant) -> GrantChanged:
    """Let a principal do an operation in some scopes, for a time.

    A delegated grant is given by the governing spirit of all its rooms, and holds while it governs.
    An equal grant that has begun and was not revoked stands for the new one. Raises `DeniedError`,
    `UnknownPrincipalError`, `NotGoverningError` and `PeriodError`.
    """
    given = _asked(call, wanted)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await one_at_a_time(connection, caller.house_id, f"grants to {given.principal_id}")
        await acting_principal(connection, caller.house_id, given.principal_id)
        if wanted.delegated:
            await _demand_governance(connection, caller, given.scopes)
        if given.valid_until and given.valid_until <= max(given.valid_from, call.at):
            raise PeriodError("valid_until", "valid_from")
        found = await grants.equal(connection, given, begun=wanted.valid_from is None)
        return None if found is None else _told(found, unchanged=True)

    async def write(connection: Connection, _caller: Caller, act: UUID) -> Written:
        made = await append_grant(connection, given, act)
        return Written(_told(replace(given, grant_id=made), unchanged=False), [made])

    subject = f"grant of {given.operation} to {given.principal_id}: {_content(given)}"
    deed = Deed("administer", given.scopes, subject, wanted.reason)
    return GrantChanged.model_validate(await perform(runtime, call, deed, write, standing))


async def append_grant(connection: Connection, given: grants.Grant, act: UUID) -> str:
    """Append a grant under the id that its content and its act make; the id."""
    made = f"grant-{digest([_content(given), str(act)])[:24]}"
    await grants.give(connection, replace(given, grant_id=made), act)
    return made


async def revoke_grant(
    runtime: Runtime, call: Call, grant_id: str, wanted: Revocation
) -> GrantChanged:
    """End a grant; raises `DeniedError`, and `NotFoundError` for one that the caller cannot see."""

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await _shown(connection, caller, grant_id)
        return Deed("administer", found.scopes, f"revocation of {grant_id}", wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        found = await _shown(connection, caller, grant_id)
        return _told(found, unchanged=True) if found.revoked else None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        found = await _shown(connection, caller, grant_id)
        await grants.revoke(connection, caller.house_id, grant_id, act)
        return Written(_told(replace(found, revoked=True), unchanged=False), [grant_id])

    return GrantChanged.model_validate(await perform(runtime, call, asking, write, standing))


async def list_grants(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Grant]:
    """The grants in scopes that the caller administers, and its own that its token carries."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = list_name("grants", caller)
        (after,) = start_of(caller, name, window, [""])
        visible = visible_to(caller, window.limit + 1)
        found = await grants.page(connection, caller.house_id, visible, after)
    return page_of(caller, name, window, [([g.grant_id], _entry(g)) for g in found])


def _asked(call: Call, wanted: NewGrant) -> grants.Grant:
    """The grant that is asked for, still without an id."""
    return grants.Grant(
        house_id=call.token.house_id,
        grant_id="",
        principal_id=wanted.principal,
        operation=wanted.operation,
        scopes=sorted(set(wanted.scopes)),
        valid_from=wanted.valid_from or call.at,
        valid_until=wanted.valid_until,
        delegator=call.token.principal_id if wanted.delegated else None,
    )


async def _demand_governance(connection: Connection, caller: Caller, scopes: list[str]) -> None:
    for scope in scopes:
        room = await houses.room(connection, caller.house_id, scope.removeprefix("room:"))
        if room is None or room.governor != caller.token.principal_id:
            raise NotGoverningError(scope)


async def _shown(connection: Connection, caller: Caller, grant_id: str) -> grants.Grant:
    found = await grants.grant(connection, caller.house_id, findable("grant", grant_id))
    if found is None or not shows(caller, found):
        raise NotFoundError("grant", grant_id)
    return found


def _content(given: grants.Grant) -> str:
    """A digest of what a grant gives."""
    start = given.valid_from.astimezone(UTC).isoformat()
    end = given.valid_until.astimezone(UTC).isoformat() if given.valid_until else None
    who, what, where = given.principal_id, given.operation, given.scopes
    return digest(["grant", who, what, where, start, end, given.delegator])[:24]


def _told(found: grants.Grant, *, unchanged: bool) -> Result:
    return {"grant_id": found.grant_id, "revoked": found.revoked, "unchanged": unchanged}


def _entry(found: grants.Grant) -> Grant:
    return Grant(
        grant_id=found.grant_id,
        principal=found.principal_id,
        operation=found.operation,
        scopes=tuple(found.scopes),
        valid_from=found.valid_from.astimezone(UTC),
        valid_until=found.valid_until and found.valid_until.astimezone(UTC),
        delegator=found.delegator,
        revoked=found.revoked,
    )
