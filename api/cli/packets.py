"""`athanor packet`."""

import asyncio
import json
from typing import Any

import click
from pydantic import ValidationError

from api.cli.connection import connected
from api.cli.explanation import explain_packet
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings
from contracts import Packet, rendered


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
@click.option("--text", "as_text", is_flag=True, help="Print it as text for an agent's context.")
def packet(as_json: bool, as_text: bool, **options: Any) -> None:
    """Start a task and print its lesson packet: for a reader, unless told otherwise."""
    if as_json and as_text:
        raise click.UsageError("`--json` and `--text` exclude each other")
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
    if as_text:
        click.echo(rendered(_packet(answer)).encode(), nl=False)  # bytes: the same in any locale
    else:
        click.echo(json.dumps(answer) if as_json else explain_packet(answer))


def _packet(answer: dict[str, Any]) -> Packet:
    """The packet of an answer; raises `CommandError` for a server that answers otherwise."""
    try:
        return Packet.model_validate_json(json.dumps(answer))
    except ValidationError as cause:
        message = "the server answered what is no packet of this version"
        raise CommandError(message, Exit.INTERNAL) from cause


async def _start(settings: Settings, task: dict[str, Any]) -> dict[str, Any]:
    async with connected(settings) as client:
        response = await client.post(
            "/v1/tasks/start",
            content=json.dumps(task),  # in ASCII, so that what is no text is refused by name
            headers={"Content-Type": "application/json"},
        )
        answer: dict[str, Any] = body_of(response)
    return answer
