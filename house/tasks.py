"""Start a task: one lesson packet for one intent."""

from datetime import datetime

from contracts import Packet, TaskStart, intent_digest
from engine import digest
from house.answers import packet_body
from house.authorization import Answer, Caller, DeniedError, authorize
from house.commands import Call, ConflictError, keep_result, kept_result
from house.deciding import Question, new_packet
from house.runtime import Runtime, unraced
from house.withdrawals import reasons_against
from store import (
    Connection,
    contents,
    facts,
    forgettings,
    grants,
    houses,
    packets,
    projects,
    vocabulary,
)


class UnknownProjectError(Exception):
    """The project is not registered where the task wants to use it."""

    def __init__(self, project: str) -> None:
        super().__init__(f"project `{project}` is not registered")
        self.project = project


class UndeclaredValueError(Exception):
    """The adapter declared which values of a kind it uses, and this is none of them."""

    def __init__(self, kind: str, value: str) -> None:
        super().__init__(f"{kind.replace('_', ' ')} `{value}` was not declared by this adapter")
        self.location = kind if kind in {"phase", "task_kind"} else "state"


class RoomNotNamedError(Exception):
    """The token is good for several rooms, and the task names none of them."""

    def __init__(self) -> None:
        super().__init__("the token is bound to several rooms: name one in `room`")


class EpochNotReachedError(ConflictError):
    """The caller demands an epoch that its scopes have not reached yet."""

    def __init__(self, wanted: int, found: int) -> None:
        super().__init__("epoch_not_reached", f"epoch {wanted} is not reached, {found} is")


async def start_task(runtime: Runtime, call: Call, task: TaskStart) -> Answer[Packet]:
    """The packet of the task's intent: the one that stands, or a new one.

    A packet stands until a lesson inside loses its authority, is superseded, replaced or forgotten,
    or can no longer be read; its successor says what it replaces and why.
    Raises `DeniedError`, `UnknownProjectError`, `UndeclaredValueError`, `RoomNotNamedError`,
    `EpochNotReachedError`, `KeyReusedError`, `ForgottenError`, and what evaluation raises.
    """

    async def attempt() -> Answer[Packet]:
        async with runtime.database.inside(call.token.house_id, []) as connection:
            caller = await authorize(runtime, connection, call.token, call.at)
            scope = room_scope(call.token, task.room)
            if not caller.may("start_task", scope):
                raise DeniedError("start_task")
            if scope not in caller.readable:
                raise DeniedError("read")
            kept = await kept_result(connection, call)
            caller = await caller.inside(connection, {scope, houses.SHARED})
            await _admit(connection, caller, task)
            record = await _task_record(connection, caller, task, scope, call.at)
            stored = await packets.last_of_intent(connection, caller.house_id, record)
            reasons = await reasons_against(runtime, connection, caller, stored) if stored else []
            if stored is None or reasons:
                question = Question(task, record, stored, tuple(reasons))
                stored = await new_packet(runtime, connection, caller, question)
            if kept is None:
                await keep_result(connection, call, {"packet_id": stored.packet_id})
            body = await packet_body(connection, caller, stored)
            return Answer(body, caller.valid_until)

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


async def _admit(connection: Connection, caller: Caller, task: TaskStart) -> None:
    """Refuse what the task names and the House does not know, and an epoch not reached."""
    if task.project_key not in await projects.usable(connection, caller.house_id, caller.readable):
        raise UnknownProjectError(task.project_key)
    words = await vocabulary.of_principal(connection, caller.house_id, caller.token.principal_id)
    declared: dict[str, set[str]] = {}
    for word in words:
        declared.setdefault(word.kind, set()).add(word.value)
    for kind, values in (
        ("phase", [task.phase]),
        ("task_kind", [task.task_kind]),
        ("stage", task.state.stages),
        ("register", task.state.registers),
        ("language", task.state.languages),
        ("technology", task.state.technologies),
    ):
        for value in values:
            if kind in declared and value not in declared[kind]:
                raise UndeclaredValueError(kind, value)
    if task.minimum_epoch is not None:
        found = await facts.visible_epoch(connection, caller.house_id)
        if found < task.minimum_epoch:
            raise EpochNotReachedError(task.minimum_epoch, found)


async def _task_record(
    connection: Connection, caller: Caller, task: TaskStart, scope: str, at: datetime
) -> packets.Task:
    """The task as the ledger keeps it; its id is made of room, principal and intent.

    A task that was forgotten stays so: the same intent is then another task.
    """
    intent = intent_digest(task)
    principal = caller.token.principal_id
    parts = ["task", str(caller.house_id), scope, principal, intent]
    task_id = f"task-{digest(parts)[:32]}"
    while await forgettings.forgotten(connection, caller.house_id, [task_id]):
        task_id = f"task-{digest([*parts, task_id])[:32]}"
    return packets.Task(
        task_id=task_id,
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
