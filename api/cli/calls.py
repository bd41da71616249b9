"""What the commands of administration share: to change something, and to list all of a kind."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias
from urllib.parse import quote

import click
import httpx

from api.cli.connection import connected
from api.cli.explanation import one_line
from api.cli.outcome import body_of
from api.settings import read_settings

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
Body: TypeAlias = Mapping[str, Any]
Item: TypeAlias = dict[str, Any]


def _checked_key(_context: click.Context, _option: click.Parameter, key: str | None) -> str | None:
    if key is not None and not _KEY.fullmatch(key):
        raise click.BadParameter("it takes 1 to 255 visible ASCII characters")
    return key


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
idempotency_key = click.option(
    "--idempotency-key",
    "key",
    metavar="KEY",
    callback=_checked_key,
    help="The same call under the same key is made once, and answered alike.",
)
reason = click.option("--reason", help="Why; it goes into the record.")


def segment(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="", errors="surrogateescape")


def change(path: str, body: Body, key: str | None) -> Item:
    """The answer to a change; raises `CommandError` for a refusal."""
    return asyncio.run(_change(path, body, key))


async def _change(path: str, body: Body, key: str | None) -> Item:
    async with connected(read_settings()) as client:
        return await post(client, path, body, key)


async def post(client: httpx.AsyncClient, path: str, body: Body, key: str | None) -> Item:
    """The answer to a change over a connection."""
    headers = {"Content-Type": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    # in ASCII, so that what is no text is refused by name
    answer: Item = body_of(await client.post(path, content=json.dumps(body), headers=headers))
    return answer


def show(path: str, line: Callable[[Item], str], *, as_json: bool) -> None:
    """Print every item of a list: one JSON array, or a line an item."""
    items = asyncio.run(_listed(path))
    if as_json:
        click.echo(json.dumps(items))
    else:
        for item in items:
            click.echo(one_line(line(item)))


async def _listed(path: str) -> list[Item]:
    async with connected(read_settings()) as client:
        return await listed(client, path)


async def listed(client: httpx.AsyncClient, path: str) -> list[Item]:
    """All items of a list over a connection, page by page."""
    found: list[Item] = []
    cursor: str | None = None
    while True:
        params = {"limit": "200"} | ({"cursor": cursor} if cursor else {})
        page: Item = body_of(await client.get(path, params=params))
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def tell(answer: Item, told: str, *, as_json: bool) -> None:
    """Print what a change came to: its answer, or a sentence that says so if nothing changed."""
    if as_json:
        click.echo(json.dumps(answer))
    else:
        click.echo(one_line(told + (", as before" if answer["unchanged"] else "")))
