"""The start of a task, and the digest that names its intent."""

import hashlib
from typing import Annotated, Literal, TypeAlias

import rfc8785
from pydantic import Field

from contracts.texts import Contract, Key, ProjectKey, Prose, RoomKey

Name: TypeAlias = Annotated[str, Field(pattern=r"^[^\x00-\x1f]{1,200}$")]
Keys: TypeAlias = Annotated[tuple[Key, ...], Field(max_length=64, strict=False)]


class StateVector(Contract):
    """What the adapter knows of the situation; an empty list means that it does not know."""

    stages: Keys = ()
    registers: Keys = ()
    languages: Keys = ()
    technologies: Keys = ()


class TaskStart(Contract):
    """A task that starts: the nine fields of the intent, and beside them room and state vector.

    `room` may only name a room of the token, and is needed only if the token has several.
    `minimum_epoch` demands an answer that knows all that the visible epoch of that number held.
    """

    worker_id: Name
    worker_role: Name
    phase: Name
    project_key: ProjectKey
    task_kind: Name
    risk: Literal["low", "medium", "high"]
    target: Prose
    change: Prose
    proof_contract: Annotated[tuple[Prose, ...], Field(min_length=1, max_length=50, strict=False)]
    room: RoomKey | None = None
    state: StateVector = StateVector()
    minimum_epoch: Annotated[int, Field(ge=0, le=2**53 - 1)] | None = None


INTENT_FIELDS = (
    "worker_id",
    "worker_role",
    "phase",
    "project_key",
    "task_kind",
    "risk",
    "target",
    "change",
    "proof_contract",
)


def intent_digest(task: TaskStart) -> str:
    """The SHA-256, in hexadecimal, of the RFC 8785 JSON of the nine intent fields."""
    intent = task.model_dump(mode="json", include=set(INTENT_FIELDS))
    return hashlib.sha256(rfc8785.dumps(intent)).hexdigest()
