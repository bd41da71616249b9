"""The pool of the application's connections, and transactions inside a House."""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TypeAlias
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from store.queries import query

Connection: TypeAlias = AsyncConnection[TupleRow]

# psycopg has a class for each state of PostgreSQL, and none for a class of states.
_RACES = (
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.UniqueViolation,
)


class DatabaseUnavailableError(Exception):
    """PostgreSQL cannot be reached, or gave no connection in time.

    `reason` is what it or its client said, for operators; the message is for everyone.
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__("the database is unavailable")
        self.reason = " / ".join(line.strip() for line in str(cause).splitlines())


class DatabaseAddressError(Exception):
    """The address of a database cannot be read; it may hold a password and is not repeated."""

    def __init__(self) -> None:
        super().__init__("the address of the database is no connection string or URI of libpq")


class RacedError(Exception):
    """Another transaction got in between; the same call may be made again."""

    def __init__(self) -> None:
        super().__init__("another transaction changed the same records first")


class Database:
    """Connections as the application role. Open it before use; close it to leave nothing behind."""

    def __init__(self, conninfo: str, *, max_connections: int = 16) -> None:
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            conninfo,
            min_size=1,
            max_size=max_connections,
            open=False,
            timeout=5,
            kwargs={"autocommit": True},
            check=AsyncConnectionPool.check_connection,
            configure=_repeatable,
        )

    async def open(self) -> None:
        """Open the pool and wait for a first connection; raises `DatabaseUnavailableError`."""
        try:
            await self._pool.open(wait=True, timeout=10)
        except PoolTimeout as cause:
            await self._pool.close()
            raise DatabaseUnavailableError(cause) from cause

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """One connection outside any House, for token look-up and readiness."""
        try:
            async with self._pool.connection() as connection:
                yield connection
        except _RACES as cause:
            raise RacedError from cause
        except (PoolTimeout, psycopg.OperationalError) as cause:
            raise DatabaseUnavailableError(cause) from cause

    @asynccontextmanager
    async def inside(self, house_id: UUID, scopes: Sequence[str]) -> AsyncGenerator[Connection]:
        """One repeatable-read transaction that sees a House, and of it just the named scopes.

        Commits at the end, rolls back when the block raises.
        """
        async with self.connection() as connection, connection.transaction():
            await narrow(connection, house_id, scopes)
            yield connection

    @asynccontextmanager
    async def changing(self, house_id: UUID, scopes: Sequence[str]) -> AsyncGenerator[Connection]:
        """The same, where each statement sees what others committed before it.

        For what ends with `facts.advance`, which must see the changes of the writers before it.
        """
        async with self.connection() as connection, connection.transaction():
            await connection.execute(query("session.read_committed"))
            await narrow(connection, house_id, scopes)
            yield connection


@contextmanager
def owned(conninfo: str, *, autocommit: bool = False) -> Generator[psycopg.Connection[TupleRow]]:
    """A connection of the owner; its transaction commits at the end.

    Raises `DatabaseAddressError` and `DatabaseUnavailableError`.
    """
    try:
        conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError as cause:
        raise DatabaseAddressError from cause
    try:
        with psycopg.connect(conninfo, autocommit=autocommit) as connection:
            yield connection
    except psycopg.OperationalError as cause:
        raise DatabaseUnavailableError(cause) from cause


async def _repeatable(connection: Connection) -> None:
    await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)


async def narrow(connection: Connection, house_id: UUID, scopes: Sequence[str]) -> None:
    """Set for this transaction what row-level security lets it see."""
    parameters = {"house": str(house_id), "scopes": ",".join(scopes)}
    await connection.execute(query("session.narrow"), parameters)


async def one_at_a_time(connection: Connection, house_id: UUID, work: str) -> None:
    """Wait for every other transaction that does this work in the House; they wait for this one."""
    await connection.execute(query("session.one_at_a_time"), {"work": f"{house_id} {work}"})


async def schema_version(database: Database) -> int:
    """The last migration of the database; raises `DatabaseUnavailableError` iff out of reach."""
    async with database.connection() as connection:
        cursor = await connection.execute(query("session.alive"))
        row = await cursor.fetchone()
    return int(row[0]) if row else 0
