"""The lesson packet that a task gets."""

from typing import Any, Literal

from contracts.texts import Contract


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


class Packet(Contract):
    """At most four lessons for one intent, by place; an empty packet is a valid answer."""

    packet_id: str
    task_id: str
    worker_id: str
    room: str
    project_key: str
    intent_digest: str
    visible_epoch: int
    ruleset_version: str
    lessons: tuple[PacketLesson, ...]
