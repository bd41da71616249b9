"""Houses for tests: founded over real PostgreSQL, filled through the ledgers, asked over HTTP.

An `Estate` is a database with one House in it, opened as the application opens it. What no command
of the product does yet (further principals, grants, tokens) is written through the ledgers, as such
a command would: as the application role, inside a narrowed transaction, behind an act.
"""

import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any, cast
from uuid import UUID

import httpx
import psycopg
from psycopg import sql

from api.http import create_application
from engine import Limits
from house import Evaluator, Founding, Runtime, found_house, shipped
from store import Connection, Database, acts, custody, facts, grants, houses, narrow

START = datetime(2031, 5, 17, 8, 30, tzinfo=UTC)
HOUSE_ID = UUID("6f2f9d0e-3f3a-4f0e-9a53-1f0c64f3a001")
OTHER_HOUSE_ID = UUID("6f2f9d0e-3f3a-4f0e-9a53-1f0c64f3a002")
SECRET = "ath_secret-of-the-operator"
ROOMS = ("forge", "library")
PROJECTS = ("sluicebook", "quaygauge", "bargepost")
OPERATIONS = ("read", "start_task", "import", "promote", "administer")
FORGE, LIBRARY, SHARED = "room:forge", "room:library", "shared"
Json = dict[str, Any]


@dataclass(slots=True)
class Clock:
    """A clock of which every look is a millisecond later than the one before."""

    at: datetime = START

    def __call__(self) -> datetime:
        self.at += timedelta(milliseconds=1)
        return self.at


@dataclass(frozen=True, slots=True)
class Holding:
    """What a principal of a test may do: a grant for each operation, and a token."""

    principal: str
    operations: Sequence[str] = ("read", "start_task")
    scopes: Sequence[str] = (FORGE, SHARED)
    kind: str = "adapter"
    token_operations: Sequence[str] | None = None
    token_scopes: Sequence[str] | None = None
    valid_from: datetime = START - timedelta(days=1)
    valid_until: datetime | None = None
    expires_at: datetime | None = None

    @property
    def secret(self) -> str:
        return f"ath_secret-of-{self.principal}"


