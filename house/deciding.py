"""Decide a packet: the facts of House and task, the packs over them, the records of the answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contracts import TaskStart
from engine import Fact, Model, Row, certificate, digest, prove, restrict
from house.authorization import Caller, Deed, record_act
from house.runtime import Runtime
from store import Connection, contents, facts, packets, proofs
from store.relevance import relevance_facts, score_words

CONCLUSIONS = (
    "selected",
    "ineligible",
    "undecided",
    "decided_twice",
    "eligible_without_authority",
    "eligible_though_superseded",
    "eligible_elsewhere",
    "eligible_in_another_state",
    "selected_not_eligible",
    "selected_without_match",
    "selected_with_opposite",
    "place_taken_twice",
    "place_out_of_line",
    "always_on_too_much",
    "selected_out_of_order",
    "outranked_wrongly",
    "unexplained",
    "withdrawn_wrongly",
)


@dataclass(frozen=True, slots=True)
class Question:
    """A task that needs a packet, and the packet that it replaces, with the reasons, if it does."""

    task: TaskStart
    record: packets.Task
    replaced: packets.StoredPacket | None
    reasons: Sequence[packets.Replacement]


@dataclass(frozen=True, slots=True)
class _Decision:
    """A model, the sets of facts that it rests on, and the rules."""

    model: Model
    base: Sequence[Fact]
    request: Sequence[Fact]
    digests: list[str]
    version: str


async def new_packet(
    runtime: Runtime, connection: Connection, caller: Caller, question: Question
) -> packets.StoredPacket:
    """Evaluate, and append task, packet and all that the packet rests on."""
    decision = await _decide(runtime, connection, caller, question)
    record, house_id, scopes = question.record, caller.house_id, caller.readable
    texts = [contents.content_of(record.scope, text) for text in _texts(question.task)]
    await contents.keep_from_forgetting(connection, house_id)
    await contents.keep(connection, house_id, record.scope, texts)
    await packets.add_task(connection, house_id, record)
    deed = Deed("start_task", [record.scope], record.task_id)
    act = await record_act(connection, caller, deed)
    await proofs.keep_ruleset(connection, decision.version, runtime.ruleset.text, record.at)
    for given in (decision.base, decision.request):
        await proofs.keep_facts(connection, house_id, scopes, given)
    chosen = sorted(decision.model.of("selected"), key=lambda row: row[1])
    certificates = [_certificate(decision, row) for row in chosen]
    await proofs.keep_derivations(connection, house_id, scopes, certificates)
    packet = packets.StoredPacket(
        packet_id=_packet_id(question, decision),
        task_id=record.task_id,
        scope=record.scope,
        scopes=list(scopes),
        principal_id=record.principal_id,
        intent_digest=record.intent_digest,
        authorization_digest=caller.authorization_digest,
        visible_epoch=await facts.visible_epoch(connection, house_id),
        ruleset_version=decision.version,
        previous=question.replaced.packet_id if question.replaced else None,
        given_digests=decision.digests,
    )
    versions = {
        str(f.values[0]): int(f.values[1]) for f in decision.base if f.relation == "lesson_version"
    }
    places = [
        packets.StoredLesson(
            place=int(row[1]),
            lesson_id=str(row[0]),
            version=versions[str(row[0])],
            basis="match" if row[2] == "match" else "always_on",
            derivation=made["digest"],
        )
        for row, made in zip(chosen, certificates, strict=True)
    ]
    await packets.add_packet(connection, house_id, act, packet, places)
    await packets.add_replacements(connection, house_id, packet.packet_id, question.reasons)
    return packet


async def _decide(
    runtime: Runtime, connection: Connection, caller: Caller, question: Question
) -> _Decision:
    """The model of the packs over the facts of this instant."""
    base = await facts.base(connection, caller.house_id)
    request = await _request_facts(connection, caller, question)
    program = restrict(runtime.ruleset.program, CONCLUSIONS)
    model = await runtime.evaluator.run(program, base, request)
    digests = [await asyncio.to_thread(proofs.name_of, given) for given in (base, request)]
    return _Decision(model, base, request, digests, runtime.ruleset.version)


def _packet_id(question: Question, decision: _Decision) -> str:
    """The id of a packet: made of what went into it, all of it visible to the caller."""
    replaced = question.replaced.packet_id if question.replaced else ""
    parts = [question.record.task_id, replaced, decision.version, *decision.digests]
    return "packet-" + digest(["packet", *parts])[:32]


def _certificate(decision: _Decision, row: Row) -> dict[str, Any]:
    """The certificate that a lesson was selected."""
    model = decision.model
    proof = prove(model, "selected", row)
    return certificate(proof, decision.version, decision.digests, model.bounds)


async def _request_facts(connection: Connection, caller: Caller, question: Question) -> list[Fact]:
    """The facts of this task: room, project, state vector, and the relevance of its words.

    They rest on the task and, as relevance is counted over them, on the scopes that it can use.
    """
    record, state = question.record, question.task.state
    source = f"task:{record.task_id}@{caller.authorization_digest}"
    given = [
        Fact.of("task_scope", (record.scope,), source),
        Fact.of("task_project", (record.project_key,), source),
    ]
    for relation, keys in (
        ("task_stage", state.stages),
        ("task_register", state.registers),
        ("task_language", state.languages),
        ("task_technology", state.technologies),
    ):
        given.extend(Fact.of(relation, (key,), source) for key in sorted(set(keys)))
    words = "\n".join([question.task.task_kind, *_texts(question.task)])
    found = await score_words(connection, caller.house_id, words)
    return [*given, *relevance_facts(found, source)]


def _texts(task: TaskStart) -> list[str]:
    return [task.target, task.change, *task.proof_contract]
