"""One embedded PostgreSQL for the whole run, one migrated template, one copy of it a test."""

import os
import sys
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

# pytest puts this folder on the path, where `tests/house` would stand in for the package `house`.
sys.path.insert(0, str(Path(__file__).parents[1]))

import hypothesis
import psycopg
import pytest
from houses import Estate, demo, estate
from psycopg import sql

from store import migrate
from store.embedded import Lease, acquire

_TEMPLATE = "house_template"
_LOCK = 0x7465_7374  # one worker at a time makes the template
_NAMES = count()

hypothesis.settings.register_profile(
    "athanor",
    deadline=None,  # what an example takes says more of the machine than of the code
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    print_blob=True,
)
hypothesis.settings.load_profile("athanor")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lease]:
    """The embedded server that every worker of this run uses; the last one to go stops it."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with acquire(shared / "postgresql", env=os.environ) as lease:
        yield lease


@pytest.fixture(scope="session")
def template(server: Lease) -> str:
    """The name of a database with the schema and nothing else, made once a run."""
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
        made = connection.execute(
            "select datistemplate from pg_database where datname = %s", (_TEMPLATE,)
        ).fetchone()
        if made is None or not made[0]:
            _run(connection, "drop database if exists {}", _TEMPLATE)
            _run(connection, "create database {}", _TEMPLATE)
            migrate(server.conninfo(_TEMPLATE))
            _run(connection, "alter database {} is_template true", _TEMPLATE)
    return _TEMPLATE


@pytest.fixture
def database(server: Lease, template: str) -> Iterator[str]:
    """The owner's address of a migrated database of this test's own."""
    with copied(server, template) as conninfo:
        yield conninfo


@pytest.fixture(scope="session")
def schema(server: Lease, template: str) -> Iterator[str]:
    """The owner's address of a migrated database that tests only look at."""
    with copied(server, template) as conninfo:
        yield conninfo


@pytest.fixture(scope="module")
def module_database(server: Lease, template: str) -> Iterator[str]:
    """The owner's address of a migrated database that the tests of one file share."""
    with copied(server, template) as conninfo:
        yield conninfo


@pytest.fixture
def other_database(server: Lease, template: str) -> Iterator[str]:
    """A second one."""
    with copied(server, template) as conninfo:
        yield conninfo


@pytest.fixture
def empty_database(server: Lease) -> Iterator[str]:
    """The owner's address of a database without any schema."""
    with copied(server, "template0") as conninfo:
        yield conninfo


@pytest.fixture
def other_empty_database(server: Lease) -> Iterator[str]:
    """A second one."""
    with copied(server, "template0") as conninfo:
        yield conninfo


@pytest.fixture
async def house(database: str) -> AsyncGenerator[Estate]:
    """A House with the rooms forge and library, three projects, and its operator."""
    async with estate(database) as found:
        yield found


@pytest.fixture(scope="session")
async def lanternquay(server: Lease, template: str) -> AsyncGenerator[Estate]:
    """The House of the demonstration, its lessons imported; tests start tasks in it, no more."""
    with copied(server, template) as database:
        async with estate(database) as found, found.client() as client:
            answer = await client.post("/v1/lessons/import", json=demo("lessons.json"))
            assert answer.status_code == 200, answer.text
            yield found


@contextmanager
def copied(server: Lease, template: str) -> Generator[str]:
    """The owner's address of a copy of a database, dropped at the end."""
    name = f"copy_{os.getpid()}_{next(_NAMES)}"
    with psycopg.connect(server.conninfo(), autocommit=True) as connection:
        statement = sql.SQL("create database {} template {} strategy file_copy")
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))
    try:
        yield server.conninfo(name)
    finally:
        with psycopg.connect(server.conninfo(), autocommit=True) as connection:
            _run(connection, "drop database {} with (force)", name)


def _run(connection: psycopg.Connection[tuple[object, ...]], statement: str, name: str) -> None:
    connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
