"""Rooms: made by who administers what is shared, and listed for who may read them."""

from datetime import datetime
from uuid import UUID

from contracts import NewRoom, Room, RoomMade
from house.authorization import Caller, Deed, authorize
from house.commands import Call, Result, Written, perform
from house.founding import OPERATIONS
from house.grants import append_grant
from house.pages import Page, Window, page_of, start_of
from house.runtime import Runtime
from store import Connection, grants, houses


async def create_room(runtime: Runtime, call: Call, wanted: NewRoom) -> RoomMade:
    """Make a room in which the caller may do everything, from this call on and with this token.

    Raises `DeniedError`.
    """
    scope = houses.scope_of(wanted.room)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        found = await houses.room(connection, caller.house_id, wanted.room)
        return None if found is None else _told(wanted.room, [], unchanged=True)

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        await houses.add_room(connection, caller.house_id, wanted.room, act)
        await grants.carry(connection, caller.token, wanted.room, act)
        given = [
            await append_grant(
                connection,
                grants.Grant(
                    house_id=caller.house_id,
                    grant_id="",
                    principal_id=caller.token.principal_id,
                    operation=operation,
                    scopes=[scope],
                    valid_from=caller.at,
                    valid_until=None,
                ),
                act,
            )
            for operation in OPERATIONS
        ]
        return Written(_told(wanted.room, given, unchanged=False), given)

    deed = Deed("administer", [houses.SHARED], f"room {wanted.room}", wanted.reason)
    return RoomMade.model_validate(await perform(runtime, call, deed, write, standing))


async def list_rooms(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Room]:
    """The rooms that the caller may read, by key."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        (after,) = start_of(caller, "rooms", window, [""])
        found = await houses.page_rooms(
            connection, caller.house_id, caller.readable, after, window.limit + 1
        )
    shown = [
        ([r.room], Room(room=r.room, governor=r.governor, appointment=r.appointment)) for r in found
    ]
    return page_of(caller, "rooms", window, shown)


def _told(room: str, given: list[str], *, unchanged: bool) -> Result:
    return {"room": room, "grants": given, "unchanged": unchanged}
