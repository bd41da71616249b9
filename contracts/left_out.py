"""What a packet left out, whether it still stands, and to whom it was delivered."""

from typing import Literal

from pydantic import AwareDatetime

from contracts.packets import ReplacementReason
from contracts.tasks import Name
from contracts.texts import Contract


class LeftOut(Contract):
    """A lesson that is not in the packet, one reason, and the record that the reason rests on."""

    lesson_id: str
    reason: str
    basis: str


class LeftOutPage(Contract):
    """Lessons left out, by lesson and reason; `next_cursor` is set iff there are more."""

    items: tuple[LeftOut, ...]
    next_cursor: str | None


class PacketState(Contract):
    """Whether a packet stands, and if not, why and what took its place, if anything did yet."""

    packet_id: str
    state: Literal["standing", "withdrawn"]
    reasons: tuple[ReplacementReason, ...]
    successor: str | None


class PacketSummary(Contract):
    """A packet without its texts."""

    packet_id: str
    task_id: str
    room: str
    project_key: str
    lesson_ids: tuple[str, ...]
    visible_epoch: int
    ruleset_version: str
    previous: str | None
    at: AwareDatetime


class PacketPage(Contract):
    """Packets by id; `next_cursor` is set iff there are more."""

    items: tuple[PacketSummary, ...]
    next_cursor: str | None


class Delivery(Contract):
    """Who got the packet: the worker that the task named, and nobody else."""

    worker_id: Name


class Delivered(Contract):
    """The record of a delivery; `unchanged` iff it was recorded before."""

    packet_id: str
    unchanged: bool
