"""Tasks that start, and the packets that they got."""

from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated, answered
from api.http.problems import BODY, RULES, TOKEN, WRITES, documented
from contracts import Packet, PacketForgetting, PacketForgotten, TaskStart
from house import forget_packet, read_packet, start_task


class Tasks(Controller):
    """`/v1/tasks` and `/v1/packets`."""

    path = "/v1"
    tags = ["packets"]

    @post(
        "/tasks/start",
        status_code=200,
        responses=documented(
            *TOKEN,
            *RULES,
            *BODY,
            *WRITES,
            *("unknown_project", "room_not_named", "undeclared_value", "epoch_not_reached"),
            *("key_reused", "evidence_forgotten"),
        ),
    )
    async def start(self, data: JSONBody[TaskStart], access: Authenticated) -> Response[Packet]:
        """Start a task: the lesson packet of its intent, at most four lessons.

        The same intent gets the same packet until a lesson inside must no longer be used; an empty
        packet is a valid answer.
        """
        return answered(await start_task(access.runtime, access.call(data), data))

    @get(
        "/packets/{packet_id:str}",
        responses=documented(*TOKEN, *RULES, "not_found", "evidence_forgotten"),
    )
    async def packet(self, packet_id: FromPath[str], access: Authenticated) -> Response[Packet]:
        """Read a packet again."""
        found = await read_packet(access.runtime, access.token, packet_id, access.at)
        return answered(found)

    @post(
        "/packets/{packet_id:str}/forget",
        status_code=200,
        responses=documented(*TOKEN, *RULES, *BODY, *WRITES, "not_found", "key_reused"),
    )
    async def forget(
        self, packet_id: FromPath[str], data: JSONBody[PacketForgetting], access: Authenticated
    ) -> PacketForgotten:
        """Delete what the task of a packet said, for every packet that it got."""
        return await forget_packet(access.runtime, access.call(data), packet_id, data)
