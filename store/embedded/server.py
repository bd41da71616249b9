"""Getting a server to answer: the one that runs, or one that is started.

Everything here happens while the caller holds the home's turn.
"""

import os
import time
from collections.abc import Mapping
from pathlib import Path

from obligations.process import NotStartedError, Started
from store.embedded import cluster, installation, postmaster, settings
from store.embedded.home import DiskFullError, EmbeddedError, Home, own
from store.embedded.locks import POLL_SECONDS, Lock

_START_SECONDS = 60.0
_RETRY_SECONDS = 5.0
_PAUSE_SECONDS = 0.25
_LOG_BYTES = 1 << 20
_TAIL_LINES = 12


class StartFailedError(EmbeddedError):
    """The server ended while it was starting, again and again; `log` is what it said last."""

    def __init__(self, home: Path, log: tuple[str, ...]) -> None:
        super().__init__(home, log)
        self.home = home
        self.log = log

    def __str__(self) -> str:
        return f"the server of `{self.home}` does not start: {' / '.join(self.log)}"


class SlowStartError(EmbeddedError):
    """The server lives and does not answer in time; `log` is what it said last."""

    def __init__(self, home: Path, waited_seconds: float, log: tuple[str, ...]) -> None:
        super().__init__(home, waited_seconds, log)
        self.home = home
        self.waited_seconds = waited_seconds
        self.log = log

    def __str__(self) -> str:
        return (
            f"the server of `{self.home}` does not answer after {self.waited_seconds:g} s: "
            f"{' / '.join(self.log)}"
        )


class LeftoverProcessesError(EmbeddedError):
    """The postmaster is gone, but processes of its server live on and keep the cluster."""

    def __init__(self, home: Path, waited_seconds: float) -> None:
        super().__init__(home, waited_seconds)
        self.home = home
        self.waited_seconds = waited_seconds

    def __str__(self) -> str:
        return (
            f"processes of an earlier server of `{self.home}` still run "
            f"after {self.waited_seconds:g} s"
        )


class Starter:
    """Brings up the server of one home, once; `started` is the server if it did start one."""

    __slots__ = ("_deadline", "_env", "_give_up", "_log_start", "home", "started")

    def __init__(self, home: Home, env: Mapping[str, str]) -> None:
        self.home = home
        self.started: Started | None = None
        self._env = env
        self._log_start = 0
        self._deadline = self._give_up = time.monotonic() + _START_SECONDS

    def bring_up(self) -> None:
        """Return when the server answers, started here if none was.

        Raises: StartFailedError; SlowStartError; LeftoverProcessesError; DiskFullError; and what
        choosing the binaries and making the cluster raise.
        """
        pause_seconds = POLL_SECONDS
        while not postmaster.answers(self.home):
            living = Lock(self.home.living)
            try:
                # Had iff no process of PostgreSQL lives here: neither a server that starts or
                # stops, nor what a killed one left, nor an initdb whose starter was killed.
                if living.take():
                    self._give_up_or_wait()
                    self._start_server(living)
            finally:
                living.close()
            self._check_deadline()
            time.sleep(pause_seconds)
            # A server that recovers logs each question that comes too early.
            pause_seconds = min(pause_seconds * 1.1, _PAUSE_SECONDS)

    def _give_up_or_wait(self) -> None:
        if self.started is None:
            self._give_up = time.monotonic() + _RETRY_SECONDS
            return
        postmaster.reap(self.started)
        log = self._tail()
        if any(cluster.FULL in line for line in log):
            raise DiskFullError(self.home.root)
        if time.monotonic() > self._give_up:
            raise StartFailedError(self.home.root, log)
        time.sleep(_PAUSE_SECONDS)

    def _start_server(self, living: Lock) -> None:
        cluster.sweep(self.home)
        self.home, chosen = installation.choose(self.home, self._env)
        if not cluster.exists(self.home):
            cluster.create(self.home, chosen, living)
            self._deadline = time.monotonic() + _START_SECONDS
        self.started = self._start(chosen, living)

    def _start(self, chosen: installation.Installation, living: Lock) -> Started:
        log = self._open_log()
        try:
            return chosen.start(
                "postgres",
                *("-D", chosen.name(self.home.data)),
                *settings.arguments(self.home.socket_argument),
                cwd=self.home.data,
                output=log,
                keep=(living.fileno(),),
            )
        except NotStartedError as error:
            raise StartFailedError(self.home.root, (str(error),)) from error
        finally:
            os.close(log)

    def _check_deadline(self) -> None:
        if time.monotonic() < self._deadline:
            return
        if self.started is None and not postmaster.listens(self.home):
            raise LeftoverProcessesError(self.home.root, _START_SECONDS)
        raise SlowStartError(self.home.root, _START_SECONDS, self._tail())

    def _open_log(self) -> int:
        path = self.home.log
        if path.exists() and path.stat().st_size > _LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(path, flags, 0o600)
        own(descriptor, self.home.owner)
        self._log_start = os.fstat(descriptor).st_size
        return descriptor

    def _tail(self) -> tuple[str, ...]:
        try:
            with self.home.log.open("rb") as log:
                log.seek(self._log_start)
                lines = log.read(_LOG_BYTES).decode(errors="replace").splitlines()
        except FileNotFoundError:
            return ()
        return tuple(lines[-_TAIL_LINES:])
