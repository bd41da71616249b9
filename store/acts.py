"""Ledger of acts: who did what, where, on what basis and why. Every other record names its act."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from store.database import Connection
from store.rows import write


@dataclass(frozen=True, slots=True)
class Act:
    """One act. `permission` is the certificate of the conclusion that permitted it, if one did."""

    house_id: UUID
    act_id: UUID
    principal_id: str
    operation: str
    scope: str
    basis: str
    reason: str
    permission: dict[str, Any] | None
    at: datetime


async def record(connection: Connection, act: Act) -> None:
    """Append an act."""
    await write(
        connection,
        "acts.record",
        {
            "house": act.house_id,
            "act": act.act_id,
            "principal": act.principal_id,
            "operation": act.operation,
            "scope": act.scope,
            "basis": act.basis,
            "reason": act.reason,
            "permission": None if act.permission is None else Jsonb(act.permission),
            "at": act.at,
        },
    )
