"""Principals: who can be granted something."""

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import NewPrincipal, PrincipalChanged, Principals, Revocation
from house import USUAL_ITEMS, Window, create_principal, list_principals, revoke_principal


class PrincipalRoutes(Controller):
    """`/v1/principals`."""

    path = "/v1/principals"
    tags = ["administration"]

    @post("/", status_code=200, responses=documented(*CHANGES, "principal_exists"))
    async def create(self, data: JSONBody[NewPrincipal], access: Authenticated) -> PrincipalChanged:
        """Register a principal."""
        return await create_principal(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Principals:
        """List all principals for who administers what is shared, else the caller alone."""
        window = Window(limit, cursor)
        found = await list_principals(access.runtime, access.token, window, access.at)
        return Principals(items=found.items, next_cursor=found.next_cursor)

    @post(
        "/{principal:str}/revoke",
        status_code=200,
        responses=documented(*CHANGES, "not_found", "last_operator"),
    )
    async def revoke(
        self, principal: FromPath[str], data: JSONBody[Revocation], access: Authenticated
    ) -> PrincipalChanged:
        """Revoke a principal: its tokens open nothing, and it governs nothing, from now on."""
        return await revoke_principal(access.runtime, access.call(data), principal, data)
