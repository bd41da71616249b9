"""What is left in the tables: texts, digests in any form, and how much of each scope."""

import hashlib
from collections.abc import Iterable

import rfc8785
from houses import Estate, Json

from contracts import LessonRecord
from house.lesson_rows import planned_version
from store import contents


def texts_of(row: Json) -> list[str]:
    """Every free text of a record."""
    trigger, source = row.get("trigger") or {}, row.get("source") or {}
    found = [row["title"], row["lesson"], row.get("trigger_context"), row.get("proof_pattern")]
    found += [trigger.get("condition"), trigger.get("ast_condition"), source.get("path")]
    return [text for text in found if text]


def digests_of(scope: str, texts: Iterable[str], *records: Json) -> set[str]:
    """What a table could hold in the place of texts: content ids, plain digests, record digests."""
    found: set[str] = set()
    for text in texts:
        found |= {contents.content_of(scope, text).content_id, sha256(text.encode())}
    for row in records:
        parsed = LessonRecord.model_validate(row)
        found.add(planned_version(parsed, "lesson").source_digest)
        found.add(sha256(rfc8785.dumps(parsed.model_dump(mode="json"))))
    return found


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def left(house: Estate, wanted: Iterable[str]) -> dict[str, list[str]]:
    """Where any of the texts or digests still is: the rows by table."""
    words = [word.lower() for word in wanted]
    found = {
        table: [row for row in rows if any(word in row.lower() for word in words)]
        for table, rows in house.dump().items()
    }
    return {table: rows for table, rows in found.items() if rows}


def counts(house: Estate, scope: str) -> dict[str, int]:
    """How many rows of each table name a scope."""
    dumped = house.dump()
    return {table: sum(f'"{scope}"' in row for row in rows) for table, rows in dumped.items()}


def paths_of(packet: Json) -> list[str]:
    """All that a packet rests on."""
    certificates = [row["derivation"] for row in packet["lessons"]]
    names = {name for c in certificates for name in c["given_digests"]}
    return [
        *(f"/v1/derivations/{c['digest']}" for c in certificates),
        *(f"/v1/fact-sets/{name}" for name in sorted(names)),
    ]
