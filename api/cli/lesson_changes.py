"""`athanor lesson review | update | supersede | forget`."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from api.cli.connection import connected
from api.cli.lessons import path_of
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings

Command = TypeVar("Command", bound=Callable[..., Any])


def _change(command: Command) -> Command:
    """The options that every change has."""
    key = "Makes the same call again give the same answer and change nothing."
    made = click.option("--idempotency-key", "key", help=key)(command)
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(made)


@click.command()
@click.argument("lesson_id")
@click.argument("disposition", type=click.Choice(["promoted", "dismissed", "archived"]))
@click.option("--version", required=True, type=int, help="The version that was read.")
@click.option("--previous", help="The record that this decision follows; none for the first.")
@click.option("--reason", required=True)
@_change
def review(lesson_id: str, key: str | None, as_json: bool, **body: Any) -> None:
    """Decide about a version of a lesson."""
    done = _send("POST", f"{path_of(lesson_id)}/review", body, key)
    _say(done, as_json, f"{done['disposition']} by record {done['record_id']}")


@click.command()
@click.argument("lesson_id")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--title", "expected_title", required=True, help="The title that was read.")
@click.option(
    "--baseline", "baseline_version", required=True, type=int, help="The version that was read."
)
@click.option("--negation-of", help="Id of the lesson that this one is the opposite of.")
@click.option("--reason")
@_change
def update(lesson_id: str, file: Path, key: str | None, as_json: bool, **body: Any) -> None:
    """Give a lesson a new version, promoted: the record in FILE, as JSON."""
    done = _send("PUT", path_of(lesson_id), body | {"record": _record_in(file)}, key)
    state = "unchanged, version" if done["unchanged"] else "updated to version"
    _say(done, as_json, f"{state} {done['version']}")


@click.command()
@click.argument("lesson_id")
@click.option("--by", "successor_id", help="The lesson that takes its place.")
@click.option(
    "--record",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A record, as JSON, that makes the lesson that takes its place.",
)
@click.option(
    "--baseline", "baseline_version", required=True, type=int, help="The version that was read."
)
@click.option("--evidence", "evidence_refs", multiple=True, help="Id of a record that shows why.")
@click.option("--reason", required=True)
@_change
def supersede(
    lesson_id: str,
    successor_id: str | None,
    file: Path | None,
    key: str | None,
    as_json: bool,
    **body: Any,
) -> None:
    """Let a lesson give way to another, or to one that is made with it."""
    if (successor_id is None) == (file is None):
        raise CommandError("name the successor by `--by`, or give its `--record`", Exit.USAGE)
    named = {"lesson_id": successor_id} if file is None else {"record": _record_in(file)}
    done = _send("POST", f"{path_of(lesson_id)}/supersede", body | {"successor": named}, key)
    _say(done, as_json, f"superseded by {done['successor_id']}")


@click.command()
@click.argument("lesson_id")
@click.option("--title", required=True, help="Its exact title.")
@click.option("--reason", required=True)
@_change
def forget(lesson_id: str, key: str | None, as_json: bool, **body: Any) -> None:
    """Delete all that a lesson said; its id stays, and what rests on it says so."""
    done = _send("POST", f"{path_of(lesson_id)}/forget", body, key)
    _say(done, as_json, "forgotten already" if done["unchanged"] else "forgotten")


def _record_in(file: Path) -> dict[str, Any]:
    """The record in a file; whether it is a lesson is for the House to say."""
    try:
        found: object = json.loads(file.read_bytes(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as cause:
        raise CommandError(f"{file.name}: it holds no JSON that can be read", Exit.USAGE) from cause
    if not isinstance(found, dict):
        raise CommandError(f"{file.name}: it holds no JSON object", Exit.USAGE)
    return cast("dict[str, Any]", found)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        problem = "a name stands twice in one object"
        raise ValueError(problem)
    return found


def _send(method: str, path: str, body: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    return asyncio.run(_sent(read_settings(), method, path, body, key))


async def _sent(
    settings: Settings, method: str, path: str, body: Mapping[str, Any], key: str | None
) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    if key is not None:
        if not (key.isascii() and key.isprintable() and key.split() == [key]):
            raise CommandError("a key is visible ASCII without blanks", Exit.USAGE)
        headers["Idempotency-Key"] = key
    async with connected(settings) as client:
        content = json.dumps(body)  # in ASCII, so that what is no text is refused by name
        response = await client.request(method, path, content=content, headers=headers)
        answer: dict[str, Any] = body_of(response)
    return answer


def _say(done: Mapping[str, Any], as_json: bool, told: str) -> None:
    click.echo(json.dumps(done) if as_json else f"{done['lesson_id']}: {told}")
