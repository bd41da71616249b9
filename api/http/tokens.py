"""Tokens: what a secret opens; the secret itself never comes here but as the caller's own."""

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import NewToken, Revocation, TokenChanged, Tokens
from house import USUAL_ITEMS, Window, create_token, list_tokens, revoke_token


class TokenRoutes(Controller):
    """`/v1/tokens`."""

    path = "/v1/tokens"
    tags = ["administration"]

    @post(
        "/",
        status_code=200,
        responses=documented(*CHANGES, "unknown_principal", "invalid_period", "token_exists"),
    )
    async def create(self, data: JSONBody[NewToken], access: Authenticated) -> TokenChanged:
        """Make a token for a secret that the client drew and keeps; only its SHA-256 is sent."""
        return await create_token(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Tokens:
        """List the tokens in scopes that the caller administers, and its own, by id."""
        found = await list_tokens(access.runtime, access.token, Window(limit, cursor), access.at)
        return Tokens(items=found.items, next_cursor=found.next_cursor)

    @post(
        "/{token_id:str}/revoke",
        status_code=200,
        responses=documented(*CHANGES, "not_found"),
    )
    async def revoke(
        self, token_id: FromPath[str], data: JSONBody[Revocation], access: Authenticated
    ) -> TokenChanged:
        """Revoke a token, from now on."""
        return await revoke_token(access.runtime, access.call(data), token_id, data)
