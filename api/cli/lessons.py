"""`athanor lesson`: lessons as they are read."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from api.cli.connection import connected
from api.cli.explanation import one_line
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings


@click.group()
def lesson() -> None:
    """Read, review, update, supersede and forget lessons."""


@lesson.command("list")
@click.option("--kind", type=click.Choice(["coding_lesson", "project_lesson"]))
@click.option("--scope", help="`shared`, or `room:` and the key of a room.")
@click.option(
    "--disposition", type=click.Choice(["promoted", "dismissed", "archived", "unreviewed"])
)
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option("--cursor", help="Go on where a page ended.")
@click.option("--json", "as_json", is_flag=True, help="Print the page as one JSON object.")
def list_command(as_json: bool, **options: Any) -> None:
    """List lessons by id, each with what was decided about it."""
    asked = {name: str(value) for name, value in options.items() if value is not None}
    page = asyncio.run(_get(read_settings(), "/v1/lessons", asked))
    if as_json:
        click.echo(json.dumps(page))
        return
    for item in page["items"]:
        click.echo(one_line(_summary(item)))
    if page["next_cursor"]:
        click.echo(f"more: --cursor {page['next_cursor']}")


@lesson.command()
@click.argument("lesson_id")
@click.option("--json", "as_json", is_flag=True, help="Print the lesson as one JSON object.")
def show(lesson_id: str, as_json: bool) -> None:
    """Show a lesson with its versions and every decision about them."""
    found = asyncio.run(_get(read_settings(), path_of(lesson_id), {}))
    if as_json:
        click.echo(json.dumps(found))
    else:
        click.echo("\n".join(one_line(line) for line in _told(found)))


def path_of(lesson_id: str) -> str:
    """The address of a lesson; raises `CommandError` for what can be the id of none."""
    if not lesson_id.isascii() or not lesson_id.replace("-", "").isalnum():
        raise CommandError(f"no lesson `{one_line(lesson_id)}`", Exit.USAGE)
    return f"/v1/lessons/{lesson_id}"


async def _get(settings: Settings, path: str, asked: Mapping[str, str]) -> dict[str, Any]:
    async with connected(settings) as client:
        answer: dict[str, Any] = body_of(await client.get(path, params=dict(asked)))
    return answer


def _summary(item: Mapping[str, Any]) -> str:
    stands = item["disposition"] or "unreviewed"
    more = f", superseded by {item['successor_id']}" if item["successor_id"] else ""
    if item["waiting_version"]:
        more += f", version {item['waiting_version']} waits for a review"
    return (
        f"{item['lesson_id']}  version {item['version']} {stands}{more}, {item['scope']}: "
        f"{item['title']}"
    )


def _told(found: Mapping[str, Any]) -> Iterator[str]:
    """The lines about a lesson."""
    yield _summary(found)
    yield f"  {found['record']['lesson']}"
    for version in found["versions"]:
        yield f"version {version['version']} by {version['by']} at {version['at']}"
        if version["version"] != found["version"]:
            yield f"  {version['record']['title']}: {version['record']['lesson']}"
        for link in version["links"]:
            yield f"  {link['kind'].replace('_', ' ')} {link['lesson_id']}"
        for decision in version["dispositions"]:
            yield (
                f"  {decision['disposition']} by {decision['by']} at {decision['at']}, record "
                f"{decision['record_id']}: {decision['reason']}"
            )
    given_way = found["supersession"]
    if given_way:
        yield (
            f"superseded by {given_way['successor_id']}, as said by {given_way['by']} at "
            f"{given_way['at']}: {given_way['reason']}"
        )
