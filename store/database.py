"""The pool of the application's connections, and transactions inside a House."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TypeAlias
from uuid import UUID

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from store.queries import query

Connection: TypeAlias = AsyncConnection[TupleRow]


class DatabaseUnavailableError(Exception):
    """PostgreSQL cannot be reached, or gave no connection in time."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"the database is unavailable: {type(cause).__name__}")


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
        except (psycopg.errors.TransactionRollback, psycopg.errors.UniqueViolation) as cause:
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


async def _repeatable(connection: Connection) -> None:
    await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)


async def narrow(connection: Connection, house_id: UUID, scopes: Sequence[str]) -> None:
    """Set for this transaction what row-level security lets it see."""
    parameters = {"house": str(house_id), "scopes": ",".join(scopes)}
    await connection.execute(query("session.narrow"), parameters)


async def schema_version(database: Database) -> int:
    """The last migration of the database; raises `DatabaseUnavailableError` iff out of reach."""
    async with database.connection() as connection:
        cursor = await connection.execute(query("session.alive"))
        row = await cursor.fetchone()
    return int(row[0]) if row else 0
