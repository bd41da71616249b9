"""A home: one private directory, and what lies where in it."""

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from obligations.process import User
from store.embedded.settings import PORT

TURN = "turn.lock"

_SOCKET_PATH_BYTES = 103 if sys.platform == "darwin" else 107
_SHORT = Path("/tmp")  # noqa: S108 - fixed, since every user of a home must find the same place


class EmbeddedError(Exception):
    """The embedded PostgreSQL cannot be had, or cannot be let go."""


class DiskFullError(EmbeddedError):
    """There is no space left for the cluster."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.home = home

    def __str__(self) -> str:
        return f"the disk that holds `{self.home}` is full"


class UnwritableHomeError(EmbeddedError):
    """The home cannot be made or written."""

    def __init__(self, home: Path, cause: str) -> None:
        super().__init__(home, cause)
        self.home = home
        self.cause = cause

    def __str__(self) -> str:
        return f"the home `{self.home}` cannot be written: {self.cause}"


class ForeignHomeError(EmbeddedError):
    """The home belongs to another user."""

    def __init__(self, home: Path, owner: int, user: int) -> None:
        super().__init__(home, owner, user)
        self.home = home
        self.owner = owner
        self.user = user

    def __str__(self) -> str:
        return f"the home `{self.home}` belongs to user {self.owner}, not to user {self.user}"


class SocketDirectoryError(EmbeddedError):
    """Something that is not ours lies where the socket should be."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"the socket directory `{self.path}` is no directory of this home's owner"


@dataclass(frozen=True, slots=True)
class Home:
    """The resolved path of a home, its owner, and the directory of its socket."""

    root: Path
    owner: User
    short: Path
    sockets: Path

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def partial(self) -> Path:
        """Where a cluster is made before it becomes `data`."""
        return self.root / "data.partial"

    @property
    def log(self) -> Path:
        return self.root / "server.log"

    @property
    def turn(self) -> Path:
        """Lock: held by whoever starts, joins, leaves or stops."""
        return self.root / TURN

    @property
    def users(self) -> Path:
        """Lock: shared by the users."""
        return self.root / "users.lock"

    @property
    def living(self) -> Path:
        """Lock: held by the processes of PostgreSQL, which inherit it; free iff none is left."""
        return self.root / "living.lock"

    @property
    def socket(self) -> Path:
        return self.sockets / f".s.PGSQL.{PORT}"

    @property
    def socket_argument(self) -> str:
        """The socket directory as the server names it: it works inside its data directory."""
        return "../socket" if self.sockets.parent == self.root else str(self.sockets)

    def adopt(self, owner: User) -> "Home":
        """Return this home with everything in it given to `owner`."""
        for place in (self.root, self.short):
            # Anyone may have made the short directory; only what is in our own is ours.
            if os.path.lexists(place) and place.lstat().st_uid == self.owner.uid:
                for path in (*place.rglob("*"), place):
                    os.chown(path, owner.uid, owner.gid, follow_symlinks=False)
        return replace(self, owner=owner)


def make(path: Path) -> Path:
    """Return the resolved path of a home, made where it is missing, with the lock for its turn.

    Only the home itself is made private; directories above it stay as they are.

    Raises: ForeignHomeError; OSError.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    root = path.resolve(strict=True)
    found = root.stat()
    if os.geteuid() not in {0, found.st_uid}:
        raise ForeignHomeError(root, found.st_uid, os.geteuid())
    if stat.S_IMODE(found.st_mode) != 0o700:  # noqa: PLR2004 - a mode reads best as written
        root.chmod(0o700)
    _own_file(root / TURN, User(found.st_uid, found.st_gid))
    return root


def find(root: Path) -> Home:
    """Return the home at `root` with its directories and locks in place; the caller has the turn.

    Raises: SocketDirectoryError; OSError.
    """
    found = root.stat()
    owner = User(found.st_uid, found.st_gid)
    # The number of the directory tells it from an earlier one of the same path, whose server may
    # still be about to notice that its home is gone.
    name = hashlib.sha256(os.fsencode(root) + b"\0%d" % found.st_ino).hexdigest()[:16]
    short = _SHORT / f"athanor-{name}"
    sockets = root / "socket"
    home = Home(root, owner, short, sockets if _connectable(sockets) else short)
    for name in (TURN, "users.lock", "living.lock"):
        _own_file(root / name, owner)
    own_directory(home.sockets, owner)
    return home


def own(path: Path | int, owner: User) -> None:
    """Give what root has made, a path or a descriptor, to `owner`; others own what they make."""
    if os.geteuid() != owner.uid:
        os.chown(path, owner.uid, owner.gid)


def own_directory(path: Path, owner: User) -> None:
    """Make `path` a directory of mode 0700 of `owner`, or find that it is one.

    Raises: SocketDirectoryError, also for a link; OSError.
    """
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        pass
    else:
        own(path, owner)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner.uid:
        raise SocketDirectoryError(path)
    path.chmod(0o700)


@contextmanager
def writing(home: Path) -> Generator[None]:
    """Turn what the system refuses while a home is written into what its user can act on.

    Raises: DiskFullError; UnwritableHomeError.
    """
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFullError(home) from error
        cause = (error.strerror or "unknown cause").lower()
        where = error.filename
        raise UnwritableHomeError(
            home, cause if where is None else f"{cause} (`{where}`)"
        ) from error


def _connectable(directory: Path) -> bool:
    """Return whether libpq can name a socket in `directory`."""
    path = os.fsencode(directory / f".s.PGSQL.{PORT}")
    try:
        path.decode()
    except UnicodeDecodeError:
        return False
    # A comma would separate two hosts.
    return len(path) <= _SOCKET_PATH_BYTES and b"," not in path


def _own_file(path: Path, owner: User) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        own(descriptor, owner)
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)
