"""Projects: keys that tasks and lessons of a scope may name."""

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from api.http.access import Authenticated
from api.http.problems import CHANGES, LIST, documented
from api.http.windows import Cursor, Limit
from contracts import NewProject, ProjectChanged, Projects, Retirement
from house import USUAL_ITEMS, Window, list_projects, open_project, retire_project


class ProjectRoutes(Controller):
    """`/v1/projects`."""

    path = "/v1/projects"
    tags = ["administration"]

    @post("/", status_code=200, responses=documented(*CHANGES, "project_retired"))
    async def create(self, data: JSONBody[NewProject], access: Authenticated) -> ProjectChanged:
        """Open a project in a scope; in two scopes it is two entries."""
        return await open_project(access.runtime, access.call(data), data)

    @get("/", responses=documented(*LIST))
    async def page(
        self, access: Authenticated, limit: Limit = USUAL_ITEMS, cursor: Cursor = None
    ) -> Projects:
        """List the projects in the scopes that the caller may read, by key and scope."""
        found = await list_projects(access.runtime, access.token, Window(limit, cursor), access.at)
        return Projects(items=found.items, next_cursor=found.next_cursor)

    @post(
        "/{project:str}/retire",
        status_code=200,
        responses=documented(*CHANGES, "not_found"),
    )
    async def retire(
        self, project: FromPath[str], data: JSONBody[Retirement], access: Authenticated
    ) -> ProjectChanged:
        """Retire a project in a scope: no new task or lesson there may name it."""
        return await retire_project(access.runtime, access.call(data), project, data)
