"""As whom PostgreSQL runs, which refuses to be root.

A user who is not root runs it as themselves. For root, a user namespace shows the server that it
is `nobody`, while to the system it stays the owner of its files: nothing has to change hands.
Where that is not permitted (an ordinary container), root gives the home to an unprivileged user
and the server runs as that one; the owner of the home is the record of that choice.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from pwd import getpwuid

from obligations.process import NotStartedError, ProcessTimeoutError, User, run
from store.embedded.home import EmbeddedError, Home

_NOBODY = 65534
_MAPPED = ("unshare", "--user", f"--map-user={_NOBODY}", f"--map-group={_NOBODY}")
_PROBE_SECONDS = 10.0
_CLOSED = 77
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH")


class RootRefusedError(EmbeddedError):
    """Root can neither pose as another user nor become one."""

    def __init__(self, home: Path, cause: str) -> None:
        super().__init__(home, cause)
        self.home = home
        self.cause = cause

    def __str__(self) -> str:
        return (
            f"postgresql refuses to run as root, and root here may not become another user "
            f"to serve `{self.home}`: {self.cause}"
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """The words in front of a command of PostgreSQL, and the user that root drops to for it.

    `reaches` says whether that user gets to the home by its path: directories above it may be
    closed to it, and stay as they are.
    """

    prefix: tuple[str, ...] = ()
    user: User | None = None
    reaches: bool = True


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """Return what the programs of PostgreSQL need of `env`; their messages are in English."""
    return {name: env[name] for name in _PASSED_ON if name in env} | {"LC_ALL": "C"}


def choose(home: Home, env: Mapping[str, str], binaries: Path) -> tuple[Home, Identity]:
    """Return as whom to serve a home, and the home, which that user owns from now on.

    Raises: RootRefusedError.
    """
    if os.geteuid() != 0:
        # initdb looks up its user's name, and a user of a container may have none.
        nameless = None if _named(os.geteuid()) else _try(home, env, prefix=_MAPPED)
        return home, nameless or Identity()
    if home.owner.uid == 0 and (mapped := _try(home, env, prefix=_MAPPED)) is not None:
        return home, mapped
    user = home.owner if home.owner.uid != 0 else _unprivileged(home.root.parent, binaries)
    dropped = _try(home, env, user=user)
    if dropped is None:
        raise RootRefusedError(home.root, f"user {user.uid} cannot be taken on")
    try:
        return home if user == home.owner else home.adopt(user), dropped
    except OSError as error:
        raise RootRefusedError(home.root, str(error.strerror).lower()) from error


def _try(
    home: Home, env: Mapping[str, str], *, prefix: tuple[str, ...] = (), user: User | None = None
) -> Identity | None:
    """Return an identity if the system lets us take it on."""
    above = str(home.root.parent)
    try:
        tried = run(
            [*prefix, "/bin/sh", "-c", f'cd "$1" || exit {_CLOSED}', "sh", above],
            env=environment(env),
            cwd=home.root,
            timeout_seconds=_PROBE_SECONDS,
            user=user,
        )
    except (NotStartedError, ProcessTimeoutError):
        return None
    if tried.returncode not in {0, _CLOSED}:
        return None
    return Identity(prefix, user, reaches=tried.returncode == 0)


def _unprivileged(*places: Path) -> User:
    """Return the first owner of `places` who is not root, who likely reads what lies there."""
    for place in places:
        found = place.stat()
        if found.st_uid != 0 and _named(found.st_uid):
            return User(found.st_uid, found.st_gid or _NOBODY)
    return User(_NOBODY, _NOBODY)


def _named(uid: int) -> bool:
    try:
        getpwuid(uid)
    except KeyError:
        return False
    return True
