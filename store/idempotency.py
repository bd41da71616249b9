"""Ledger of repeated calls: what a call with an idempotency key led to.

A result holds ids and numbers only; its answer is made from it again, under the rights of then.
What forgetting deletes takes the digests of the calls that carried it along.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from store.database import Connection
from store.grants import Token
from store.rows import one, write

FORGOTTEN = "forgotten"
"""Stands in the place of a digest of what was forgotten."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The digest of a call and its result, kept under the key that the call named."""

    request_digest: str
    result: dict[str, Any]


async def answer(connection: Connection, token: Token, key: str) -> Kept | None:
    """What the call of the token's principal under that key led to, None iff there was none."""
    parameters = {"house": token.house_id, "principal": token.principal_id, "key": key}
    return await one(connection, Kept, "idempotency.answer", parameters)


async def keep(connection: Connection, token: Token, key: str, kept: Kept, at: datetime) -> None:
    """Append the result of a call that was made with a token.

    Raises psycopg's `UniqueViolation` when the same call was answered meanwhile.
    """
    parameters = {
        "house": token.house_id,
        "principal": token.principal_id,
        "key": key,
        "request": kept.request_digest,
        "result": Jsonb(kept.result),
        "at": at,
    }
    await write(connection, "idempotency.keep", parameters)
