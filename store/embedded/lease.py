"""Being one of the users of a home's server.

A user holds a shared lock for as long as it is one. Joining, leaving, starting and stopping happen
in turn, under a lock of their own: a server that is being stopped is not joined, and no one joins
between the last user's farewell and the stop. Who is killed loses its lock; the server then runs
on until the next user comes and goes.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from obligations.process import Started
from store.embedded import cluster, postmaster
from store.embedded.home import TURN, Home, find, make, writing
from store.embedded.locks import BusyHomeError, Lock, alone
from store.embedded.server import Starter
from store.embedded.settings import OWNER

# Longer than whoever has the turn can take: an initdb, a start and a stop.
_TURN_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Lease:
    """One use of a home's server; a forked process has no part in it."""

    _home: Home
    _users: Lock
    _started: Started | None

    @property
    def data_directory(self) -> Path:
        return self._home.data

    @property
    def socket_directory(self) -> Path:
        return self._home.sockets

    def conninfo(self, dbname: str = "postgres", user: str = OWNER) -> str:
        """Return the address of a database for libpq; the owner is a superuser."""
        return postmaster.conninfo(self._home, dbname=dbname, user=user)

    def release(self) -> None:
        """Stop using the server; the last user stops it and returns when it is gone.

        Releasing twice, or in a forked process, does nothing.

        Raises: NoStopError; UnknownPostmasterError; DiskFullError; UnwritableHomeError.
        """
        if not self._users.held:
            return
        with writing(self._home.root):
            try:
                # Whoever has the turn for longer is starting the server and uses it next.
                with suppress(BusyHomeError), alone(self._home.turn, wait_seconds=_TURN_SECONDS):
                    _leave(self._home, self._users, self._started)
            finally:
                self._users.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()


def acquire(home: Path, *, env: Mapping[str, str]) -> Lease:
    """Return a use of the server of `home`, which is started if no one uses it yet.

    Blocks until the server answers. Of `env` the server gets `PATH` and `LD_LIBRARY_PATH`.

    Raises: a subclass of EmbeddedError for each cause.
    """
    with writing(home):
        root = make(home)
        with alone(root / TURN, wait_seconds=_TURN_SECONDS):
            place = find(root)
            cluster.exists(place)  # before anything of another version is touched
            starter = Starter(place, env)
            users = Lock(place.users)
            try:
                users.share()
                starter.bring_up()
            except BaseException:
                _leave(starter.home, users, starter.started)
                raise
    return Lease(starter.home, users, starter.started)


def _leave(home: Home, users: Lock, started: Started | None) -> None:
    """Give up a share of the users' lock; stop the server iff it was the last one."""
    if not users.held:  # released by another thread while we waited for the turn
        return
    try:
        users.drop()
        if users.take():
            postmaster.stop(home, started)
        elif started is not None:
            started.finished()
    finally:
        users.drop()
        users.close()
