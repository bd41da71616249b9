"""What becomes of a packet: whether it stands, its list, and its delivery to the worker."""

from uuid import UUID

from contracts import (
    Delivered,
    Packet,
    PacketPage,
    PacketState,
    PacketSummary,
    ReplacementReason,
)
from house.answers import NotFoundError, open_packet, packet_body
from house.authorization import Answer, Caller, Deed, authorize
from house.commands import Call, ConflictError, Result, Written, perform
from house.pages import Window, page_of, start_of
from house.runtime import Runtime
from house.withdrawals import reasons_against
from store import Connection, houses, packets


class WrongWorkerError(ConflictError):
    """The packet was made for another worker."""

    def __init__(self) -> None:
        super().__init__("wrong_worker", "the packet was made for another worker")


class WithdrawnError(ConflictError):
    """A lesson of the packet must no longer be used."""

    def __init__(self, packet_id: str) -> None:
        super().__init__("withdrawn", f"packet `{packet_id}` must no longer be used")


async def packet_state(runtime: Runtime, call: Call, packet_id: str) -> Answer[PacketState]:
    """Whether a packet stands, by the facts and rules of now. Raises `NotFoundError`."""
    async with runtime.database.inside(call.token.house_id, []) as connection:
        caller = await authorize(runtime, connection, call.token, call.at)
        stored = await open_packet(connection, caller, packet_id)
        found = await _state(runtime, connection, caller, stored)
    return Answer(found, caller.valid_until)


async def _state(
    runtime: Runtime, connection: Connection, caller: Caller, stored: packets.StoredPacket
) -> PacketState:
    caller = await caller.inside(connection, {stored.scope, houses.SHARED})
    following = await packets.successor(connection, caller.house_id, stored.packet_id)
    if following is not None:
        found = await packets.replacements(connection, caller.house_id, following.packet_id)
    else:
        found = await reasons_against(runtime, connection, caller, stored)
    return PacketState(
        packet_id=stored.packet_id,
        state="withdrawn" if found else "standing",
        reasons=tuple(
            ReplacementReason(lesson_id=r.lesson_id, reason=r.reason, basis=r.basis) for r in found
        ),
        successor=following.packet_id if following else None,
    )


async def packet_for_worker(
    runtime: Runtime, call: Call, packet_id: str, worker_id: str
) -> Answer[Packet]:
    """The packet, for the worker that its task named; for any other it does not exist.

    Raises `NotFoundError`, and `WithdrawnError` for one that must no longer be used.
    """
    async with runtime.database.inside(call.token.house_id, []) as connection:
        caller = await authorize(runtime, connection, call.token, call.at)
        stored = await open_packet(connection, caller, packet_id)
        body = await packet_body(connection, caller, stored)
        if body.worker_id != worker_id:
            raise NotFoundError("packet", packet_id)
        if (await _state(runtime, connection, caller, stored)).state == "withdrawn":
            raise WithdrawnError(packet_id)
    return Answer(body, caller.valid_until)


async def list_packets(runtime: Runtime, call: Call, window: Window) -> Answer[PacketPage]:
    """The caller's packets, and all of the scopes that it administers, by id."""
    async with runtime.database.inside(call.token.house_id, []) as connection:
        caller = await authorize(runtime, connection, call.token, call.at)
        (after,) = start_of(caller, "packets", window, [""])
        start = packets.Start(caller.house_id, after, window.limit + 1)
        administered = list(caller.scopes_of("administer"))
        found = await packets.page(connection, caller.token.principal_id, administered, start)
    page = page_of(caller, "packets", window, [((p.packet_id,), _summary(p)) for p in found])
    listed = PacketPage(items=page.items, next_cursor=page.next_cursor)
    return Answer(listed, caller.valid_until)


def _summary(found: packets.Summary) -> PacketSummary:
    return PacketSummary(
        packet_id=found.packet_id,
        task_id=found.task_id,
        room=found.scope.removeprefix("room:"),
        project_key=found.project_key,
        lesson_ids=tuple(found.lesson_ids),
        visible_epoch=found.visible_epoch,
        ruleset_version=found.ruleset_version,
        previous=found.previous,
        at=found.at,
    )


async def deliver_packet(runtime: Runtime, call: Call, packet_id: str, worker_id: str) -> Delivered:
    """Record that a packet came to its worker; to record it again changes nothing.

    Raises `NotFoundError`, `DeniedError`, `WrongWorkerError`, `WithdrawnError`.
    """

    async def deed(connection: Connection, caller: Caller) -> Deed:
        stored = await open_packet(connection, caller, packet_id)
        task = await packets.task(connection, caller.house_id, stored.task_id)
        if task is None or task.worker_id != worker_id:
            raise WrongWorkerError
        return Deed("start_task", [stored.scope], f"delivery of {packet_id}")

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        before = await packets.delivery(connection, caller.house_id, packet_id)
        return {"packet_id": packet_id, "unchanged": True} if before else None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        stored = await open_packet(connection, caller, packet_id)
        if (await _state(runtime, connection, caller, stored)).state == "withdrawn":
            raise WithdrawnError(packet_id)
        delivery = packets.Delivery(packet_id, worker_id)
        await packets.add_delivery(connection, caller.house_id, delivery, act, call.at)
        return Written({"packet_id": packet_id, "unchanged": False})

    return Delivered.model_validate(await perform(runtime, call, deed, write, standing))
