"""Why a lesson is not in a packet: the packs once more, over the facts and rules of the packet."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import UUID

from engine import Fact, Model, certificate, prove, restrict
from house.answers import NotFoundError, open_packet
from house.authorization import Answer, Caller, authorize
from house.commands import Call
from house.pages import Page, Window, page_of, start_of
from house.rulesets import ruleset_of
from house.runtime import Runtime
from store import Connection, packets, proofs

Reason: TypeAlias = tuple[str, str, str]
REASONS = ("ineligible", "passed_over")
_KEPT = 16


@dataclass(slots=True)
class ReasonCache:
    """The reasons of the packets asked for last. They never change: a packet's id names it all."""

    _found: OrderedDict[tuple[UUID, str], tuple[Reason, ...]] = field(
        default_factory=OrderedDict[tuple[UUID, str], tuple[Reason, ...]]
    )

    def get(self, house_id: UUID, packet_id: str) -> tuple[Reason, ...] | None:
        """The reasons of a packet, None iff they are not kept."""
        found = self._found.get((house_id, packet_id))
        if found is not None:
            self._found.move_to_end((house_id, packet_id))
        return found

    def put(self, house_id: UUID, packet_id: str, reasons: tuple[Reason, ...]) -> None:
        """Keep the reasons of a packet, and let the oldest go."""
        self._found[house_id, packet_id] = reasons
        if len(self._found) > _KEPT:
            self._found.popitem(last=False)


async def lessons_left_out(
    runtime: Runtime, call: Call, packet_id: str, cache: ReasonCache, window: Window
) -> Answer[Page[Reason]]:
    """A page of the lessons left out: lesson, reason and basis, in that order.

    Raises `NotFoundError`, `CursorError`, and what evaluation raises.
    """
    async with runtime.database.inside(call.token.house_id, []) as connection:
        caller = await authorize(runtime, connection, call.token, call.at)
        packet = await open_packet(connection, caller, packet_id)
        name = f"left-out {packet.packet_id}"
        after = tuple(start_of(caller, name, window, ["", "", ""]))
        found = cache.get(caller.house_id, packet.packet_id)
        if found is None:
            model, _ = await _model(runtime, connection, caller, packet)
            rows = {(str(a), str(b), str(c)) for r in REASONS for a, b, c in model.of(r)}
            found = tuple(sorted(rows))
            cache.put(caller.house_id, packet.packet_id, found)
    following = [row for row in found if row > after][: window.limit + 1]
    page = page_of(caller, name, window, [(row, row) for row in following])
    return Answer(page, caller.valid_until)


async def why_left_out(
    runtime: Runtime, call: Call, packet_id: str, lesson_id: str
) -> list[dict[str, Any]]:
    """The certificates of every reason against one lesson, by reason and basis.

    Raises `NotFoundError` when the packet rests on no such lesson, or holds it.
    """
    async with runtime.database.inside(call.token.house_id, []) as connection:
        caller = await authorize(runtime, connection, call.token, call.at)
        packet = await open_packet(connection, caller, packet_id)
        model, version = await _model(runtime, connection, caller, packet)
    rows = [(r, row) for r in REASONS for row in sorted(model.of(r)) if row[0] == lesson_id]
    if not rows:
        raise NotFoundError("lesson left out", lesson_id)
    return [
        certificate(prove(model, relation, row), version, packet.given_digests, model.bounds)
        for relation, row in rows
    ]


async def _model(
    runtime: Runtime, connection: Connection, caller: Caller, packet: packets.StoredPacket
) -> tuple[Model, str]:
    """The model of a packet, from what was kept with it."""
    ruleset = await ruleset_of(connection, runtime.ruleset, packet.ruleset_version)
    sets: list[list[Fact]] = []
    for name in packet.given_digests:
        stored = await proofs.stored_facts(connection, caller.house_id, name)
        rows = stored.facts if stored else []
        sets.append([Fact.of(relation, tuple(values), source) for relation, values, source in rows])
    if ruleset is None or len(sets) != 2 or not all(sets):  # noqa: PLR2004 - House and task
        raise NotFoundError("packet", packet.packet_id)
    program = restrict(ruleset.program, REASONS)
    return await runtime.evaluator.run(program, sets[0], sets[1]), ruleset.version
