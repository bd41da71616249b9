"""Ledgers of grants and tokens: who may do what where, and who is calling."""

from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from store.database import Connection
from store.rows import every, one, write


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant of one operation in some scopes. `valid_until` None: until revoked.

    `delegator` is the governing spirit that gave it to act in its place, if one did.
    """

    house_id: UUID
    grant_id: str
    principal_id: str
    operation: str
    scopes: list[str]
    valid_from: datetime
    valid_until: datetime | None
    delegator: str | None = None
    revoked: bool = False


@dataclass(frozen=True, slots=True)
class Visible:
    """Whose grants and tokens a list shows: all in the administered scopes, and a principal's own.

    Of its own those only whose scopes the token carries; `after` and `limit` bound the page.
    """

    principal: str
    administered: list[str]
    carried: list[str]
    limit: int


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; the secret itself is never stored, only its SHA-256.

    `scopes` are those that it was made for, and the rooms that were made with it.
    """

    house_id: UUID
    token_id: UUID
    principal_id: str
    operations: list[str]
    scopes: list[str]
    expires_at: datetime | None
    revoked: bool = False


async def give(connection: Connection, grant: Grant, act_id: UUID) -> None:
    """Append a grant."""
    await write(
        connection,
        "grants.give",
        {
            "house": grant.house_id,
            "grant": grant.grant_id,
            "principal": grant.principal_id,
            "operation": grant.operation,
            "scopes": grant.scopes,
            "valid_from": grant.valid_from,
            "valid_until": grant.valid_until,
            "delegator": grant.delegator,
            "act": act_id,
        },
    )


async def equal(connection: Connection, wanted: Grant, *, begun: bool) -> Grant | None:
    """A grant that nobody revoked and that gives just what is wanted, None iff there is none.

    It starts when the wanted one does; with `begun`, then or before, or with its own act.
    """
    parameters = {
        "house": wanted.house_id,
        "principal": wanted.principal_id,
        "operation": wanted.operation,
        "scopes": wanted.scopes,
        "valid_from": wanted.valid_from,
        "valid_until": wanted.valid_until,
        "delegator": wanted.delegator,
        "begun": begun,
    }
    return await one(connection, Grant, "grants.equal", parameters)


async def revoke(connection: Connection, house_id: UUID, grant_id: str, act_id: UUID) -> None:
    """Append the revocation of a grant."""
    parameters = {"house": house_id, "grant": grant_id, "act": act_id}
    await write(connection, "grants.revoke", parameters)


async def grant(connection: Connection, house_id: UUID, grant_id: str) -> Grant | None:
    """The grant of that id, None iff there is none."""
    return await one(connection, Grant, "grants.grant", {"house": house_id, "grant": grant_id})


async def page(connection: Connection, house_id: UUID, visible: Visible, after: str) -> list[Grant]:
    """The grants that a list shows after an id, by id, revoked and lapsed ones included."""
    parameters = asdict(visible) | {"house": house_id, "after": after}
    return await every(connection, Grant, "grants.page", parameters)


async def add_token(connection: Connection, token: Token, sha256: bytes, act_id: UUID) -> None:
    """Append a token by the SHA-256 of its secret."""
    await write(
        connection,
        "grants.add_token",
        {
            "house": token.house_id,
            "token": token.token_id,
            "sha256": sha256,
            "principal": token.principal_id,
            "operations": token.operations,
            "scopes": token.scopes,
            "expires_at": token.expires_at,
            "act": act_id,
        },
    )


async def carry(connection: Connection, token: Token, room: str, act_id: UUID) -> None:
    """Append that a token carries a room that was made with it."""
    parameters = {"house": token.house_id, "token": token.token_id, "room": room, "act": act_id}
    await write(connection, "grants.carry", parameters)


async def revoke_token(connection: Connection, house_id: UUID, token_id: UUID, act: UUID) -> None:
    """Append the revocation of a token."""
    parameters = {"house": house_id, "token": token_id, "act": act}
    await write(connection, "grants.revoke_token", parameters)


async def token_by_hash(connection: Connection, sha256: bytes) -> Token | None:
    """The token with that hash, of whatever House; None iff there is none."""
    return await one(connection, Token, "grants.token_by_hash", {"sha256": sha256})


async def token(connection: Connection, house_id: UUID, token_id: UUID) -> Token | None:
    """The token of that id, None iff there is none."""
    return await one(connection, Token, "grants.token", {"house": house_id, "token": token_id})


async def page_tokens(
    connection: Connection, house_id: UUID, visible: Visible, after: UUID
) -> list[Token]:
    """The tokens that a list shows after an id, by id, revoked and expired ones included."""
    parameters = asdict(visible) | {"house": house_id, "after": after}
    return await every(connection, Token, "grants.page_tokens", parameters)
