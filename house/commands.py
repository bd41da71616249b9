"""A command: one act that the rules permit, its records, its facts, and its kept answer.

Every command that changes what rules read goes through here, in this order: who calls and what
the rules permit; the answer that the same call had before; the act; the records; the facts.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from house.answers import ForgottenError
from house.authorization import Caller, Deed, DeniedError, authorize, record_act
from house.runtime import Runtime, unraced
from store import Connection, facts, grants, idempotency, lessons, narrow, one_at_a_time

Result: TypeAlias = Mapping[str, Any]


class ConflictError(Exception):
    """The records are not as the call takes them to be; `code` names the kind of conflict."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class KeyReusedError(ConflictError):
    """The idempotency key was used before, for another call."""

    def __init__(self) -> None:
        super().__init__("key_reused", "the idempotency key belongs to another call")


@dataclass(frozen=True, slots=True)
class Call:
    """A call as its entry point received it: who, when, the digest of what, under which key."""

    token: grants.Token
    at: datetime
    request_digest: str = ""
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a command did: its result, of ids and numbers only, and what it changed.

    `subjects` are those whose facts may have changed, `indexed` the lessons whose words have.
    """

    result: Result
    subjects: Sequence[str] = ()
    indexed: Sequence[str] = ()


Writer: TypeAlias = Callable[[Connection, Caller, UUID], Awaitable[Written]]
Asking: TypeAlias = Callable[[Connection, Caller], Awaitable[Deed]]
Standing: TypeAlias = Callable[[Connection, Caller], Awaitable[Result | None]]


async def _nothing_stands(_connection: Connection, _caller: Caller) -> None:
    return None


async def perform(
    runtime: Runtime,
    call: Call,
    deed: Deed | Asking,
    write: Writer,
    standing: Standing = _nothing_stands,
) -> Result:
    """Do what the rules permit, once for an idempotency key; the result.

    A `deed` that depends on records is asked for inside the transaction. `standing` gives the
    result when the records are already as the call wants them: then nothing is done and no act
    recorded. `write` is given the act that its records name, in a transaction that sees what the
    caller may read and the scopes of the deed. Raises `DeniedError`, `KeyReusedError`, and what
    these raise.
    """

    async def attempt() -> Result:
        async with runtime.database.changing(call.token.house_id, []) as connection:
            caller = await authorize(runtime, connection, call.token, call.at)
            wanted = deed if isinstance(deed, Deed) else await deed(connection, caller)
            if not wanted.scopes or not all(caller.may(wanted.operation, s) for s in wanted.scopes):
                raise DeniedError(wanted.operation)
            before = await kept_result(connection, call)
            if before is not None:
                return before
            seen = sorted({*caller.readable, *wanted.scopes})
            await narrow(connection, caller.house_id, seen)
            found = await standing(connection, caller)
            if found is not None:
                await keep_result(connection, call, found)
                return found
            act = await record_act(connection, caller, wanted)
            written = await write(connection, caller, act)
            await keep_result(connection, call, written.result)
            if written.subjects:
                await facts.advance(connection, written.subjects)
            if written.indexed:
                await lessons.index(connection, caller.house_id, written.indexed)
            return written.result

    return await unraced(attempt)


async def kept_result(connection: Connection, call: Call) -> Result | None:
    """What the same call led to before, None iff it was not made or has no key.

    Waits for a call with the same key that is under way. Raises `KeyReusedError` when the key
    belongs to another call, and `ForgottenError` when what that call said was forgotten.
    """
    if call.key is None:
        return None
    work = f"key {call.token.principal_id} {call.key}"
    await one_at_a_time(connection, call.token.house_id, work)
    kept = await idempotency.answer(connection, call.token, call.key)
    if kept is not None and kept.request_digest == idempotency.FORGOTTEN:
        raise ForgottenError("call", call.key)
    if kept is not None and kept.request_digest != call.request_digest:
        raise KeyReusedError
    return None if kept is None else kept.result


async def keep_result(connection: Connection, call: Call, result: Result) -> None:
    """Keep what a call with a key led to."""
    if call.key is not None:
        kept = idempotency.Kept(call.request_digest, dict(result))
        await idempotency.keep(connection, call.token, call.key, kept, call.at)
