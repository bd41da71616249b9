"""`athanor room`."""

import click

from api.cli.calls import Item, as_json, change, idempotency_key, reason, show, tell


@click.group()
def room() -> None:
    """Make and list rooms."""


@room.command()
@click.argument("room")
@reason
@idempotency_key
@as_json
def create(room: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """Make ROOM; you may then do everything in it, and your token carries it."""
    answer = change("/v1/rooms", {"room": room, "reason": reason}, key)
    tell(answer, f"room {answer['room']}", as_json=as_json)


@room.command("list")
@as_json
def list_rooms(as_json: bool) -> None:
    """List the rooms that you may read, with their governing spirits."""
    show("/v1/rooms", _line, as_json=as_json)


def _line(room: Item) -> str:
    if room["governor"] is None:
        return f"{room['room']}  governed by nobody"
    return f"{room['room']}  governed by {room['governor']} since {room['appointment']}"
