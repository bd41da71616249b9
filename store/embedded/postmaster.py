"""The running server as seen through its socket: whether it answers, and how it is told to stop.

No number of a process is taken from a file. Who listens on the socket is told by the system.
"""

import os
import signal
import socket
import struct
import sys
import time
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from obligations.process import Started
from store.embedded import cluster
from store.embedded.home import EmbeddedError, Home
from store.embedded.locks import POLL_SECONDS, Lock
from store.embedded.settings import OWNER, PORT

_STEPS = ((signal.SIGINT, 60.0), (signal.SIGQUIT, 20.0))
_REAP_SECONDS = 2.0
_CONNECT_SECONDS = 5
_IDENTIFIER = "SELECT system_identifier FROM pg_control_system()"


class ForeignServerError(EmbeddedError):
    """Another cluster's server answers on our socket."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"the server on the socket `{self.path}` serves another cluster"


class UnknownPostmasterError(EmbeddedError):
    """The server runs where its process cannot be seen, as in another container."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"the process that listens on the socket `{self.path}` cannot be seen from here"


class NoStopError(EmbeddedError):
    """The server was told to stop and did not."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.home = home

    def __str__(self) -> str:
        return f"the server of `{self.home}` does not stop"


def conninfo(home: Home, *, dbname: str, user: str) -> str:
    """Return the address of a database for libpq, which no variable of the environment bends."""
    return make_conninfo(
        host=str(home.sockets),
        hostaddr="",
        port=PORT,
        user=user,
        dbname=dbname,
        sslmode="disable",
        gssencmode="disable",
        channel_binding="disable",
        target_session_attrs="any",
    )


def answers(home: Home) -> bool:
    """Return whether the server of this home's cluster accepts connections.

    Raises: ForeignServerError.
    """
    if not home.socket.exists() or not cluster.exists(home):
        return False
    address = conninfo(home, dbname="postgres", user=OWNER)
    try:
        with psycopg.connect(
            address, autocommit=True, connect_timeout=_CONNECT_SECONDS
        ) as connection:
            row = connection.execute(_IDENTIFIER).fetchone()
    except psycopg.OperationalError:
        return False
    if row != (cluster.system_identifier(home),):
        raise ForeignServerError(home.socket)
    return True


def listens(home: Home) -> bool:
    """Return whether some process listens on the socket, be it one that does not answer yet."""
    return _listener(home) is not None


def stop(home: Home, started: Started | None) -> None:
    """Stop the server, if there is one, and return when none of its processes is left.

    First as `fast` (clients are disconnected, a checkpoint is written), and where that takes too
    long as `immediate`, after which the next start recovers. `started` is the server if this
    process started it: it is reaped.

    Raises: NoStopError; UnknownPostmasterError; ForeignServerError.
    """
    living = Lock(home.living)
    try:
        for number, seconds in _STEPS:
            if not living.take():
                # A server that recovers is stopped at once: it recovers next time anyway, and
                # PostgreSQL can lose a fast shutdown that comes as recovery begins.
                _send(home, number if answers(home) else signal.SIGQUIT)
            if living.take_within(seconds):
                cluster.sweep(home)
                # A short one lies where other people's things lie; it stays if copies are in it.
                if home.sockets == home.short:
                    with suppress(OSError):
                        home.short.rmdir()
                break
        else:
            raise NoStopError(home.root)
    finally:
        living.close()
    if started is not None:
        reap(started)


def reap(started: Started) -> None:
    """Wait for the end of a process that has let its locks go: it is about to be gone."""
    deadline = time.monotonic() + _REAP_SECONDS
    while not started.finished() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def _send(home: Home, number: signal.Signals) -> None:
    """Send a signal to the process that listens on the socket, if one does.

    Raises: UnknownPostmasterError.
    """
    pid = _listener(home)
    if pid is None:
        return
    if pid <= 0:
        raise UnknownPostmasterError(home.socket)
    with suppress(ProcessLookupError):
        if sys.platform == "linux":
            handle = os.pidfd_open(pid)
            try:
                # Asked again, now that the number cannot pass to another process unnoticed.
                if _listener(home) == pid:
                    signal.pidfd_send_signal(handle, number)
            finally:
                os.close(handle)
        else:
            os.kill(pid, number)


def _listener(home: Home) -> int | None:
    """Return the number of the process that listens on the socket, as the system knows it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(_CONNECT_SECONDS)
        try:
            client.connect(str(home.socket))
        except OSError:
            return None
        if sys.platform == "linux":
            level, option = socket.SOL_SOCKET, socket.SO_PEERCRED
        else:
            # SOL_LOCAL and LOCAL_PEERPID of macOS, which the standard library does not name.
            level, option = 0, 2
        # Of either answer the number of the process is the first word.
        return int(struct.unpack_from("=i", client.getsockopt(level, option, 12))[0])
