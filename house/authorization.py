"""Who calls, and what pack `routing` lets them do. Denied unless the rules conclude otherwise."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from engine import Fact, Model, certificate, digest, prove, restrict, set_digest
from house.runtime import Runtime
from store import Connection, acts, facts, grants, narrow, proofs

Body = TypeVar("Body")


class UnauthenticatedError(Exception):
    """No token, an unknown one, or one that has expired or was revoked: all the same outside."""

    def __init__(self) -> None:
        super().__init__("a valid token is needed")


class DeniedError(Exception):
    """The rules do not permit the operation; a scope that does not exist is denied just so."""

    def __init__(self, operation: str) -> None:
        super().__init__(f"operation `{operation}` is not permitted here")
        self.operation = operation


@dataclass(frozen=True, slots=True)
class Deed:
    """What is to be done, where it needs permission, and why.

    `subject` names what it is about, and stands for the reason when the caller gave none.
    """

    operation: str
    scopes: Sequence[str]
    subject: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated principal with what the rules concluded for it at one instant."""

    token: grants.Token
    readable: tuple[str, ...]
    model: Model
    given: tuple[Fact, ...]
    ruleset_version: str
    at: datetime

    @property
    def house_id(self) -> UUID:
        """The House of the token."""
        return self.token.house_id

    @property
    def authorization_digest(self) -> str:
        """The digest of the readable scopes; never of a token or a name."""
        return digest(["authorization", self.readable])

    @property
    def valid_until(self) -> datetime | None:
        """The first instant at which passing time could change what the rules permit, if any."""
        found = [int(row[0]) for row in self.model.of("valid_until")]
        return datetime.fromtimestamp(min(found), UTC) if found else None

    async def inside(self, connection: Connection, scopes: Collection[str]) -> "Caller":
        """The caller as of some of its scopes, to which the transaction is narrowed."""
        readable = tuple(scope for scope in self.readable if scope in scopes)
        await narrow(connection, self.house_id, readable)
        return replace(self, readable=readable)

    def may(self, operation: str, scope: str) -> bool:
        """Whether the operation is permitted in the scope."""
        return (operation, scope) in self.model.of("permitted")

    def scopes_of(self, operation: str) -> tuple[str, ...]:
        """The scopes in which the operation is permitted, sorted."""
        return tuple(sorted(str(s) for o, s in self.model.of("permitted") if o == operation))

    def permission(self, operation: str, scope: str) -> dict[str, Any]:
        """The certificate that the operation is permitted; raises `DeniedError` iff it is not."""
        if not self.may(operation, scope):
            raise DeniedError(operation)
        derivation = prove(self.model, "permitted", (operation, scope))
        return certificate(
            derivation, self.ruleset_version, [set_digest(self.given)], self.model.bounds
        )


@dataclass(frozen=True, slots=True)
class Answer(Generic[Body]):
    """What a caller gets, and the first instant at which passing time could change it, if any."""

    body: Body
    valid_until: datetime | None


def secret_hash(secret: str) -> bytes:
    """The SHA-256 under which a token is known."""
    return hashlib.sha256(secret.encode()).digest()


async def authenticate(runtime: Runtime, secret: str, at: datetime) -> grants.Token:
    """The token of a secret; raises `UnauthenticatedError` iff it opens nothing now."""
    async with runtime.database.connection() as connection:
        token = await grants.token_by_hash(connection, secret_hash(secret))
    if token is None or token.revoked or (token.expires_at and token.expires_at <= at):
        raise UnauthenticatedError
    return token


async def authorize(
    runtime: Runtime, connection: Connection, token: grants.Token, at: datetime
) -> Caller:
    """The caller with its conclusions; the transaction is then narrowed to what it may read."""
    given = await facts.routing_facts(connection, token, at)
    program = restrict(runtime.ruleset.program, ROUTING)
    model = await runtime.evaluator.run(program, [], given)
    readable = tuple(sorted(str(row[0]) for row in model.of("readable")))
    await narrow(connection, token.house_id, readable)
    return Caller(token, readable, model, tuple(given), runtime.ruleset.version, at)


async def record_act(connection: Connection, caller: Caller, deed: Deed) -> UUID:
    """Append the act of a caller in each scope, with the permission it rests on there.

    The id is that of the act in the least scope, which records name. Raises `DeniedError` iff the
    operation is not permitted in one of the scopes.
    """
    scopes = sorted(set(deed.scopes))
    permissions = [caller.permission(deed.operation, scope) for scope in scopes]
    await proofs.keep_facts(connection, caller.house_id, scopes, caller.given)
    principal = caller.token.principal_id
    made = [
        acts.Act(
            house_id=caller.house_id,
            act_id=act_id(principal, deed.operation, scope, deed.subject, caller.at),
            principal_id=principal,
            operation=deed.operation,
            scope=scope,
            basis=f"derivation:{permission['digest']}",
            reason=deed.reason or deed.subject,
            permission=permission,
            at=caller.at,
        )
        for scope, permission in zip(scopes, permissions, strict=True)
    ]
    for act in made:
        await acts.record(connection, act)
    return made[0].act_id


def act_id(principal: str, operation: str, scope: str, subject: str, at: datetime) -> UUID:
    """The id of an act: made of its content, so that the same act is never recorded twice."""
    return UUID(digest(["act", principal, operation, scope, subject, at.isoformat()])[:32])


ROUTING = (
    "permitted",
    "readable",
    "valid_until",
    "permitted_beyond_token",
    "permitted_without_basis",
    "in_force_wrongly",
    "readable_without_permission",
    "valid_until_wrongly",
)
