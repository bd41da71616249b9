"""What becomes of packets: as text for the worker, whether they stand, what they left out."""

from typing import Any

from litestar import Controller, Request, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from api.http.access import Authenticated, answered
from api.http.problems import BODY, RULES, TOKEN, WRITES, documented
from api.http.windows import Cursor, Limit
from contracts import (
    Delivered,
    Delivery,
    LeftOut,
    LeftOutPage,
    PacketPage,
    PacketState,
    rendered,
)
from house import (
    Answer,
    Window,
    deliver_packet,
    lessons_left_out,
    list_packets,
    packet_for_worker,
    packet_state,
    why_left_out,
)


class Packets(Controller):
    """`/v1/packets`."""

    path = "/v1/packets"
    tags = ["packets"]

    @get("", responses=documented(*TOKEN, *RULES, "invalid", "stale_cursor"))
    async def listed(
        self, access: Authenticated, limit: Limit = 50, cursor: Cursor = None
    ) -> Response[PacketPage]:
        """List packets by id: the caller's own, and all in scopes that it administers."""
        found = await list_packets(access.runtime, access.call(), Window(limit, cursor))
        return answered(found)

    @get("/{packet_id:str}/state", responses=documented(*TOKEN, *RULES, "not_found"))
    async def state(self, packet_id: FromPath[str], access: Authenticated) -> Response[PacketState]:
        """Tell whether a packet still stands, and if not, why and what follows it."""
        return answered(await packet_state(access.runtime, access.call(), packet_id))

    @get(
        "/{packet_id:str}/text",
        responses=documented(
            *TOKEN, *RULES, "invalid", "not_found", "evidence_forgotten", "withdrawn"
        ),
    )
    async def text(
        self, packet_id: FromPath[str], access: Authenticated, worker_id: FromQuery[str]
    ) -> Response[str]:
        """Render a packet for its worker: delimited text, at most 8 KiB of UTF-8."""
        found = await packet_for_worker(access.runtime, access.call(), packet_id, worker_id)
        answer = answered(Answer(rendered(found.body), found.valid_until))
        answer.media_type = "text/plain; charset=utf-8"
        return answer

    @get(
        "/{packet_id:str}/left-out",
        responses=documented(*TOKEN, *RULES, "invalid", "not_found", "stale_cursor"),
    )
    async def reasons(
        self,
        packet_id: FromPath[str],
        request: Request[Any, Any, Any],
        access: Authenticated,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response[LeftOutPage]:
        """List the lessons that are not in a packet, each with its reasons and their basis."""
        cache = request.app.state.reasons
        window = Window(limit, cursor)
        found = await lessons_left_out(access.runtime, access.call(), packet_id, cache, window)
        items = tuple(LeftOut(lesson_id=a, reason=b, basis=c) for a, b, c in found.body.items)
        page = LeftOutPage(items=items, next_cursor=found.body.next_cursor)
        return answered(Answer(page, found.valid_until))

    @get(
        "/{packet_id:str}/left-out/{lesson_id:str}",
        responses=documented(*TOKEN, *RULES, "not_found"),
    )
    async def why(
        self, packet_id: FromPath[str], lesson_id: FromPath[str], access: Authenticated
    ) -> list[dict[str, Any]]:
        """Read the certificate of every reason against one lesson."""
        return await why_left_out(access.runtime, access.call(), packet_id, lesson_id)

    @post(
        "/{packet_id:str}/deliveries",
        status_code=200,
        responses=documented(
            *TOKEN, *RULES, *BODY, *WRITES, "not_found", "wrong_worker", "withdrawn", "key_reused"
        ),
    )
    async def deliver(
        self, packet_id: FromPath[str], data: JSONBody[Delivery], access: Authenticated
    ) -> Delivered:
        """Record that a packet came to the worker that its task named."""
        return await deliver_packet(access.runtime, access.call(data), packet_id, data.worker_id)
