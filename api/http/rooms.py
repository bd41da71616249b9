"""Rooms and the spirits that govern them."""

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import Appointed, Appointment, NewRoom, RoomMade, Rooms
from house import USUAL_ITEMS, Window, appoint_governor, create_room, list_rooms


class RoomRoutes(Controller):
    """`/v1/rooms`."""

    path = "/v1/rooms"
    tags = ["administration"]

    @post("/", status_code=200, responses=documented(*CHANGES))
    async def create(self, data: JSONBody[NewRoom], access: Authenticated) -> RoomMade:
        """Make a room.

        The caller may then do everything in it, and its token carries the room.
        """
        return await create_room(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Rooms:
        """List the rooms that the caller may read, by key."""
        found = await list_rooms(access.runtime, access.token, Window(limit, cursor), access.at)
        return Rooms(items=found.items, next_cursor=found.next_cursor)

    @post(
        "/{room:str}/governor",
        status_code=200,
        responses=documented(
            *CHANGES, "not_found", "unknown_principal", "not_a_spirit", "stale_appointment"
        ),
    )
    async def appoint(
        self, room: FromPath[str], data: JSONBody[Appointment], access: Authenticated
    ) -> Appointed:
        """Appoint the spirit that governs a room, or nobody.

        The call names the appointment that it follows; another one that came first is a conflict.
        """
        return await appoint_governor(access.runtime, access.call(data), room, data)
