"""`athanor vocabulary`."""

import click

from api.cli.calls import Item, as_json, change, idempotency_key, show, tell
from api.cli.outcome import counted

KINDS = ("event_type", "phase", "task_kind", "stage", "register", "language", "technology")


@click.group()
def vocabulary() -> None:
    """Declare and list the values that adapters use."""


@vocabulary.command()
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("values", nargs=-1, required=True)
@idempotency_key
@as_json
def register(kind: str, values: tuple[str, ...], key: str | None, as_json: bool) -> None:
    """Declare that you use VALUES of KIND; your tasks can then name no others."""
    answer = change("/v1/vocabulary", {"kind": kind, "values": values}, key)
    told = f"{counted(answer['declared'], 'value')} of {answer['kind']}"
    tell(answer, told, as_json=as_json)


@vocabulary.command("list")
@as_json
def list_vocabulary(as_json: bool) -> None:
    """List what is declared: all if you administer what is shared, else what you declared."""
    show("/v1/vocabulary", _line, as_json=as_json)


def _line(word: Item) -> str:
    return f"{word['principal']}  {word['kind']}  {word['value']}"
