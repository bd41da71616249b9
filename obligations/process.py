"""Starting processes: the only module of the project that does.

A process gets the environment that it is given and nothing of the caller's, no descriptor but
those named in `keep`, a session of its own (a terminal's interrupt never reaches it), and files
that it makes are private to its user. Output goes to files, never through pipes: a child that
turns into a daemon keeps a pipe open, and whoever reads the other end waits for the daemon.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

__all__ = [
    "Completed",
    "NotStartedError",
    "ProcessTimeoutError",
    "Started",
    "User",
    "run",
    "start",
]

_PRIVATE_UMASK = 0o077


@dataclass(frozen=True, slots=True)
class User:
    """The user and group that a process of root runs as, without supplementary groups."""

    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Completed:
    """What a process left: a negative `returncode` is the signal that ended it."""

    returncode: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class Started:
    """A process that runs on by itself and may outlive us."""

    pid: int

    def finished(self) -> bool:
        """Return whether the process has ended, iff it is our child; reap it then.

        A process that is no child of ours counts as finished: nobody here waits for it.
        """
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] != 0
        except ChildProcessError:
            return True


class NotStartedError(Exception):
    """The system refused to start a program."""

    def __init__(self, program: str, cause: OSError) -> None:
        super().__init__(program, cause)
        self.program = program
        self.cause = cause

    def __str__(self) -> str:
        reason = (self.cause.strerror or "unknown cause").lower()
        where = self.cause.filename
        # A working directory that is missing is reported by the same call as a missing program.
        place = "" if where in {None, self.program} else f" (`{where}`)"
        return f"the program `{self.program}` cannot be started{place}: {reason}"


class ProcessTimeoutError(Exception):
    """A process ran longer than it was allowed, and was killed with its process group."""

    def __init__(self, program: str, timeout_seconds: float) -> None:
        super().__init__(program, timeout_seconds)
        self.program = program
        self.timeout_seconds = timeout_seconds

    def __str__(self) -> str:
        return f"the program `{self.program}` did not end within {self.timeout_seconds:g} s"


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    stdin: bytes = b"",
    timeout_seconds: float,
    keep: Collection[int] = (),
    user: User | None = None,
) -> Completed:
    """Return what a process left when it ended; its daemons, if it made any, run on.

    The program is looked up in the `PATH` of `env`. At the timeout the whole process group is
    killed; a descendant that took a session of its own is no longer in it.

    Raises: NotStartedError; ProcessTimeoutError.
    """
    with TemporaryFile() as source, TemporaryFile() as stdout, TemporaryFile() as stderr:
        source.write(stdin)
        source.seek(0)
        child = _popen(
            argv, env=env, cwd=cwd, streams=(source, stdout, stderr), keep=keep, user=user
        )
        try:
            returncode = _wait(child, timeout_seconds)
        except BaseException as error:
            _kill_group(child)
            if isinstance(error, subprocess.TimeoutExpired):
                raise ProcessTimeoutError(argv[0], timeout_seconds) from None
            raise
        stdout.seek(0)
        stderr.seek(0)
        return Completed(returncode, stdout.read(), stderr.read())


def start(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    output: int,
    keep: Collection[int] = (),
    user: User | None = None,
) -> Started:
    """Return a process that runs on by itself, writing both streams to the descriptor `output`.

    Raises: NotStartedError.
    """
    streams = (subprocess.DEVNULL, output, output)
    child = _popen(argv, env=env, cwd=cwd, streams=streams, keep=keep, user=user)
    # Popen complains when it is dropped while its process runs. This one is meant to run on:
    # settle the handle, and leave the reaping to Started.
    child.returncode = 0
    return Started(child.pid)


def _popen(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    streams: tuple[IO[bytes] | int, IO[bytes] | int, IO[bytes] | int],
    keep: Collection[int],
    user: User | None,
) -> subprocess.Popen[bytes]:
    stdin, stdout, stderr = streams
    try:
        return subprocess.Popen(
            list(argv),
            env=dict(env),
            cwd=cwd,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=tuple(keep),
            start_new_session=True,
            umask=_PRIVATE_UMASK,
            user=None if user is None else user.uid,
            group=None if user is None else user.gid,
            extra_groups=None if user is None else (),
        )
    except OSError as error:
        raise NotStartedError(argv[0], error) from error


def _wait(child: subprocess.Popen[bytes], timeout_seconds: float) -> int:
    if sys.platform == "linux":
        # Popen.wait with a timeout sleeps up to 50 ms at a time; a pidfd tells at once.
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(child.pid)
            try:
                poll = select.poll()
                poll.register(descriptor, select.POLLIN)
                if not poll.poll(timeout_seconds * 1000):
                    raise subprocess.TimeoutExpired(child.args, timeout_seconds)
                return child.wait()
            finally:
                os.close(descriptor)
    return child.wait(timeout_seconds)


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    # The child leads its group and is not reaped yet, so that its number cannot be another's.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()
