"""`athanor grant`."""

import click

from api.cli.calls import Item, as_json, change, idempotency_key, reason, segment, show, tell

OPERATIONS = ("read", "start_task", "import", "promote", "administer")


@click.group()
def grant() -> None:
    """Give, list and revoke grants."""


@grant.command()
@click.argument("principal")
@click.argument("operation", type=click.Choice(OPERATIONS))
@click.option(
    "--scope", "scopes", required=True, multiple=True, help="`shared` or `room:` and its key."
)
@click.option("--from", "start", metavar="TIME", help="RFC 3339 with an offset; now if not named.")
@click.option("--until", "end", metavar="TIME", help="The same; without it the grant does not end.")
@click.option(
    "--delegated", is_flag=True, help="Give it as the governing spirit, while you govern."
)
@reason
@idempotency_key
@as_json
def create(
    *,
    principal: str,
    operation: str,
    scopes: tuple[str, ...],
    start: str | None,
    end: str | None,
    delegated: bool,
    reason: str | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Let PRINCIPAL do OPERATION in some scopes."""
    body = {
        "principal": principal,
        "operation": operation,
        "scopes": scopes,
        "valid_from": start,
        "valid_until": end,
        "delegated": delegated,
        "reason": reason,
    }
    answer = change("/v1/grants", body, key)
    tell(answer, f"{answer['grant_id']}: {principal} may {operation}", as_json=as_json)


@grant.command("list")
@as_json
def list_grants(as_json: bool) -> None:
    """List the grants in scopes that you administer, and your own."""
    show("/v1/grants", _line, as_json=as_json)


@grant.command()
@click.argument("grant")
@reason
@idempotency_key
@as_json
def revoke(grant: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """End GRANT, from now on."""
    answer = change(f"/v1/grants/{segment(grant)}/revoke", {"reason": reason}, key)
    tell(answer, f"{answer['grant_id']} is revoked", as_json=as_json)


def _line(found: Item) -> str:
    parts = [f"{found['grant_id']}  {found['principal']} may {found['operation']}"]
    parts.append(f"in {', '.join(found['scopes'])} from {found['valid_from']}")
    if found["valid_until"] is not None:
        parts.append(f"until {found['valid_until']}")
    if found["delegator"] is not None:
        parts.append(f"for {found['delegator']}")
    if found["revoked"]:
        parts.append("revoked")
    return "  ".join(parts)
