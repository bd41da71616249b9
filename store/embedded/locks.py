"""Advisory locks on files, which the system drops when their holder dies.

A lock belongs to one opening of its file (`flock`), not to a process: two openings in one process
exclude each other, and a forked process shares the opening of its parent. A fork would thereby go
on holding the lock of a parent that was killed, so that a forked process closes its copies.
"""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from store.embedded.home import EmbeddedError

POLL_SECONDS = 0.005

_opened: "set[Lock]" = set()


class BusyHomeError(EmbeddedError):
    """Another process has been starting or stopping the server for too long."""

    def __init__(self, path: Path, waited_seconds: float) -> None:
        super().__init__(path, waited_seconds)
        self.path = path
        self.waited_seconds = waited_seconds

    def __str__(self) -> str:
        return (
            f"another process is starting or stopping the server of `{self.path.parent}`, "
            f"for more than {self.waited_seconds:g} s"
        )


class Lock:
    """One opening of a lock file. Closed to every program that this process starts."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        _opened.add(self)

    def fileno(self) -> int:
        """Return the descriptor, to let a program that is started inherit the lock."""
        if self._descriptor is None:
            raise ValueError(self._path)
        return self._descriptor

    @property
    def held(self) -> bool:
        """Whether the file is open here: not after `close`, nor in a forked process."""
        return self._descriptor is not None

    def share(self) -> None:
        """Hold the lock beside others who share it; wait for one who holds it alone."""
        fcntl.flock(self.fileno(), fcntl.LOCK_SH)

    def take(self) -> bool:
        """Return whether the lock could be had alone, at once."""
        try:
            fcntl.flock(self.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def take_within(self, seconds: float) -> bool:
        """Return whether the lock could be had alone within some time."""
        deadline = time.monotonic() + seconds
        while not self.take():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def drop(self) -> None:
        """Hold the lock no longer, even where a process that is being started has a copy."""
        fcntl.flock(self.fileno(), fcntl.LOCK_UN)

    def close(self) -> None:
        """Close this opening; programs that inherited it hold the lock until they end."""
        descriptor, self._descriptor = self._descriptor, None
        _opened.discard(self)
        if descriptor is not None:
            os.close(descriptor)


@contextmanager
def alone(path: Path, *, wait_seconds: float) -> Generator[None]:
    """Hold the lock at `path` alone.

    Raises: BusyHomeError.
    """
    lock = Lock(path)
    try:
        if not lock.take_within(wait_seconds):
            raise BusyHomeError(path, wait_seconds)
        try:
            yield
        finally:
            lock.drop()
    finally:
        lock.close()


def _forget() -> None:
    for lock in tuple(_opened):
        lock.close()


os.register_at_fork(after_in_child=_forget)
