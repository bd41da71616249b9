"""Database rows validated into records: `class_row` of psycopg checks nothing."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from psycopg import AsyncCursor
from pydantic import TypeAdapter

from store.database import Connection
from store.queries import query

Record = TypeVar("Record")
Parameters = dict[str, Any]


async def every(
    connection: Connection, kind: type[Record], name: str, parameters: Parameters
) -> list[Record]:
    """The rows of a named query as records, in the order of the query."""
    async with connection.cursor(row_factory=_validated(kind)) as cursor:
        await cursor.execute(query(name), parameters)
        return await cursor.fetchall()


async def one(
    connection: Connection, kind: type[Record], name: str, parameters: Parameters
) -> Record | None:
    """The first row of a named query as a record, None iff there is none."""
    found = await every(connection, kind, name, parameters)
    return found[0] if found else None


async def write(connection: Connection, name: str, parameters: Parameters) -> int:
    """Run a named statement; the number of rows that it touched."""
    cursor = await connection.execute(query(name), parameters)
    return cursor.rowcount


async def write_many(connection: Connection, name: str, parameters: Sequence[Parameters]) -> None:
    """Run a named statement once for each set of parameters."""
    if parameters:
        async with connection.cursor() as cursor:
            await cursor.executemany(query(name), parameters)


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: type[Record]) -> TypeAdapter[Record]:
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def _validated(
    kind: type[Record],
) -> Callable[[AsyncCursor[Any]], Callable[[Sequence[Any]], Record]]:
    def factory(cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], Record]:
        names = [column.name for column in cursor.description or ()]
        adapter = _adapter(kind)
        return lambda values: adapter.validate_python(dict(zip(names, values, strict=True)))

    return factory
