"""Reading what was answered: packets, derivations, sets of given facts, rulesets.

Each read authorizes anew: what the caller may not read now does not exist for it.
"""

from collections.abc import Collection
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
        stored = await packets.packet(connection, token.house_id, _findable("packet", packet_id))
        if stored is None or not _open_to(caller, stored):
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
    """The set of given facts of that digest, each of which the caller may read."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = _findable("set of facts", digest)
        stored = await proofs.stored_facts(connection, token.house_id, name)
        sources = {source for _, _, source in stored.facts} if stored else set[str]()
        if stored is None or not await _all_open(connection, caller, sources):
            raise NotFoundError("set of facts", digest)
    return stored


async def _all_open(connection: Connection, caller: Caller, sources: Collection[str]) -> bool:
    """Whether the caller may read all the records that facts of readable scopes rest on.

    Lessons and authority over them are open to all who read their scopes, a task is not; tokens
    and grants are nobody's to read here.
    """
    tasks: set[str] = set()
    for source in sources:
        kind, _, key = source.partition(":")
        if kind == "task":
            tasks.add(key.partition("@")[0])
        elif kind not in {"lesson", "authority", "scopes"}:
            return False
    found = [await packets.task(connection, caller.house_id, name) for name in sorted(tasks)]
    return all(task is not None and _open_to(caller, task) for task in found)


async def read_ruleset(runtime: Runtime, token: grants.Token, version: str) -> proofs.StoredRuleset:
    """The kept ruleset of that version; rule text is for everyone in a House."""
    if version == runtime.ruleset.version:
        return proofs.StoredRuleset(version, runtime.ruleset.text)
    async with runtime.database.inside(token.house_id, []) as connection:
        stored = await proofs.ruleset(connection, _findable("ruleset", version))
    if stored is None:
        raise NotFoundError("ruleset", version)
    return stored
