"""Named queries from `store/sql/<ledger>.sql`; no SQL is composed from strings."""

from functools import cache
from importlib.resources import files

_NAME = "-- name: "


@cache
def query(name: str) -> bytes:
    """The text of the query `ledger.name`; raises `KeyError` for a name that no file holds."""
    ledger, _, _ = name.partition(".")
    return _queries(ledger)[name]


@cache
def _queries(ledger: str) -> dict[str, bytes]:
    text = (files("store") / "sql" / f"{ledger}.sql").read_text(encoding="utf-8")
    found: dict[str, bytes] = {}
    for block in text.split(_NAME)[1:]:
        title, _, body = block.partition("\n")
        found[f"{ledger}.{title.strip()}"] = body.strip().encode()
    return found
