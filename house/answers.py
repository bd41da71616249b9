"""Reading what was answered: packets, derivations, sets of given facts, rulesets.

Each read authorizes anew: what the caller may not read now does not exist for it.
"""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from contracts import Packet, PacketLesson, Replacement, ReplacementReason
from house.authorization import Answer, Caller, authorize
from house.runtime import Runtime
from store import Connection, grants, lessons, packets, proofs


class ForgottenError(Exception):
    """What is asked for rests on evidence that was forgotten."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"the evidence of {kind} `{key}` was forgotten")
        self.kind = kind


class NotFoundError(Exception):
    """There is no such thing, or the caller may not read it: the two look the same."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"no {kind} `{key}`")
        self.kind = kind
        self.key = key


async def read_packet(
    runtime: Runtime, token: grants.Token, packet_id: str, at: datetime
) -> Answer[Packet]:
    """A packet of the caller's own, or any readable one for who may administer its scope."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        stored = await open_packet(connection, caller, packet_id)
        return Answer(await packet_body(connection, caller, stored), caller.valid_until)


async def open_packet(
    connection: Connection, caller: Caller, packet_id: str
) -> packets.StoredPacket:
    """The packet of that id, which is the caller's own or in a scope that it administers.

    Raises `NotFoundError`.
    """
    stored = await packets.packet(connection, caller.house_id, _findable("packet", packet_id))
    if stored is None or not _open_to(caller, stored):
        raise NotFoundError("packet", packet_id)
    return stored


async def packet_body(
    connection: Connection, caller: Caller, stored: packets.StoredPacket
) -> Packet:
    """The packet as it is answered, made from the ledgers alone, so that it never varies."""
    task = await packets.task(connection, caller.house_id, stored.task_id)
    if task is None:
        raise NotFoundError("packet", stored.packet_id)
    placed = await packets.placed(connection, caller.house_id, stored.packet_id)
    wanted = [(place.lesson_id, place.version) for place in placed]
    wordings = await lessons.wordings(connection, caller.house_id, wanted)
    if task.target_id is None or len(wordings) < len(placed):
        raise ForgottenError("packet", stored.packet_id)
    return Packet(
        packet_id=stored.packet_id,
        task_id=stored.task_id,
        worker_id=task.worker_id,
        room=stored.scope.removeprefix("room:"),
        project_key=task.project_key,
        intent_digest=stored.intent_digest,
        visible_epoch=stored.visible_epoch,
        ruleset_version=stored.ruleset_version,
        lessons=tuple(_placed_lesson(place, wordings[place.lesson_id]) for place in placed),
        replaces=await _replacement(connection, caller, stored),
    )


async def _replacement(
    connection: Connection, caller: Caller, stored: packets.StoredPacket
) -> Replacement | None:
    """What the packet replaces and why, None iff it is the first of its intent."""
    if stored.previous is None:
        return None
    found = await packets.replacements(connection, caller.house_id, stored.packet_id)
    reasons = (ReplacementReason(**asdict(reason)) for reason in found)
    return Replacement(packet_id=stored.previous, reasons=tuple(reasons))


def _placed_lesson(place: packets.Placed, wording: lessons.Wording) -> PacketLesson:
    return PacketLesson(
        id=place.lesson_id,
        version=place.version,
        title=wording.title,
        lesson=wording.rule,
        trigger_context=wording.trigger_context,
        proof_pattern=wording.proof_pattern,
        place=place.place,
        basis=place.basis,
        derivation=place.certificate,
    )


def _findable(kind: str, key: str) -> str:
    """The key itself; nothing has a key with NUL, and PostgreSQL cannot even be asked for one."""
    if "\0" in key:
        raise NotFoundError(kind, key)
    return key


def _open_to(caller: Caller, record: packets.StoredPacket | packets.Task) -> bool:
    """Whether a packet or task is the caller's own, or in a scope that it administers."""
    own = record.principal_id == caller.token.principal_id
    return own or caller.may("administer", record.scope)


async def read_derivation(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> dict[str, Any]:
    """The certificate of that digest; whoever may read a packet that holds it may read it."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = _findable("derivation", digest)
        holders = await packets.holding(connection, token.house_id, name)
        stored = await proofs.derivation(connection, token.house_id, name)
    if stored is None or not any(_open_to(caller, holder) for holder in holders):
        raise NotFoundError("derivation", digest)
    return stored.certificate


async def read_facts(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> proofs.StoredFacts:
    """The set of given facts of that digest; whoever may read a packet that rests on it may."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = _findable("set of facts", digest)
        resting = await packets.resting_on(connection, token.house_id, name)
        stored = await proofs.stored_facts(connection, token.house_id, name)
    if stored is None or not any(_open_to(caller, packet) for packet in resting):
        raise NotFoundError("set of facts", digest)
    return stored


async def read_ruleset(runtime: Runtime, token: grants.Token, version: str) -> proofs.StoredRuleset:
    """The kept ruleset of that version; rule text is for everyone in a House."""
    if version == runtime.ruleset.version:
        return proofs.StoredRuleset(version, runtime.ruleset.text)
    async with runtime.database.inside(token.house_id, []) as connection:
        stored = await proofs.ruleset(connection, _findable("ruleset", version))
    if stored is None:
        raise NotFoundError("ruleset", version)
    return stored
