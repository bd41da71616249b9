"""The lesson packet that a task gets."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from contracts.texts import Contract

PACKET_LESSONS: Final = 4


class PacketLesson(Contract):
    """One lesson of a packet with the certificate that it was selected."""

    id: str
    version: int
    title: str
    lesson: str
    trigger_context: str | None
    proof_pattern: str | None
    place: int
    basis: Literal["match", "always_on"]
    derivation: dict[str, Any]


class ReplacementReason(Contract):
    """Why a lesson of the packet before must no longer be used, and the record that says so."""

    lesson_id: str
    reason: str
    basis: str


class Replacement(Contract):
    """The packet whose place this one takes, and why."""

    packet_id: str
    reasons: tuple[ReplacementReason, ...]


class Packet(Contract):
    """At most four lessons for one intent, by place; an empty packet is a valid answer.

    `replaces` is set iff the intent had a packet that must no longer be used.
    """

    packet_id: str
    task_id: str
    worker_id: str
    room: str
    project_key: str
    intent_digest: str
    visible_epoch: int
    ruleset_version: str
    lessons: Annotated[tuple[PacketLesson, ...], Field(max_length=PACKET_LESSONS)]
    replaces: Replacement | None = None
