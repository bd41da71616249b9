"""Projects: opened and retired in a scope by who administers it."""

from datetime import datetime
from uuid import UUID

from contracts import NewProject, Project, ProjectChanged, Retirement
from house.answers import NotFoundError, findable
from house.authorization import Caller, Deed, authorize
from house.commands import Call, ConflictError, Result, Written, perform
from house.pages import Page, Window, page_of, start_of
from house.runtime import Runtime
from store import Connection, grants, projects


class ProjectRetiredError(ConflictError):
    """A project that was retired in a scope is not opened there again."""

    def __init__(self, project: str, scope: str) -> None:
        super().__init__("project_retired", f"project `{project}` was retired in `{scope}`")
        self.location = "project"


async def open_project(runtime: Runtime, call: Call, wanted: NewProject) -> ProjectChanged:
    """Let tasks and lessons of a scope name a project.

    Raises `DeniedError` and `ProjectRetiredError`.
    """

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        key, scope = wanted.project, wanted.scope
        found = await projects.project(connection, caller.house_id, key, scope)
        if found is not None and found.retired:
            raise ProjectRetiredError(key, scope)
        return None if found is None else _told(found, unchanged=True)

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        made = projects.Project(wanted.project, wanted.scope, retired=False)
        await projects.open_in(connection, caller.house_id, made.project, made.scope, act)
        return Written(_told(made, unchanged=False))

    deed = Deed("administer", [wanted.scope], f"project {wanted.project}", wanted.reason)
    return ProjectChanged.model_validate(await perform(runtime, call, deed, write, standing))


async def retire_project(
    runtime: Runtime, call: Call, key: str, wanted: Retirement
) -> ProjectChanged:
    """Let no new task or lesson of a scope name a project.

    Raises `DeniedError` and `NotFoundError`.
    """

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        name = findable("project", key)
        found = await projects.project(connection, caller.house_id, name, wanted.scope)
        if found is None:
            raise NotFoundError("project", key)
        return _told(found, unchanged=True) if found.retired else None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        await projects.retire(connection, caller.house_id, key, wanted.scope, act)
        gone = projects.Project(key, wanted.scope, retired=True)
        return Written(_told(gone, unchanged=False))

    deed = Deed("administer", [wanted.scope], f"retirement of project {key}", wanted.reason)
    return ProjectChanged.model_validate(await perform(runtime, call, deed, write, standing))


async def list_projects(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Project]:
    """The projects in the scopes that the caller may read, by key and scope."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        key, scope = start_of(caller, "projects", window, ["", ""])
        found = await projects.page(connection, caller.house_id, (key, scope), window.limit + 1)
    shown = [
        ([p.project, p.scope], Project(project=p.project, scope=p.scope, retired=p.retired))
        for p in found
    ]
    return page_of(caller, "projects", window, shown)


def _told(found: projects.Project, *, unchanged: bool) -> Result:
    return {
        "project": found.project,
        "scope": found.scope,
        "retired": found.retired,
        "unchanged": unchanged,
    }
