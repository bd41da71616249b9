"""Tokens: made, revoked and listed by who administers their scopes; secrets stay outside."""

from datetime import UTC, datetime
from uuid import UUID

from contracts import NewToken, Revocation, Token, TokenChanged
from engine import digest
from house.acting import acting_principal
from house.answers import NotFoundError
from house.authorization import Caller, Deed, authorize
from house.commands import Call, ConflictError, Result, Written, perform
from house.grants import PeriodError
from house.pages import CursorError, Page, Window, page_of, start_of
from house.runtime import Runtime
from house.visibility import list_name, shows, visible_to
from store import Connection, grants, houses


class TokenExistsError(ConflictError):
    """The secret belongs to another token, which may be anyone's."""

    def __init__(self) -> None:
        super().__init__("token_exists", "the secret belongs to another token")
        self.location = "sha256"


async def create_token(runtime: Runtime, call: Call, wanted: NewToken) -> TokenChanged:
    """Let a secret open what the token carries, for a principal and for a time.

    A token for somebody else is made by who also administers what is shared: with it one acts under
    another name. Raises `DeniedError`, `UnknownPrincipalError`, `PeriodError`, `TokenExistsError`.
    """
    made = _asked(call, wanted)
    sha256 = bytes.fromhex(wanted.sha256)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        found = await grants.token_by_hash(connection, sha256)
        if found is not None:
            if found != made:
                raise TokenExistsError
            return _told(found, unchanged=True)
        await acting_principal(connection, caller.house_id, made.principal_id)
        if made.expires_at and made.expires_at <= call.at:
            raise PeriodError("expires_at")
        return None

    async def write(connection: Connection, _caller: Caller, act: UUID) -> Written:
        await grants.add_token(connection, made, sha256, act)
        return Written(_told(made, unchanged=False))

    own = made.principal_id == call.token.principal_id
    scopes = made.scopes if own else [*made.scopes, houses.SHARED]
    deed = Deed("administer", scopes, f"token {made.token_id}", wanted.reason)
    return TokenChanged.model_validate(await perform(runtime, call, deed, write, standing))


async def revoke_token(
    runtime: Runtime, call: Call, token_id: str, wanted: Revocation
) -> TokenChanged:
    """End a token; raises `DeniedError`, and `NotFoundError` for one that the caller cannot see."""

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await _shown(connection, caller, token_id)
        return Deed(
            "administer", found.scopes, f"revocation of token {found.token_id}", wanted.reason
        )

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        found = await _shown(connection, caller, token_id)
        return _told(found, unchanged=True) if found.revoked else None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        found = await _shown(connection, caller, token_id)
        await grants.revoke_token(connection, caller.house_id, found.token_id, act)
        return Written(_told(found, unchanged=False, revoked=True))

    return TokenChanged.model_validate(await perform(runtime, call, asking, write, standing))


async def list_tokens(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Token]:
    """The tokens in scopes that the caller administers, and its own that its token carries."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        name = list_name("tokens", caller)
        (key,) = start_of(caller, name, window, [str(UUID(int=0))])
        try:
            after = UUID(key)
        except ValueError as cause:
            raise CursorError from cause
        visible = visible_to(caller, window.limit + 1)
        found = await grants.page_tokens(connection, caller.house_id, visible, after)
    return page_of(caller, name, window, [([str(t.token_id)], _entry(t)) for t in found])


def _asked(call: Call, wanted: NewToken) -> grants.Token:
    """The token that is asked for; its id is made of the hash, which it does not tell."""
    return grants.Token(
        house_id=call.token.house_id,
        token_id=UUID(digest(["token", wanted.sha256])[:32]),
        principal_id=wanted.principal,
        operations=sorted(set(wanted.operations)),
        scopes=sorted(set(wanted.scopes)),
        expires_at=wanted.expires_at,
    )


async def _shown(connection: Connection, caller: Caller, token_id: str) -> grants.Token:
    try:
        key = UUID(token_id)
    except ValueError as cause:
        raise NotFoundError("token", token_id) from cause
    found = await grants.token(connection, caller.house_id, key)
    if found is None or not shows(caller, found):
        raise NotFoundError("token", token_id)
    return found


def _told(found: grants.Token, *, unchanged: bool, revoked: bool | None = None) -> Result:
    return {
        "token_id": str(found.token_id),
        "revoked": found.revoked if revoked is None else revoked,
        "unchanged": unchanged,
    }


def _entry(found: grants.Token) -> Token:
    return Token(
        token_id=str(found.token_id),
        principal=found.principal_id,
        operations=tuple(found.operations),
        scopes=tuple(sorted(found.scopes)),
        expires_at=found.expires_at and found.expires_at.astimezone(UTC),
        revoked=found.revoked,
    )
