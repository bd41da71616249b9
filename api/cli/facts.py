"""`athanor facts verify | rebuild | compact`: upkeep of what the rules read, by the owner."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import click

from api.cli.outcome import CommandError, Exit, counted
from api.opening import in_custody
from api.settings import read_settings
from store import custody, upkeep

_SHOWN = 20


@click.group("facts")
def facts_group() -> None:
    """Look after the facts of every House: works on the database itself, not over HTTP."""


@facts_group.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each House.")
def verify(as_json: bool) -> None:
    """Compare the facts with what the ledgers say; exit code 1 iff they differ."""
    wrong = 0

    def look(owner: str, house_id: UUID) -> dict[str, Any]:
        nonlocal wrong
        found = upkeep.differences(owner, house_id)
        wrong += len(found)
        shown = [[d.change, d.relation, d.row, d.source] for d in found[:_SHOWN]]
        return {"differences": len(found), "first": shown}

    for house, told in _each(look):
        if as_json:
            click.echo(json.dumps({"house": house, **told}))
            continue
        click.echo(f"House {house}: {counted(told['differences'], 'difference')}")
        for change, relation, row, source in told["first"]:
            values = ", ".join(str(value) for value in row)
            click.echo(f"  {change}: {relation}({values}), of {source}")
    if wrong:
        raise CommandError("facts differ from the ledgers: rebuild them", Exit.FAILED)


@facts_group.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each House.")
def rebuild(as_json: bool) -> None:
    """Make the facts anew from the ledgers; what was wrong is corrected as an epoch of its own."""

    def make(owner: str, house_id: UUID) -> dict[str, Any]:
        return {"epoch": upkeep.rebuild(owner, house_id)}

    for house, told in _each(make):
        text = json.dumps({"house": house, **told})
        click.echo(text if as_json else f"House {house}: epoch {told['epoch']}")


@facts_group.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each House.")
def compact(as_json: bool) -> None:
    """Remove the changes up to now, once every fact was found equal to the ledgers."""

    def remove(owner: str, house_id: UUID) -> dict[str, Any]:
        made = upkeep.compact(owner, house_id)
        return {"epoch": made.epoch, "facts": made.facts, "digest": made.digest}

    try:
        for house, told in _each(remove):
            text = f"House {house}: epoch {told['epoch']}, {counted(told['facts'], 'fact')}"
            click.echo(json.dumps({"house": house, **told}) if as_json else text)
    except upkeep.FactsDifferError as cause:
        raise CommandError(str(cause), Exit.FAILED) from cause


def _each(work: Callable[[str, UUID], dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """What the work says of each House of the database, by founding time."""
    with in_custody(read_settings()) as owner:
        with custody.sole_founder(owner) as houses:
            ids = [house.house_id for house in houses]
        return [(str(house_id), work(owner, house_id)) for house_id in ids]