@dataclass(slots=True)
class Estate:
    """A database with a House in it; `owner` and `application` are its two addresses."""

    owner: str
    application: str
    runtime: Runtime
    clock: Clock
    house_id: UUID = HOUSE_ID
    _acts: int = field(default=0, init=False)

    @property
    def database(self) -> Database:
        return self.runtime.database

    @asynccontextmanager
    async def inside(self, *scopes: str) -> AsyncGenerator[Connection]:
        """A transaction of the application that sees the House and the named scopes."""
        async with self.database.inside(self.house_id, scopes) as connection:
            yield connection

    async def act(self, connection: Connection, scope: str = SHARED) -> UUID:
        """The id of an act of the operator, just recorded, for a record to rest on."""
        self._acts += 1
        act = acts.Act(
            house_id=self.house_id,
            act_id=UUID(int=self._acts),
            principal_id="operator",
            operation="administer",
            scope=scope,
            basis="a test",
            reason="a test asks for it",
            permission=None,
            at=self.clock(),
        )
        cursor = await connection.execute("select current_setting('athanor.scopes')")
        (seen,) = await cursor.fetchone() or ("",)
        await narrow(connection, self.house_id, [scope])
        await acts.record(connection, act)
        await narrow(connection, self.house_id, str(seen).split(",") if seen else [])
        return act.act_id

    async def admit(self, holding: Holding) -> str:
        """Register the principal with its grants and its token; the secret of the token."""
        async with self.database.changing(self.house_id, [SHARED]) as connection:
            await houses.add_principal(
                connection, self.house_id, holding.principal, holding.kind, START
            )
            act = await self.act(connection)
            for operation in holding.operations:
                await grants.give(connection, grant_of(self.house_id, holding, operation), act)
            await self.give_token(connection, holding, holding.secret, act)
            given = [grant_of(self.house_id, holding, o).grant_id for o in holding.operations]
            await facts.advance(connection, given)
        return holding.secret

    async def revoke(self, grant_id: str) -> None:
        """Revoke a grant."""
        async with self.database.changing(self.house_id, []) as connection:
            await grants.revoke(connection, self.house_id, grant_id, await self.act(connection))
            await facts.advance(connection, [grant_id])

    async def give_token(
        self, connection: Connection, holding: Holding, secret: str, act: UUID
    ) -> UUID:
        """A further token of a principal; its id."""
        operations, scopes = holding.token_operations, holding.token_scopes
        token = grants.Token(
            house_id=self.house_id,
            token_id=UUID(bytes=hashlib.sha256(secret.encode() + b":id").digest()[:16]),
            principal_id=holding.principal,
            operations=list(holding.operations if operations is None else operations),
            scopes=list(holding.scopes if scopes is None else scopes),
            expires_at=holding.expires_at,
        )
        await grants.add_token(connection, token, hashlib.sha256(secret.encode()).digest(), act)
        return token.token_id

    @asynccontextmanager
    async def client(
        self,
        secret: str | None = SECRET,
        *,
        runtime: Runtime | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> AsyncGenerator[httpx.AsyncClient]:
        """A client of the application over this House, with a token or none."""
        application = create_application(runtime or self.runtime, clock or self.clock)
        transport = httpx.ASGITransport(cast("Any", application), raise_app_exceptions=False)
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(
            base_url="http://house.test", headers=headers, transport=transport
        ) as client:
            yield client

    def with_limits(self, limits: Limits, *, at_once: int = 2, waiting: int = 64) -> Runtime:
        """The runtime with another evaluator."""
        evaluator = Evaluator(limits, wall_seconds=60, at_once=at_once, waiting=waiting)
        return replace(self.runtime, evaluator=evaluator)

    def dump(self) -> dict[str, list[str]]:
        """Every row of every table, as its owner sees it, in an order of its own."""
        return dump(self.owner)


def grant_of(house_id: UUID, holding: Holding, operation: str) -> grants.Grant:
    """The grant of one operation to the principal of a holding."""
    return grants.Grant(
        house_id=house_id,
        grant_id=f"grant-{holding.principal}-{operation}",
        principal_id=holding.principal,
        operation=operation,
        scopes=list(holding.scopes),
        valid_from=holding.valid_from,
        valid_until=holding.valid_until,
    )


@asynccontextmanager
async def estate(
    owner: str,
    *,
    house_id: UUID = HOUSE_ID,
    rooms: Sequence[str] = ROOMS,
    projects: Sequence[str] = PROJECTS,
    secret: str = SECRET,
) -> AsyncGenerator[Estate]:
    """A House founded in a migrated database that lies at the owner's address."""
    application = psycopg.conninfo.make_conninfo(owner, user=custody.APPLICATION)
    database = Database(application, max_connections=12)
    await database.open()
    try:
        clock = Clock()
        founding = Founding(house_id, "House of tests", rooms, projects, secret)
        await found_house(database, founding, START)
        runtime = Runtime(database, Evaluator(Limits()), shipped())
        yield Estate(owner, application, runtime, clock, house_id)
    finally:
        await database.close()


def tables(connection: psycopg.Connection[Any]) -> list[str]:
    """The tables of the schema, sorted."""
    found = connection.execute(
        "select relname from pg_class where relnamespace = 'public'::regnamespace"
        " and relkind in ('r', 'p') order by relname"
    )
    return [str(row[0]) for row in found]


def dump(owner: str) -> dict[str, list[str]]:
    """Every row of every table of a database, as JSON, sorted."""
    with psycopg.connect(owner) as connection:
        return {
            table: [
                str(row[0])
                for row in connection.execute(
                    sql.SQL("select to_jsonb(t)::text from {} t order by 1").format(
                        sql.Identifier(table)
                    )
                )
            ]
            for table in tables(connection)
        }


def demo(name: str) -> Any:
    """A file of the demonstration corpus."""
    return json.loads((files("corpus.demo") / name).read_text(encoding="utf-8"))


def lesson(title: str, rule: str = "Rinse the brass before the tide.", **more: object) -> Json:
    """A record of an import file."""
    return {"title": title, "lesson": rule, **more}


def pack(lessons: Iterable[Mapping[str, object]], name: str = "synthetic") -> Json:
    """An import file."""
    return {"schema_version": 1, "pack": {"id": name}, "lessons": [dict(row) for row in lessons]}


def start(**changes: object) -> Json:
    """The body of a task start; every field of the intent is there."""
    body: Json = {
        "worker_id": "worker-1",
        "worker_role": "builder",
        "phase": "build",
        "project_key": "sluicebook",
        "task_kind": "feature",
        "risk": "low",
        "target": "the sluice register",
        "change": "Rinse the brass valve before the tide turns.",
        "proof_contract": ["the brass stays bright"],
        "room": "forge",
    }
    return body | changes


def start_of_demo(task: Mapping[str, Any]) -> Json:
    """The body of a task start of the demonstration corpus."""
    renamed = {"worker": "worker_id", "role": "worker_role", "project": "project_key"}
    renamed |= {"proof": "proof_contract"}
    return {renamed.get(k, k): v for k, v in task.items() if k not in {"name", "expect"}}
