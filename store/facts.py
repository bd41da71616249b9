"""Facts: what the ledgers say, as rows that rules read, each with the record that it rests on.

The view `ledger_facts` defines the base facts; `advance` brings the projection `base_facts` up to
it for some subjects and writes what came and went, with its epoch, to `fact_changes`. The facts of
a request (who asks, when, for which task) are made here. `rules/facts.dl` declares them all.
"""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from engine import NUMBER, SYMBOL, Fact
from store import grants
from store.database import Connection, narrow
from store.queries import query
from store.rows import Parameters, every, one, write

_S, _N = SYMBOL, NUMBER
_MANY = 1000

PROJECTED: Final[Mapping[str, tuple[str, ...]]] = {
    "now": (_N,),
    "caller": (_S,),
    "token_operation": (_S,),
    "token_scope": (_S,),
    "token_until": (_N,),
    "grant": (_S, _S, _S),
    "grant_scope": (_S, _S),
    "grant_from": (_S, _N),
    "grant_until": (_S, _N),
    "grant_revoked": (_S,),
    "grant_delegated": (_S, _S),
    "governs": (_S, _S),
    "lesson": (_S, _S),
    "lesson_version": (_S, _N),
    "lesson_scope": (_S, _S),
    "lesson_project": (_S, _S),
    "lesson_stage": (_S, _S),
    "lesson_register": (_S, _S),
    "lesson_language": (_S, _S),
    "lesson_technology": (_S, _S),
    "lesson_always_on": (_S,),
    "lesson_authority": (_S, _S, _S),
    "lesson_superseded": (_S, _S),
    "lesson_negation": (_S, _S),
    "lesson_order": (_S, _N),
    "task_scope": (_S,),
    "task_project": (_S,),
    "task_stage": (_S,),
    "task_register": (_S,),
    "task_language": (_S,),
    "task_technology": (_S,),
    "relevance": (_S, _N, _N, _N),
    "unique_word": (_N,),
    "task_words": (_N,),
    "held": (_S, _N),
}
"""Every relation that is projected, with the kind of each column; held against `facts.dl`."""


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that came or went; changes of one epoch were committed together."""

    epoch: int
    change: str
    scopes: list[str]
    relation: str
    row: list[str | int]
    source: str
    fact_id: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What making the facts anew from the ledgers would add or retract."""

    change: str
    scopes: list[str]
    relation: str
    row: list[str | int]
    source: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How many facts there were at an epoch, equal to the ledgers, and the digest of them all."""

    epoch: int
    facts: int
    digest: str


@dataclass(frozen=True, slots=True)
class _Epoch:
    epoch: int


@dataclass(frozen=True, slots=True)
class _Subject:
    subject: str


def scope_of_principal(principal_id: str) -> str:
    """The scope of the facts about what a principal may do; no token and no lesson names it."""
    return f"principal:{principal_id}"


def seconds(at: datetime) -> int:
    """Whole seconds of Unix time."""
    return int(at.timestamp())


async def base(connection: Connection, house_id: UUID) -> list[Fact]:
    """The base facts inside the scopes of the transaction, in order."""
    return await _facts(connection, "facts.base", {"house": house_id})


async def of_subjects(
    connection: Connection, house_id: UUID, subjects: Iterable[str]
) -> list[Fact]:
    """The base facts about some subjects inside the scopes of the transaction, in order."""
    parameters = {"house": house_id, "subjects": sorted(set(subjects))}
    return await _facts(connection, "facts.of_subjects", parameters)


async def routing_facts(connection: Connection, token: grants.Token, at: datetime) -> list[Fact]:
    """What pack `routing` needs: the caller, its token, its grants, who governs, the present.

    Narrows the transaction to the facts about the caller and those that it acts for.
    """
    house_id = token.house_id
    mine = scope_of_principal(token.principal_id)
    await narrow(connection, house_id, [mine])
    own = await base(connection, house_id)
    delegators = {str(f.values[1]) for f in own if f.relation == "grant_delegated"}
    others: list[Fact] = []
    if delegators - {token.principal_id}:
        scopes = [scope_of_principal(p) for p in sorted(delegators - {token.principal_id})]
        await narrow(connection, house_id, scopes)
        others = await _facts(connection, "facts.governed", {"house": house_id})
    return [*_token_facts(token, at), *own, *others]


def _token_facts(token: grants.Token, at: datetime) -> Iterator[Fact]:
    source = f"token:{token.token_id}"
    yield Fact.of("now", (seconds(at),), "clock")
    yield Fact.of("caller", (token.principal_id,), source)
    for operation in sorted(set(token.operations)):
        yield Fact.of("token_operation", (operation,), source)
    for scope in sorted(set(token.scopes)):
        yield Fact.of("token_scope", (scope,), source)
    if token.expires_at is not None:
        yield Fact.of("token_until", (seconds(token.expires_at),), source)


async def open_house(connection: Connection, house_id: UUID) -> None:
    """Start the epochs of a new House."""
    await write(connection, "facts.open_house", {"house": house_id})


async def advance(connection: Connection, subjects: Sequence[str]) -> int:
    """Bring the facts of subjects up to the ledgers, as one epoch; the House's epoch afterwards.

    Call it last in a transaction of `Database.changing`: it waits for the House's other writers.
    """
    found = await one(connection, _Epoch, "facts.advance", {"subjects": sorted(set(subjects))})
    return found.epoch if found else 0


async def visible_epoch(connection: Connection, house_id: UUID) -> int:
    """How many epochs touched the scopes of the transaction: a number that only grows."""
    found = await one(connection, _Epoch, "facts.visible_epoch", {"house": house_id})
    return found.epoch if found else 0


async def changes(connection: Connection, house_id: UUID, after: int) -> list[Change]:
    """The changes of later epochs inside the scopes of the transaction, by epoch."""
    return await every(connection, Change, "facts.changes", {"house": house_id, "after": after})


async def _facts(connection: Connection, name: str, parameters: Parameters) -> list[Fact]:
    """Rows of relation, values, source and id as facts; `engine.admit` holds them to their types.

    Read in a thread when they are many, so that others are answered meanwhile.
    """
    cursor = await connection.execute(query(name), parameters)
    rows = await cursor.fetchall()
    return _read(rows) if len(rows) < _MANY else await asyncio.to_thread(_read, rows)


def _read(rows: Sequence[tuple[str, str, str, str]]) -> list[Fact]:
    return [Fact(name, tuple(json.loads(row)), source, key) for name, row, source, key in rows]
