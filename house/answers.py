"""Reading what was answered: packets, derivations, sets of given facts, rulesets.

Each read authorizes anew: what the caller may not read now does not exist for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, cast

from contracts import Packet, PacketLesson, Replacement, ReplacementReason
from house.authorization import Answer, Caller, authorize
from house.runtime import Runtime
from store import Connection, forgettings, grants, lessons, packets, proofs


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
    stored = await packets.packet(connection, caller.house_id, findable("packet", packet_id))
    if stored is None or not open_to(caller, stored):
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


def findable(kind: str, key: str) -> str:
    """The key itself; nothing has a key with NUL, and PostgreSQL cannot even be asked for one."""
    if "\0" in key:
        raise NotFoundError(kind, key)
    return key


def open_to(caller: Caller, record: packets.StoredPacket) -> bool:
    """Whether a packet is the caller's own, or in a scope that it administers."""
    own = record.principal_id == caller.token.principal_id
    return own or caller.may("administer", record.scope)


async def read_derivation(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> dict[str, Any]:
    """The certificate of that digest; whoever may read a packet that holds it may read it.

    Raises `NotFoundError`, and `ForgottenError` iff it rests on what was forgotten.
    """
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = findable("derivation", digest)
        holders = await packets.holding(connection, token.house_id, name)
        stored = await proofs.derivation(connection, token.house_id, name)
        if stored is None or not any(open_to(caller, holder) for holder in holders):
            raise NotFoundError("derivation", digest)
        await _demand_evidence(connection, caller, "derivation", digest, stored.certificate)
    return stored.certificate


async def read_facts(
    runtime: Runtime, token: grants.Token, digest: str, at: datetime
) -> proofs.StoredFacts:
    """The set of given facts of that digest; whoever may read a packet that rests on it may.

    Raises `NotFoundError`, and `ForgottenError` iff a fact is about what was forgotten.
    """
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = findable("set of facts", digest)
        resting = await packets.resting_on(connection, token.house_id, name)
        stored = await proofs.stored_facts(connection, token.house_id, name)
        if stored is None or not any(open_to(caller, packet) for packet in resting):
            raise NotFoundError("set of facts", digest)
        await _demand_evidence(connection, caller, "set of facts", digest, stored.facts)
    return stored


async def _demand_evidence(
    connection: Connection, caller: Caller, kind: str, key: str, content: object
) -> None:
    """Raise `ForgottenError` iff what is to be read names a lesson or a task that was forgotten."""
    named = {name for text in _texts_in(content) for name in _ids_in(text)}
    if await forgettings.forgotten(connection, caller.house_id, named):
        raise ForgottenError(kind, key)


def _texts_in(content: object) -> Iterator[str]:
    """Every text of a JSON value."""
    stack = [content]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            stack += cast("Mapping[str, object]", item).values()
        elif isinstance(item, Sequence):
            stack += cast("Sequence[object]", item)


def _ids_in(text: str) -> Iterator[str]:
    """The ids of lessons and tasks that a value or a source such as `lesson:ID@VERSION` names."""
    _, _, rest = text.partition(":")
    for name in (text, rest.partition("@")[0]):
        if name.startswith(("lesson-", "task-")):
            yield name


async def read_ruleset(runtime: Runtime, token: grants.Token, version: str) -> proofs.StoredRuleset:
    """The kept ruleset of that version; rule text is for everyone in a House."""
    if version == runtime.ruleset.version:
        return proofs.StoredRuleset(version, runtime.ruleset.text)
    async with runtime.database.inside(token.house_id, []) as connection:
        stored = await proofs.ruleset(connection, findable("ruleset", version))
    if stored is None:
        raise NotFoundError("ruleset", version)
    return stored
