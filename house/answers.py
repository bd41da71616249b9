"""Reading what was answered: packets, derivations, sets of given facts, rulesets.

Each read authorizes anew: what the caller may not read now does not exist for it.
"""

from datetime import datetime
from typing import Any

from contracts import Packet, PacketLesson
from house.authorization import Caller, authorize
from house.runtime import Runtime
from store import Connection, grants, lessons, packets, proofs


class NotFoundError(Exception):
    """There is no such thing, or the caller may not read it: the two look the same."""

    def __init__(self, kind: str, key: str) -> None:
        super().__init__(f"no {kind} `{key}`")
        self.kind = kind
        self.key = key


async def read_packet(
    runtime: Runtime, token: grants.Token, packet_id: str, at: datetime
) -> Packet:
    """A packet of the caller's own, or any readable one for who may administer its scope."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        stored = await packets.packet(connection, token.house_id, packet_id)
        own = stored is not None and stored.principal_id == token.principal_id
        if stored is None or not (own or caller.may("administer", stored.scope)):
            raise NotFoundError("packet", packet_id)
        return await packet_body(connection, caller, stored)


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
    )


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


async def read_derivation(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> dict[str, Any]:
    """The certificate of that digest, all of whose facts the caller may read."""
    async with runtime.database.inside(token.house_id, []) as connection:
        await authorize(runtime, connection, token, at)
        stored = await proofs.derivation(connection, token.house_id, digest)
    if stored is None:
        raise NotFoundError("derivation", digest)
    return stored.certificate


async def read_facts(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> proofs.StoredFacts:
    """The set of given facts of that digest, all of which the caller may read."""
    async with runtime.database.inside(token.house_id, []) as connection:
        await authorize(runtime, connection, token, at)
        stored = await proofs.stored_facts(connection, token.house_id, digest)
    if stored is None:
        raise NotFoundError("set of facts", digest)
    return stored


async def read_ruleset(runtime: Runtime, token: grants.Token, version: str) -> proofs.StoredRuleset:
    """The kept ruleset of that version; rule text is for everyone in a House."""
    if version == runtime.ruleset.version:
        return proofs.StoredRuleset(version, runtime.ruleset.text)
    async with runtime.database.inside(token.house_id, []) as connection:
        stored = await proofs.ruleset(connection, version)
    if stored is None:
        raise NotFoundError("ruleset", version)
    return stored
