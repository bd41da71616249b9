"""The spirit that governs a room: each appointment names the one that it follows."""

from uuid import UUID

from contracts import Appointed, Appointment
from engine import digest
from house.acting import acting_principal, hold_principals
from house.answers import NotFoundError
from house.authorization import Caller, Deed
from house.commands import Call, ConflictError, Result, Written, perform
from house.runtime import Runtime
from store import Connection, houses, narrow


class NotASpiritError(Exception):
    """Only a spirit can govern a room."""

    def __init__(self, key: str) -> None:
        super().__init__(f"principal `{key}` is no spirit")
        self.location = "principal"


class StaleAppointmentError(ConflictError):
    """The call follows another appointment than the present one."""

    def __init__(self, present: str | None) -> None:
        told = f"the present one is `{present}`" if present else "there is none yet"
        super().__init__("stale_appointment", f"the appointment named is not the last: {told}")
        self.location = "previous"


async def appoint_governor(
    runtime: Runtime, call: Call, key: str, wanted: Appointment
) -> Appointed:
    """Let a spirit govern a room, or nobody; who administers the room may.

    Raises `DeniedError`, `UnknownPrincipalError`, `NotASpiritError` and `StaleAppointmentError`.
    """

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await hold_principals(connection, caller.house_id)
        room = await houses.room(connection, caller.house_id, key)
        if room is None:
            raise NotFoundError("room", key)
        if wanted.principal is not None:
            found = await acting_principal(connection, caller.house_id, wanted.principal)
            if found.kind != "spirit":
                raise NotASpiritError(found.key)
        if room.governor == wanted.principal:
            return _told(room, unchanged=True)
        if room.appointment != wanted.previous:
            raise StaleAppointmentError(room.appointment)
        return None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        last = houses.Room(key, None, wanted.previous)
        made = await _follow(connection, caller.house_id, last, wanted.principal, act)
        return Written(_told(made, unchanged=False), [houses.scope_of(key)])

    named = [key, wanted.principal, wanted.previous]
    subject = f"appointment of {wanted.principal or 'nobody'}: {digest(named)[:24]}"
    deed = Deed("administer", [houses.scope_of(key)], subject, wanted.reason)
    return Appointed.model_validate(await perform(runtime, call, deed, write, standing))


async def vacate_rooms(
    connection: Connection, house_id: UUID, principal: str, act: UUID
) -> list[str]:
    """Appoint nobody wherever a principal governs; the scopes of these rooms.

    The transaction sees every room of the House afterwards, and nothing that is shared.
    """
    scopes = [houses.scope_of(key) for key in await houses.rooms(connection, house_id)]
    await narrow(connection, house_id, scopes)
    rooms = await houses.page_rooms(connection, house_id, scopes, "", len(scopes))
    governed = [room for room in rooms if room.governor == principal]
    for room in governed:
        await _follow(connection, house_id, room, None, act)
    return [houses.scope_of(room.room) for room in governed]


async def _follow(
    connection: Connection, house_id: UUID, last: houses.Room, principal: str | None, act: UUID
) -> houses.Room:
    """Append the appointment that follows the last one of a room."""
    content = ["appointment", last.room, principal, last.appointment, str(act)]
    made = houses.Room(last.room, principal, f"appointment-{digest(content)[:24]}")
    await houses.appoint(connection, house_id, made, last.appointment, act)
    return made


def _told(room: houses.Room, *, unchanged: bool) -> Result:
    return {
        "room": room.room,
        "governor": room.governor,
        "appointment": room.appointment,
        "unchanged": unchanged,
    }
