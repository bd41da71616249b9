"""Vocabularies: what adapters declare that they use."""

from litestar import Controller, get, post
from litestar.params import JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import NewWords, Words, WordsDeclared
from house import USUAL_ITEMS, Window, list_vocabulary, register_vocabulary


class VocabularyRoutes(Controller):
    """`/v1/vocabulary`."""

    path = "/v1/vocabulary"
    tags = ["administration"]

    @post("/", status_code=200, responses=documented(*CHANGES, "vocabulary_full"))
    async def register(self, data: JSONBody[NewWords], access: Authenticated) -> WordsDeclared:
        """Declare values of a kind; a task that names another value of it is then refused."""
        return await register_vocabulary(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Words:
        """List all declared values for who administers what is shared, else the caller's."""
        window = Window(limit, cursor)
        found = await list_vocabulary(access.runtime, access.token, window, access.at)
        return Words(items=found.items, next_cursor=found.next_cursor)
