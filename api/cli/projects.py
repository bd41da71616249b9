"""`athanor project`."""

import click

from api.cli.calls import Item, as_json, change, idempotency_key, reason, segment, show, tell

scope = click.option(
    "--scope", default="shared", show_default=True, help="`shared` or `room:` and its key."
)


@click.group()
def project() -> None:
    """Open, list and retire projects."""


@project.command()
@click.argument("project")
@scope
@reason
@idempotency_key
@as_json
def create(project: str, scope: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """Let tasks and lessons of a scope name PROJECT."""
    body = {"project": project, "scope": scope, "reason": reason}
    answer = change("/v1/projects", body, key)
    tell(answer, f"project {answer['project']} in {answer['scope']}", as_json=as_json)


@project.command("list")
@as_json
def list_projects(as_json: bool) -> None:
    """List the projects of the scopes that you may read."""
    show("/v1/projects", _line, as_json=as_json)


@project.command()
@click.argument("project")
@scope
@reason
@idempotency_key
@as_json
def revoke(project: str, scope: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """Retire PROJECT in a scope: nothing new may name it there."""
    path = f"/v1/projects/{segment(project)}/retire"
    answer = change(path, {"scope": scope, "reason": reason}, key)
    told = f"project {answer['project']} is retired in {answer['scope']}"
    tell(answer, told, as_json=as_json)


def _line(found: Item) -> str:
    gone = "  retired" if found["retired"] else ""
    return f"{found['project']}  {found['scope']}{gone}"
