"""Ledger of free text. Everything else names a text by the digest of its scope and body."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from engine import digest
from store.database import Connection
from store.rows import every, write, write_many


@dataclass(frozen=True, slots=True)
class Content:
    """A text in a scope."""

    content_id: str
    body: str


def content_of(scope: str, body: str) -> Content:
    """The text with its id."""
    return Content(digest(["content", scope, body]), body)


async def keep_from_forgetting(connection: Connection, house_id: UUID) -> None:
    """Let nothing of the House be forgotten before the end of this transaction.

    For whoever is about to write texts or to name them, before it reads what it goes by.
    """
    await write(connection, "contents.keep_from_forgetting", {"work": f"{house_id} texts"})


async def keep(
    connection: Connection, house_id: UUID, scope: str, contents: Iterable[Content]
) -> None:
    """Append texts that are not there yet."""
    await write_many(
        connection,
        "contents.keep",
        [
            {"house": house_id, "scope": scope, "content": c.content_id, "body": c.body}
            for c in contents
        ],
    )


async def bodies(connection: Connection, house_id: UUID, ids: Iterable[str]) -> dict[str, str]:
    """The bodies of the named texts that the transaction can see."""
    parameters = {"house": house_id, "ids": sorted(set(ids))}
    found = await every(connection, Content, "contents.bodies", parameters)
    return {content.content_id: content.body for content in found}
