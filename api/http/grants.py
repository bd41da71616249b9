"""Grants: who may do what, where and until when."""

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import GrantChanged, Grants, NewGrant, Revocation
from house import USUAL_ITEMS, Window, give_grant, list_grants, revoke_grant


class GrantRoutes(Controller):
    """`/v1/grants`."""

    path = "/v1/grants"
    tags = ["administration"]

    @post(
        "/",
        status_code=200,
        responses=documented(*CHANGES, "unknown_principal", "not_governing", "invalid_period"),
    )
    async def create(self, data: JSONBody[NewGrant], access: Authenticated) -> GrantChanged:
        """Give a grant of one operation in some scopes.

        A delegated one is given by the governing spirit of all of them, and lapses when it no
        longer governs one.
        """
        return await give_grant(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Grants:
        """List the grants in scopes that the caller administers, and its own, by id."""
        found = await list_grants(access.runtime, access.token, Window(limit, cursor), access.at)
        return Grants(items=found.items, next_cursor=found.next_cursor)

    @post(
        "/{grant_id:str}/revoke",
        status_code=200,
        responses=documented(*CHANGES, "not_found"),
    )
    async def revoke(
        self, grant_id: FromPath[str], data: JSONBody[Revocation], access: Authenticated
    ) -> GrantChanged:
        """Revoke a grant, from now on."""
        return await revoke_grant(access.runtime, access.call(data), grant_id, data)
