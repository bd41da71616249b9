"""Ledgers of tasks and of the packets that they got."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from store.database import Connection
from store.rows import every, one, write, write_many


@dataclass(frozen=True, slots=True)
class Task:
    """A task that started; its texts are named by content ids."""

    task_id: str
    principal_id: str
    scope: str
    worker_id: str
    worker_role: str
    phase: str
    project_key: str
    task_kind: str
    risk: str
    target_id: str | None
    change_id: str | None
    proof_ids: list[str]
    intent_digest: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredPacket:
    """A packet without its lessons."""

    packet_id: str
    task_id: str
    scope: str
    scopes: list[str]
    principal_id: str
    intent_digest: str
    authorization_digest: str
    visible_epoch: int
    ruleset_version: str
    previous: str | None
    given_digests: list[str]


@dataclass(frozen=True, slots=True)
class Replacement:
    """Why a lesson of the packet before must no longer be used."""

    lesson_id: str
    reason: str
    basis: str


@dataclass(frozen=True, slots=True)
class StoredLesson:
    """A place in a packet."""

    place: int
    lesson_id: str
    version: int
    basis: Literal["match", "always_on"]
    derivation: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A place in a packet with the certificate of its selection."""

    place: int
    lesson_id: str
    version: int
    basis: Literal["match", "always_on"]
    certificate: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a page of a House's packets starts, and how many it may hold."""

    house: UUID
    after: str
    limit: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A packet as a list shows it."""

    packet_id: str
    task_id: str
    scope: str
    project_key: str
    visible_epoch: int
    ruleset_version: str
    previous: str | None
    at: datetime
    lesson_ids: list[str]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A packet came to the worker that its task named."""

    packet_id: str
    worker_id: str


async def add_task(connection: Connection, house_id: UUID, task: Task) -> None:
    """Append a task; one that is there already stays as it is."""
    await write(connection, "packets.add_task", asdict(task) | {"house": house_id})


async def add_packet(
    connection: Connection,
    house_id: UUID,
    act_id: UUID,
    packet: StoredPacket,
    lessons: Iterable[StoredLesson],
) -> None:
    """Append a packet with its lessons.

    Raises psycopg's `UniqueViolation` when another one followed the same packet already.
    """
    await write(
        connection, "packets.add_packet", asdict(packet) | {"house": house_id, "act": act_id}
    )
    rows = [
        asdict(lesson) | {"house": house_id, "packet_id": packet.packet_id} for lesson in lessons
    ]
    await write_many(connection, "packets.add_lesson", rows)


async def add_replacements(
    connection: Connection, house_id: UUID, packet_id: str, reasons: Iterable[Replacement]
) -> None:
    """Append the reasons for which a packet took the place of the one before."""
    rows = [asdict(reason) | {"house": house_id, "packet": packet_id} for reason in reasons]
    await write_many(connection, "packets.add_replacement", rows)


async def replacements(connection: Connection, house_id: UUID, packet_id: str) -> list[Replacement]:
    """The reasons for which a packet took the place of the one before, in order."""
    parameters = {"house": house_id, "packet": packet_id}
    return await every(connection, Replacement, "packets.replacements", parameters)


async def last_of_intent(connection: Connection, house_id: UUID, task: Task) -> StoredPacket | None:
    """The last packet that the same intent got, None iff it got none."""
    parameters = {
        "house": house_id,
        "scope": task.scope,
        "principal": task.principal_id,
        "intent": task.intent_digest,
    }
    return await one(connection, StoredPacket, "packets.last_of_intent", parameters)


async def packet(connection: Connection, house_id: UUID, packet_id: str) -> StoredPacket | None:
    """The packet of that id, None iff the transaction cannot see it."""
    parameters = {"house": house_id, "packet": packet_id}
    return await one(connection, StoredPacket, "packets.packet", parameters)


async def holding(connection: Connection, house_id: UUID, derivation: str) -> list[StoredPacket]:
    """The packets that hold a derivation and that the transaction can see, by id."""
    parameters = {"house": house_id, "derivation": derivation}
    return await every(connection, StoredPacket, "packets.holding", parameters)


async def resting_on(connection: Connection, house_id: UUID, given: str) -> list[StoredPacket]:
    """The packets that rest on a set of given facts and that the transaction can see, by id."""
    parameters = {"house": house_id, "given": given}
    return await every(connection, StoredPacket, "packets.resting_on", parameters)


async def task(connection: Connection, house_id: UUID, task_id: str) -> Task | None:
    """The task of that id, None iff the transaction cannot see it."""
    return await one(connection, Task, "packets.task", {"house": house_id, "task": task_id})


async def placed(connection: Connection, house_id: UUID, packet_id: str) -> list[Placed]:
    """The lessons of a packet with their certificates, by place."""
    parameters = {"house": house_id, "packet": packet_id}
    return await every(connection, Placed, "packets.placed", parameters)


async def successor(connection: Connection, house_id: UUID, packet_id: str) -> StoredPacket | None:
    """The packet that took the place of another, None iff none did yet."""
    parameters = {"house": house_id, "packet": packet_id}
    return await one(connection, StoredPacket, "packets.successor", parameters)


async def page(
    connection: Connection, principal_id: str, administered: list[str], start: Start
) -> list[Summary]:
    """The packets of a principal, and all in the administered scopes, by id."""
    parameters = asdict(start) | {"principal": principal_id, "administered": administered}
    return await every(connection, Summary, "packets.page", parameters)


async def add_delivery(
    connection: Connection, house_id: UUID, delivery: Delivery, act_id: UUID, at: datetime
) -> None:
    """Append a delivery.

    Raises psycopg's `UniqueViolation` when the packet was delivered before.
    """
    parameters = {
        "house": house_id,
        "packet": delivery.packet_id,
        "worker": delivery.worker_id,
        "act": act_id,
        "at": at,
    }
    await write(connection, "packets.add_delivery", parameters)


async def delivery(connection: Connection, house_id: UUID, packet_id: str) -> Delivery | None:
    """The delivery of a packet, None iff there was none."""
    parameters = {"house": house_id, "packet": packet_id}
    return await one(connection, Delivery, "packets.delivery", parameters)
