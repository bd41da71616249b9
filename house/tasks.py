"""Start a task: one lesson packet for one intent."""

from datetime import datetime
from typing import Any

from contracts import Packet, TaskStart, intent_digest
from engine import Fact, Model, Row, certificate, digest, prove, restrict
from house.answers import packet_body
from house.authorization import Caller, DeniedError, authorize, record_act
from house.runtime import Runtime, unraced
from store import Connection, contents, facts, grants, houses, lessons, packets, proofs
from store.relevance import score_words


class UnknownProjectError(Exception):
    """The project is not registered in the House."""

    def __init__(self, project: str) -> None:
        super().__init__(f"project `{project}` is not registered")
        self.project = project


class RoomNotNamedError(Exception):
    """The token is good for several rooms, and the task names none of them."""

    def __init__(self) -> None:
        super().__init__("the token is bound to several rooms: name one in `room`")


CONCLUSIONS = (
    "selected",
    "ineligible",
    "undecided",
    "eligible_without_authority",
    "selected_not_eligible",
    "selected_with_opposite",
    "place_taken_twice",
)


async def start_task(
    runtime: Runtime, token: grants.Token, task: TaskStart, at: datetime
) -> Packet:
    """The packet of the task's intent: the one that it has already, or a new one.

    Raises `DeniedError`, `UnknownProjectError`, `RoomNotNamedError`, and what evaluation raises.
    """

    async def attempt() -> Packet:
        async with runtime.database.inside(token.house_id, []) as connection:
            caller = await authorize(runtime, connection, token, at)
            scope = room_scope(token, task.room)
            if not caller.may("start_task", scope):
                raise DeniedError("start_task")
            if scope not in caller.readable:
                raise DeniedError("read")
            if not await houses.has_project(connection, token.house_id, task.project_key):
                raise UnknownProjectError(task.project_key)
            record = _task_record(caller, task, scope, at)
            stored = await packets.packet_of_intent(
                connection, token.house_id, record, caller.authorization_digest
            )
            if stored is None:
                stored = await _new_packet(runtime, connection, caller, task, record)
            return await packet_body(connection, caller, stored)

    return await unraced(attempt)


def room_scope(token: grants.Token, room: str | None) -> str:
    """The scope of the task's room: the only one of the token, or the one that the task names."""
    rooms = [scope for scope in token.scopes if scope != houses.SHARED]
    if room == houses.SHARED:
        raise DeniedError("start_task")
    if room is not None:
        return houses.scope_of(room)
    if len(rooms) != 1:
        raise RoomNotNamedError
    return rooms[0]


def _task_record(caller: Caller, task: TaskStart, scope: str, at: datetime) -> packets.Task:
    """The task as the ledger keeps it; its id is made of room, principal and intent."""
    intent = intent_digest(task)
    principal = caller.token.principal_id
    name = digest(["task", str(caller.house_id), scope, principal, intent])[:32]
    return packets.Task(
        task_id=f"task-{name}",
        principal_id=principal,
        scope=scope,
        worker_id=task.worker_id,
        worker_role=task.worker_role,
        phase=task.phase,
        project_key=task.project_key,
        task_kind=task.task_kind,
        risk=task.risk,
        target_id=contents.content_of(scope, task.target).content_id,
        change_id=contents.content_of(scope, task.change).content_id,
        proof_ids=[contents.content_of(scope, p).content_id for p in task.proof_contract],
        intent_digest=intent,
        at=at,
    )


async def _new_packet(
    runtime: Runtime,
    connection: Connection,
    caller: Caller,
    task: TaskStart,
    record: packets.Task,
) -> packets.StoredPacket:
    """Evaluate, and append task, packet and all that the packet rests on."""
    current = await lessons.current(connection, caller.house_id)
    links = await lessons.links(connection, caller.house_id)
    base = facts.base_facts(current, links, caller.authorization_digest)
    request = await _request_facts(connection, caller, task, record)
    program = restrict(runtime.ruleset.program, CONCLUSIONS)
    model = await runtime.evaluator.run(program, base, request)
    house_id, scopes, version = caller.house_id, caller.readable, runtime.ruleset.version
    texts = [contents.content_of(record.scope, text) for text in _texts(task)]
    await contents.keep(connection, house_id, record.scope, texts)
    await packets.add_task(connection, house_id, record)
    act = await record_act(connection, caller, "start_task", record.scope, record.task_id)
    await proofs.keep_ruleset(connection, version, runtime.ruleset.text, record.at)
    digests = [
        await proofs.keep_facts(connection, house_id, scopes, base),
        await proofs.keep_facts(connection, house_id, scopes, request),
    ]
    versions = {lesson.lesson_id: lesson.version for lesson in current}
    chosen = sorted(model.of("selected"), key=lambda row: row[1])
    certificates = [_certificate(model, row, version, digests) for row in chosen]
    await proofs.keep_derivations(connection, house_id, scopes, certificates)
    packet = packets.StoredPacket(
        packet_id=_packet_id(record, caller, version, digests),
        task_id=record.task_id,
        scope=record.scope,
        scopes=list(scopes),
        principal_id=record.principal_id,
        intent_digest=record.intent_digest,
        authorization_digest=caller.authorization_digest,
        visible_epoch=await lessons.visible_epoch(connection, house_id),
        ruleset_version=version,
    )
    places = [
        packets.StoredLesson(
            place=int(row[1]),
            lesson_id=str(row[0]),
            version=versions[str(row[0])],
            basis="match" if row[2] == "match" else "always_on",
            derivation=certificate["digest"],
        )
        for row, certificate in zip(chosen, certificates, strict=True)
    ]
    await packets.add_packet(connection, house_id, act, packet, places)
    return packet


def _packet_id(record: packets.Task, caller: Caller, version: str, digests: list[str]) -> str:
    """The id of a packet: made of what went into it, all of it visible to the caller."""
    return (
        "packet-"
        + digest(["packet", record.task_id, caller.authorization_digest, version, *digests])[:32]
    )


def _certificate(model: Model, row: Row, version: str, digests: list[str]) -> dict[str, Any]:
    """The certificate that a lesson was selected."""
    return certificate(prove(model, "selected", row), version, digests, model.bounds)


async def _request_facts(
    connection: Connection, caller: Caller, task: TaskStart, record: packets.Task
) -> list[Fact]:
    """The facts of this task: room, project, state vector, and the relevance of its words.

    They rest on the task and, as relevance is counted over them, on the caller's readable scopes.
    """
    source = f"task:{record.task_id}@{caller.authorization_digest}"
    given = [
        Fact.of("task_scope", (record.scope,), source),
        Fact.of("task_project", (record.project_key,), source),
    ]
    for relation, keys in (
        ("task_stage", task.state.stages),
        ("task_register", task.state.registers),
        ("task_language", task.state.languages),
        ("task_technology", task.state.technologies),
    ):
        given.extend(Fact.of(relation, (key,), source) for key in sorted(set(keys)))
    words = "\n".join([task.task_kind, *_texts(task)])
    found = await score_words(connection, caller.house_id, words)
    return [*given, *facts.relevance_facts(found, source)]


def _texts(task: TaskStart) -> list[str]:
    return [task.target, task.change, *task.proof_contract]
