"""The cluster on the disk: made whole or not at all, checked before a server touches it."""

import os
import shutil
import struct
import sys
from pathlib import Path

from obligations.process import NotStartedError, ProcessTimeoutError
from store.embedded.home import DiskFullError, EmbeddedError, Home, own
from store.embedded.installation import Installation, wheel
from store.embedded.locks import Lock
from store.embedded.settings import INITDB

FULL = "No space left on device"

_INITDB_SECONDS = 120.0
# A number that no process can have: above the largest of every system.
_NO_PROCESS = b"2147483647"


class InitdbError(EmbeddedError):
    """A cluster could not be made."""

    def __init__(self, home: Path, cause: str) -> None:
        super().__init__(home, cause)
        self.home = home
        self.cause = cause

    def __str__(self) -> str:
        return f"no database cluster can be made in `{self.home}`: {self.cause}"


class VersionMismatchError(EmbeddedError):
    """The cluster was made by another major version of PostgreSQL."""

    def __init__(self, data: Path, found: str, needed: str) -> None:
        super().__init__(data, found, needed)
        self.data = data
        self.found = found
        self.needed = needed

    def __str__(self) -> str:
        return (
            f"the data directory `{self.data}` is of postgresql {self.found}, "
            f"but the binaries are of postgresql {self.needed}"
        )


class DamagedClusterError(EmbeddedError):
    """What lies in the place of the cluster is none."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.data = data

    def __str__(self) -> str:
        return f"the data directory `{self.data}` holds no whole database cluster"


class OutsideServerError(EmbeddedError):
    """A server that we did not start works on the cluster, where our socket is not."""

    def __init__(self, data: Path, pid: int) -> None:
        super().__init__(data, pid)
        self.data = data
        self.pid = pid

    def __str__(self) -> str:
        return f"a server that was started otherwise, process {self.pid}, works on `{self.data}`"


def exists(home: Home) -> bool:
    """Return whether the home has a cluster, of the major version of our binaries.

    Raises: VersionMismatchError; DamagedClusterError; MissingBinariesError.
    """
    if not home.data.is_dir() or not any(home.data.iterdir()):
        return False
    try:
        found = (home.data / "PG_VERSION").read_text("ascii").strip()
        system_identifier(home)
    except (FileNotFoundError, UnicodeDecodeError, struct.error):
        raise DamagedClusterError(home.data) from None
    needed = wheel()[1].split(".")[0]
    if found != needed:
        raise VersionMismatchError(home.data, found, needed)
    return True


def system_identifier(home: Home) -> int:
    """Return the number that initdb gave the cluster: the first eight bytes of its control file.

    Raises: FileNotFoundError; struct.error.
    """
    with (home.data / "global" / "pg_control").open("rb") as control:
        (number,) = struct.unpack("=q", control.read(8))
        return int(number)


def create(home: Home, installation: Installation, living: Lock) -> None:
    """Make the cluster beside its place and move it there: who looks sees all of it or nothing.

    initdb inherits `living`: the next starter waits for one that outlived its own starter.

    Raises: InitdbError; DiskFullError; OSError.
    """
    home.partial.mkdir(mode=0o700)
    own(home.partial, home.owner)
    try:
        done = installation.run(
            "initdb",
            *("-D", installation.name(home.partial), "--no-instructions", *INITDB),
            cwd=home.partial,
            timeout_seconds=_INITDB_SECONDS,
            keep=(living.fileno(),),
        )
    except (NotStartedError, ProcessTimeoutError) as error:
        raise InitdbError(home.root, str(error)) from error
    if done.returncode != 0:
        cause = " / ".join(done.stderr.decode(errors="replace").split("\n")).strip(" /")
        shutil.rmtree(home.partial, ignore_errors=True)
        raise DiskFullError(home.root) if FULL in cause else InitdbError(home.root, cause)
    home.partial.rename(home.data)
    _sync(home.root)


def sweep(home: Home) -> None:
    """Remove what a killed starter or a killed server left; the caller knows that both are gone.

    A server refuses to start where `postmaster.pid` names a process that lives, be it an
    unrelated one that got the number since. Only the number is taken out: the rest of the file
    leads PostgreSQL to the shared memory of its predecessor, which it checks itself.

    Raises: OutsideServerError.
    """
    pid_file = home.data / "postmaster.pid"
    number, *rest = pid_file.read_bytes().split(b"\n") if pid_file.exists() else (b"",)
    if number.strip().isdigit():
        if _works_in(home.data, int(number)):
            raise OutsideServerError(home.data, int(number))
        pid_file.write_bytes(b"\n".join([_NO_PROCESS, *rest]))
    else:
        pid_file.unlink(missing_ok=True)
    shutil.rmtree(home.partial, ignore_errors=True)
    for path in home.sockets.glob(".s.PGSQL.*"):
        path.unlink(missing_ok=True)


def _works_in(directory: Path, pid: int) -> bool:
    """Return whether a process stands in `directory`, as a server does in its data directory."""
    if sys.platform != "linux":
        return False
    try:
        return Path(f"/proc/{pid}/cwd").samefile(directory)
    except OSError:
        return False


def _sync(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
