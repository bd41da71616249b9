"""The demonstration: a synthetic House, three task starts over HTTP, every derivation verified."""

import json
from importlib.resources import files
from typing import Any

import click
import httpx

from api.cli.evidence import from_house
from api.cli.explanation import explain_packet
from api.cli.outcome import CommandError, Exit, body_of
from api.opening import FirstHouse
from engine import Limits, Status, check
from rules import MATCHERS


def first_house() -> FirstHouse:
    """The synthetic House with its rooms and projects."""
    house = _read("house.json")
    return FirstHouse(
        name=house["house"],
        rooms=tuple(room["key"] for room in house["rooms"]),
        projects=tuple(project["key"] for project in house["projects"]),
    )


async def run_demonstration(url: str, secret: str) -> None:
    """Import the lessons, start the tasks, explain and verify; raises `CommandError` at a fault."""
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as client:
        report = body_of(await client.post("/v1/lessons/import", json=_read("lessons.json")))
        click.echo(f"imported {report['imported']} lessons into the synthetic House")
        for task in _read("tasks.json"):
            await _start(client, task)
    click.echo("\nthree packets, every derivation verified by the checker")


async def _start(client: httpx.AsyncClient, task: dict[str, Any]) -> None:
    click.echo(f"\n=== task `{task['name']}`: {task['change']}")
    body = {
        "worker_id": task["worker"],
        "worker_role": task["role"],
        "phase": task["phase"],
        "project_key": task["project"],
        "task_kind": task["task_kind"],
        "risk": task["risk"],
        "target": task["target"],
        "change": task["change"],
        "proof_contract": task["proof"],
        "room": task["room"],
        "state": task["state"],
    }
    packet = body_of(await client.post("/v1/tasks/start", json=body))
    click.echo(explain_packet(packet))
    for lesson in packet["lessons"]:
        certificate = lesson["derivation"]
        evidence = await from_house(client, certificate)
        if evidence is None:
            raise CommandError("the House does not have the rules it used", Exit.INTERNAL)
        ruleset = evidence.ruleset
        verdict = check(
            certificate,
            ruleset.program,
            ruleset.version,
            evidence.given,
            Limits(),
            matchers=MATCHERS,
        )
        if verdict.status != Status.VERIFIED:
            raise CommandError(f"a derivation is {verdict.status}: {verdict.reason}", Exit.FAILED)
        click.echo(f"   checked: place {lesson['place']} {verdict.status}, {verdict.reason}")


def _read(name: str) -> Any:
    return json.loads((files("corpus.demo") / name).read_text(encoding="utf-8"))
