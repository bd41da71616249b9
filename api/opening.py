"""Opening a House for an entry point: PostgreSQL, schema, first House, token, runtime."""

import asyncio
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

from api.settings import Settings
from engine import Limits
from house import Evaluator, Founding, Runtime, found_house, renew_operator_token, shipped
from store import Database, custody, embedded, migrate

ROOM = "default"
PROJECT = "demo"


@dataclass(frozen=True, slots=True)
class Opened:
    """A House that is ready for use; `secret` is the operator's token."""

    runtime: Runtime
    house_id: UUID
    token_file: Path
    secret: str


@dataclass(frozen=True, slots=True)
class FirstHouse:
    """What an empty database gets."""

    name: str = "House"
    rooms: tuple[str, ...] = (ROOM,)
    projects: tuple[str, ...] = (PROJECT,)


@dataclass(frozen=True, slots=True)
class _Addresses:
    """Where the database is, for its owner and for the application."""

    owner: str
    application: str


def clock() -> datetime:
    """The present."""
    return datetime.now(UTC)


@asynccontextmanager
async def opened(settings: Settings, first: FirstHouse | None = None) -> AsyncGenerator[Opened]:
    """A House over `DATABASE_URL` or the embedded PostgreSQL; everything is closed at the end.

    An empty database gets the schema, a House, and a token for its operator in a file of mode 0600.
    """
    with ExitStack() as stack:
        addresses = await _settled(partial(_addresses, settings, stack))
        await asyncio.to_thread(migrate, addresses.owner)
        database = Database(addresses.application)
        await database.open()
        try:
            house_id, token_file, secret = await _house(
                settings, addresses.owner, database, first or FirstHouse()
            )
            runtime = Runtime(database, Evaluator(Limits()), shipped())
            yield Opened(runtime, house_id, token_file, secret)
        finally:
            await database.close()


@contextmanager
def in_custody(settings: Settings) -> Generator[str]:
    """The owner's address of the database, with its schema up to date, while the block runs."""
    with ExitStack() as stack:
        addresses = _addresses(settings, stack)
        migrate(addresses.owner)
        yield addresses.owner


async def _settled(work: Callable[[], _Addresses]) -> _Addresses:
    """What the work returns, done in a thread; a caller that is cancelled waits for its end.

    Otherwise the thread would take hold of a server that nobody lets go again.
    """
    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def _addresses(settings: Settings, stack: ExitStack) -> _Addresses:
    if settings.database_url is not None:
        owner = settings.database_url.get_secret_value()
        if settings.app_database_url is not None:
            return _Addresses(owner, settings.app_database_url.get_secret_value())
        return _Addresses(owner, custody.as_application(owner))
    lease = stack.enter_context(embedded.acquire(settings.home / "postgresql", env=os.environ))
    custody.create_database(lease.conninfo("postgres"))
    return _Addresses(
        lease.conninfo(custody.DATABASE), lease.conninfo(custody.DATABASE, custody.APPLICATION)
    )


async def _house(
    settings: Settings, owner: str, database: Database, first: FirstHouse
) -> tuple[UUID, Path, str]:
    """The first House of the database, founded if there is none, with the operator's token."""
    founder = custody.sole_founder(owner)
    houses = await asyncio.to_thread(founder.__enter__)
    try:
        if houses:
            house_id = houses[0].house_id
            token_file = _token_file(settings, house_id)
            if not token_file.exists():
                secret = new_secret()
                await renew_operator_token(database, house_id, secret, clock())
                write_secret(token_file, secret)
        else:
            house_id = uuid4()
            token_file = _token_file(settings, house_id)
            founding = Founding(house_id, first.name, first.rooms, first.projects, new_secret())
            write_secret(token_file, founding.secret)
            await found_house(database, founding, clock())
        return house_id, token_file, token_file.read_text(encoding="ascii").strip()
    finally:
        await asyncio.to_thread(founder.__exit__, None, None, None)


def _token_file(settings: Settings, house_id: UUID) -> Path:
    return settings.home / "tokens" / f"{house_id}.operator"


def new_secret() -> str:
    """A secret for a token, which nobody can guess."""
    return "ath_" + secrets.token_urlsafe(32)


def write_secret(path: Path, secret: str) -> None:
    """Write a token file that only its owner may read; never through a file that is there."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secret + "\n")
