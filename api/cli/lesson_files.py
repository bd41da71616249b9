"""`athanor import`, `athanor export` and `athanor lesson check`."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import httpx
from pydantic import ValidationError

from api.cli.connection import connected
from api.cli.explanation import one_line
from api.cli.lesson_folders import (
    LessonFile,
    cross_findings,
    is_lesson_source,
    read_folder,
    shown,
    write_folder,
)
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings
from contracts import Finding, LessonRecord, Rejection, file_names, written_lesson

_PACK: Final = "lessons"
_PAGE: Final = 200


@click.command("import")
@click.argument("path", metavar="FILE|FOLDER", type=click.Path(exists=True, path_type=Path))
@click.option("--pack", help=f"Pack that lesson files belong to; `{_PACK}` if none is named.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def import_command(path: Path, pack: str | None, as_json: bool) -> None:
    """Import a pack of JSON, a lesson file, or all lesson files of a folder.

    A second time changes nothing.
    """
    if is_lesson_source(path):
        report = _import_folder(path, pack or _PACK, as_json=as_json)
    else:
        if pack is not None:
            raise click.UsageError("a pack of JSON has its name in itself")
        report = asyncio.run(_import(read_settings(), shown(Path(path.name)), path.read_bytes()))
        _say_counts(report, as_json=as_json)
        if not as_json:
            _say_rejections(report["rejected"])
    if report["rejected"]:
        raise CommandError("nothing was stored", Exit.USAGE)


def _import_folder(path: Path, pack: str, *, as_json: bool) -> dict[str, Any]:
    """Import lesson files as one pack; the report names files instead of records."""
    folder = read_folder(path)
    if folder.wrong:
        found: Sequence[tuple[str, Finding]] = folder.wrong
        report: dict[str, Any] = {"imported": 0, "unchanged": 0}
    else:
        rows = [file.record.model_dump(mode="json") for file in folder.files]
        body = {"schema_version": 1, "pack": {"id": pack}, "lessons": rows}
        name = shown(Path(path.name))
        report = asyncio.run(_import(read_settings(), name, json.dumps(body).encode()))
        found = [_located(folder.files, name, row) for row in report["rejected"]]
    titles = {file.name: file.record.title for file in folder.files}
    report["rejected"] = [
        Rejection(
            file=name,
            record=0,
            title=titles.get(name),
            field=finding.field,
            problem=finding.problem,
        ).model_dump(mode="json")
        for name, finding in found
    ]
    _say_counts(report, as_json=as_json)
    if not as_json:
        _say_findings(found)
    return report


def _located(
    files: Sequence[LessonFile], name: str, rejected: Mapping[str, Any]
) -> tuple[str, Finding]:
    """A rejection of the House as a finding in one of the files, or in all of them together."""
    field, problem = str(rejected["field"]), str(rejected["problem"])
    number = int(rejected["record"])
    if number < 0:
        return name, Finding(1, field, problem)
    file = files[number]
    return file.name, file.finding(field, problem)


async def _import(settings: Settings, name: str, content: bytes) -> dict[str, Any]:
    """The report of an import; records that are wrong are in it, nothing else is swallowed."""
    async with connected(settings) as client:
        response = await client.post(
            "/v1/lessons/import",
            params={"file": name},
            content=content,
            headers={"Content-Type": "application/json"},
        )
    try:
        report: dict[str, Any] = body_of(response)
    except CommandError as cause:
        rejected = (cause.problem or {}).get("rejected")
        if rejected is None:
            raise
        return {"imported": 0, "unchanged": 0, "rejected": rejected}
    return report


@click.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that say something else.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON object.")
def export_command(folder: Path, force: bool, as_json: bool) -> None:
    """Write the lessons that you may read as files into FOLDER; nothing is removed there."""
    lessons = asyncio.run(_export(read_settings()))
    names = file_names(lessons)
    files = {names[key]: written_lesson(record) for key, record in lessons.items()}
    count = write_folder(folder, files, force=force)
    if as_json:
        click.echo(json.dumps({"written": count, "unchanged": len(files) - count}))
    else:
        click.echo(f"written {count}, unchanged {len(files) - count}")


async def _export(settings: Settings) -> dict[str, LessonRecord]:
    async with connected(settings) as client:
        return await fetch_lessons(client)


async def fetch_lessons(client: httpx.AsyncClient) -> dict[str, LessonRecord]:
    """Every readable lesson by its id, in its last version, page by page.

    Raises `CommandError` for an answer that is no page of lessons, or that leads nowhere.
    """
    found: dict[str, tuple[int, LessonRecord]] = {}
    cursor: str | None = None
    while True:
        asked = {"limit": str(_PAGE)} | ({} if cursor is None else {"cursor": cursor})
        page = body_of(await client.get("/v1/lessons", params=asked))
        try:
            for item in page["items"]:
                version, key = int(item["version"]), str(item["lesson_id"])
                if key not in found or found[key][0] < version:
                    found[key] = version, LessonRecord.model_validate(item["record"])
            following: str | None = page["next_cursor"]
        except (KeyError, TypeError, ValueError, ValidationError) as cause:
            message = "the server answered what is no page of lessons of this version"
            raise CommandError(message, Exit.INTERNAL) from cause
        if following is None:
            return {key: record for key, (_, record) in found.items()}
        if following == cursor:
            raise CommandError("the server's pages of lessons have no end", Exit.INTERNAL)
        cursor = following


@click.command()
@click.argument("paths", metavar="FOLDER|FILE…", nargs=-1, required=True,
                type=click.Path(exists=True, path_type=Path))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(paths: tuple[Path, ...], as_json: bool) -> None:
    """Check lesson files together, without a House: 0 when all are right, 2 otherwise."""
    folders = [read_folder(path) for path in paths]
    files = [file for folder in folders for file in folder.files]
    wrong = [finding for folder in folders for finding in folder.wrong]
    if not wrong:  # what is missing may stand in a file that could not be read
        wrong += cross_findings(files)
    if as_json:
        rows = [
            {"file": name, "line": f.line, "field": f.field, "problem": f.problem}
            for name, f in wrong
        ]
        click.echo(json.dumps({"lessons": len(files), "findings": rows}))
    elif not wrong:
        click.echo(f"{len(files)} lessons, nothing wrong")
    if wrong:
        if not as_json:
            _say_findings(wrong)
        raise SystemExit(Exit.USAGE)


def _say_counts(report: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(f"imported {report['imported']}, unchanged {report['unchanged']}")


def _say_rejections(rejected: Sequence[Mapping[str, Any]]) -> None:
    for wrong in rejected:
        place = "file" if wrong["record"] < 0 else f"record {wrong['record']}"
        _say(wrong["file"], place, wrong["field"], wrong["problem"])


def _say_findings(found: Sequence[tuple[str, Finding]]) -> None:
    for name, finding in found:
        _say(f"{name}:{finding.line}", finding.field, finding.problem)


def _say(*parts: str) -> None:
    click.echo(one_line(": ".join(part for part in parts if part)), err=True)
