"""`athanor spirit`: principals of every kind, and which of them governs a room."""

import asyncio

import click

from api.cli.calls import (
    Item,
    as_json,
    change,
    idempotency_key,
    listed,
    post,
    reason,
    segment,
    show,
    tell,
)
from api.cli.connection import connected
from api.settings import read_settings

KINDS = ("spirit", "operator", "adapter", "reviewer", "ci")


@click.group()
def spirit() -> None:
    """Register, list, appoint and revoke who can act."""


@spirit.command()
@click.argument("principal")
@click.option("--kind", type=click.Choice(KINDS), default="spirit", show_default=True)
@reason
@idempotency_key
@as_json
def create(principal: str, kind: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """Register PRINCIPAL, a spirit unless another kind is named."""
    body = {"principal": principal, "kind": kind, "reason": reason}
    answer = change("/v1/principals", body, key)
    tell(answer, f"{answer['kind']} {answer['principal']}", as_json=as_json)


@spirit.command("list")
@as_json
def list_spirits(as_json: bool) -> None:
    """List who can act, and who could."""
    show("/v1/principals", _line, as_json=as_json)


@spirit.command()
@click.argument("room")
@click.argument("principal", required=False)
@click.option("--nobody", is_flag=True, help="Let nobody govern the room.")
@click.option("--follows", metavar="APPOINTMENT", help="The last appointment; read if not named.")
@reason
@idempotency_key
@as_json
def appoint(
    *,
    room: str,
    principal: str | None,
    nobody: bool,
    follows: str | None,
    reason: str | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Let the spirit PRINCIPAL govern ROOM."""
    if (principal is None) is not nobody:
        raise click.UsageError("name either a principal or --nobody")
    answer = asyncio.run(_appoint(room, principal, follows, reason, key))
    who = answer["governor"] or "nobody"
    tell(answer, f"{answer['room']} is governed by {who}", as_json=as_json)


async def _appoint(
    room: str, principal: str | None, follows: str | None, reason: str | None, key: str | None
) -> Item:
    async with connected(read_settings()) as client:
        if follows is None:
            rooms = await listed(client, "/v1/rooms")
            follows = next((r["appointment"] for r in rooms if r["room"] == room), None)
        body = {"principal": principal, "previous": follows, "reason": reason}
        return await post(client, f"/v1/rooms/{segment(room)}/governor", body, key)


@spirit.command()
@click.argument("principal")
@reason
@idempotency_key
@as_json
def revoke(principal: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """Revoke PRINCIPAL: its tokens open nothing, and it governs nothing."""
    answer = change(f"/v1/principals/{segment(principal)}/revoke", {"reason": reason}, key)
    tell(answer, f"{answer['principal']} is revoked", as_json=as_json)


def _line(found: Item) -> str:
    gone = "  revoked" if found["revoked"] else ""
    return f"{found['principal']}  {found['kind']}{gone}"
