"""Ledger of vocabularies: the event types, phases, task kinds and taxonomies that adapters declare.

A value that an adapter has not declared says nothing, not even by being absent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from store.database import Connection
from store.rows import every, write_many


@dataclass(frozen=True, slots=True)
class Word:
    """A value of a kind, as a principal declared it."""

    principal_id: str
    kind: str
    value: str


async def add(connection: Connection, house_id: UUID, words: Iterable[Word], act_id: UUID) -> None:
    """Append the values that are not there yet."""
    rows = [
        {
            "house": house_id,
            "principal": word.principal_id,
            "kind": word.kind,
            "value": word.value,
            "act": act_id,
        }
        for word in words
    ]
    await write_many(connection, "vocabulary.add", rows)


async def of_principal(connection: Connection, house_id: UUID, principal_id: str) -> list[Word]:
    """What a principal declared, by kind and value."""
    parameters = {"house": house_id, "principal": principal_id}
    return await every(connection, Word, "vocabulary.of_principal", parameters)


async def page(
    connection: Connection, house_id: UUID, only: str | None, after: Word, limit: int
) -> list[Word]:
    """What was declared after a word, in order: by everyone, or by `only` one principal."""
    parameters = {
        "house": house_id,
        "all": only is None,
        "principal": only,
        "after_principal": after.principal_id,
        "after_kind": after.kind,
        "after_value": after.value,
        "limit": limit,
    }
    return await every(connection, Word, "vocabulary.page", parameters)
