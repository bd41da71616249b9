"""Ledgers of what answers rest on: rulesets, sets of given facts, derivations."""

import asyncio
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from engine import Fact, set_digest
from store.database import Connection
from store.rows import Parameters, one, write, write_many


@dataclass(frozen=True, slots=True)
class _Digest:
    digest: str


@dataclass(frozen=True, slots=True)
class StoredFacts:
    """A set of given facts: rows of relation, values and source."""

    digest: str
    scopes: list[str]
    facts: list[tuple[str, list[str | int], str]]


@dataclass(frozen=True, slots=True)
class StoredDerivation:
    """A certificate, with the scopes that one must be able to read to see it."""

    digest: str
    scopes: list[str]
    certificate: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredRuleset:
    """The canonical text of a ruleset."""

    version: str
    text: str


async def keep_ruleset(connection: Connection, version: str, text: str, at: datetime) -> None:
    """Append a ruleset that is not there yet."""
    await write(connection, "proofs.keep_ruleset", {"version": version, "text": text, "at": at})


async def ruleset(connection: Connection, version: str) -> StoredRuleset | None:
    """The ruleset of that version, None iff it is not kept here."""
    return await one(connection, StoredRuleset, "proofs.ruleset", {"version": version})


def name_of(facts: Iterable[Fact]) -> str:
    """The digest under which a set of facts is kept."""
    return set_digest(facts)


async def keep_facts(
    connection: Connection, house_id: UUID, scopes: Collection[str], facts: Iterable[Fact]
) -> str:
    """Append a set of facts that is not there yet; its digest."""
    chosen = list(facts)
    name = await asyncio.to_thread(name_of, chosen)
    parameters: Parameters = {"house": house_id, "digest": name, "scopes": sorted(scopes)}
    if await one(connection, _Digest, "proofs.has_facts", parameters) is None:
        text = await asyncio.to_thread(_written, chosen)
        await write(connection, "proofs.keep_facts", parameters | {"facts": text})
    return name


def _written(facts: Iterable[Fact]) -> str:
    """A set of facts as JSON, in the order of ids."""
    chosen = sorted({fact.id: fact for fact in facts}.items())
    return json.dumps([[fact.relation, fact.values, fact.source] for _, fact in chosen])


async def stored_facts(connection: Connection, house_id: UUID, name: str) -> StoredFacts | None:
    """The set of facts of that digest, None iff the transaction cannot see it."""
    parameters = {"house": house_id, "digest": name}
    return await one(connection, StoredFacts, "proofs.facts", parameters)


async def keep_derivations(
    connection: Connection,
    house_id: UUID,
    scopes: Collection[str],
    certificates: Iterable[dict[str, Any]],
) -> None:
    """Append certificates that are not there yet, by their digests."""
    rows = [
        {
            "house": house_id,
            "digest": certificate["digest"],
            "scopes": sorted(scopes),
            "certificate": Jsonb(certificate),
        }
        for certificate in certificates
    ]
    await write_many(connection, "proofs.keep_derivation", rows)


async def derivation(connection: Connection, house_id: UUID, name: str) -> StoredDerivation | None:
    """The certificate of that digest, None iff the transaction cannot see it."""
    parameters = {"house": house_id, "digest": name}
    return await one(connection, StoredDerivation, "proofs.derivation", parameters)
