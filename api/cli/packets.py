"""`athanor import` and `athanor packet`."""

import asyncio
import json
from pathlib import Path
from typing import Any

import click

from api.cli.connection import connected
from api.cli.explanation import explain_packet
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
def import_command(file: Path, as_json: bool) -> None:
    """Import the lessons of FILE; a second time changes nothing."""
    report = asyncio.run(_import(read_settings(), file))
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(f"imported {report['imported']}, unchanged {report['unchanged']}")
        for wrong in report["rejected"]:
            place = "file" if wrong["record"] < 0 else f"record {wrong['record']}"
            parts = (wrong["file"], place, wrong["field"], wrong["problem"])
            click.echo(": ".join(part for part in parts if part), err=True)
    if report["rejected"]:
        raise CommandError("nothing was stored", Exit.USAGE)


async def _import(settings: Settings, file: Path) -> dict[str, Any]:
    """The report of an import; records that are wrong are in it, nothing else is swallowed."""
    async with connected(settings) as client:
        response = await client.post(
            "/v1/lessons/import",
            params={"file": file.name.encode(errors="backslashreplace").decode()},
            content=file.read_bytes(),
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


@click.command()
@click.option("--worker", required=True, help="Id of the worker that does the task.")
@click.option("--role", required=True, help="Its role.")
@click.option("--phase", required=True)
@click.option("--project", required=True)
@click.option("--task-kind", required=True)
@click.option("--risk", required=True, type=click.Choice(["low", "medium", "high"]))
@click.option("--target", required=True, help="What is worked on.")
@click.option("--change", required=True, help="What is to change.")
@click.option("--proof", "proofs", required=True, multiple=True, help="What must be observed.")
@click.option("--room", help="Needed only if the token has several rooms.")
@click.option("--stage", "stages", multiple=True)
@click.option("--register", "registers", multiple=True)
@click.option("--language", "languages", multiple=True)
@click.option("--technology", "technologies", multiple=True)
@click.option("--json", "as_json", is_flag=True, help="Print the packet as one JSON object.")
def packet(as_json: bool, **options: Any) -> None:
    """Start a task and print its lesson packet."""
    task = {
        "worker_id": options["worker"],
        "worker_role": options["role"],
        "phase": options["phase"],
        "project_key": options["project"],
        "task_kind": options["task_kind"],
        "risk": options["risk"],
        "target": options["target"],
        "change": options["change"],
        "proof_contract": options["proofs"],
        "room": options["room"],
        "state": {
            name: options[name] for name in ("stages", "registers", "languages", "technologies")
        },
    }
    answer = asyncio.run(_start(read_settings(), task))
    click.echo(json.dumps(answer) if as_json else explain_packet(answer))


async def _start(settings: Settings, task: dict[str, Any]) -> dict[str, Any]:
    async with connected(settings) as client:
        response = await client.post(
            "/v1/tasks/start",
            content=json.dumps(task),  # in ASCII, so that what is no text is refused by name
            headers={"Content-Type": "application/json"},
        )
        answer: dict[str, Any] = body_of(response)
    return answer
