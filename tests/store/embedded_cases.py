"""What the tests of the embedded PostgreSQL share: who acts, programs, a look at the system."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from store.embedded import Lease, acquire

REPOSITORY = Path(__file__).resolve().parents[2]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENV = {"PATH": PATH}
NOBODY = 65534

# What every program begins with: a home, and perhaps a PATH of its own.
BEGINNING = """
import os, sys, time
from pathlib import Path
import psycopg
from store.embedded import EmbeddedError, acquire
home = Path(sys.argv[1])
env = {"PATH": sys.argv[2] if len(sys.argv) > 2 else os.environ["PATH"]}

def processes(directory):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd") == str(directory):
                yield pid
        except OSError:
            pass
"""

# Acquires, says so, waits for a line, releases, says so.
USE = """
lease = acquire(home, env=env)
with psycopg.connect(lease.conninfo()) as connection:
    print(*connection.execute(
        "SELECT pg_postmaster_start_time()::text, system_identifier FROM pg_control_system()"
    ).fetchone(), flush=True)
sys.stdin.readline()
lease.release()
print("released", flush=True)
"""

# The whole life of a home: made, used, let go, used again.
LIFE = """
try:
    with acquire(home, env=env) as lease:
        with psycopg.connect(lease.conninfo(), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    with acquire(home, env=env) as lease, psycopg.connect(lease.conninfo()) as connection:
        print(os.geteuid(), *connection.execute("SELECT number FROM kept").fetchone())
        print(Path(lease.data_directory, "PG_VERSION").stat().st_uid, lease.socket_directory)
        for pid in processes(lease.data_directory):
            print("process", Path("/proc", pid).stat().st_uid)
except EmbeddedError as error:
    print(type(error).__name__, error)
"""


@dataclass(frozen=True, slots=True)
class Actor:
    """A user who runs Python programs with this repository."""

    prefix: tuple[str, ...] = ()
    python: Path = Path(sys.executable)
    env: dict[str, str] = field(
        default_factory=lambda: {"PATH": PATH, "PYTHONPATH": str(REPOSITORY)}
    )

    def start(self, script: str, *arguments: object) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*self.prefix, str(self.python), "-c", BEGINNING + script, *map(str, arguments)],
            cwd="/",
            env=self.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str, *arguments: object, timeout_seconds: float = 60) -> list[str]:
        """Return the lines that a program printed; it must end well and complain of nothing."""
        process = self.start(script, *arguments)
        stdout, stderr = process.communicate(timeout=timeout_seconds)
        assert (process.returncode, stderr) == (0, ""), (process.args, stderr)
        return stdout.splitlines()


ME = Actor()


def line(process: "subprocess.Popen[str]") -> str:
    """Return the next line that a program prints."""
    assert process.stdout is not None
    assert process.stderr is not None
    said = process.stdout.readline().strip()
    assert said, process.stderr.read()
    return said


def finish(process: "subprocess.Popen[str]") -> None:
    """Give a program the line that it waits for; it must end well."""
    stdout, stderr = process.communicate("\n", timeout=60)
    assert (process.returncode, stderr) == (0, ""), stderr
    assert stdout.splitlines()[-1] == "released"


def processes(home: Path) -> list[int]:
    """Return the processes that stand in the data directory, as all of PostgreSQL's do."""
    data = str((home / "data").resolve())
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str((entry / "cwd").readlink()) == data:
                found.append(int(entry.name))
        except OSError:
            continue
    return sorted(found)


def postmaster(home: Path) -> int:
    """Return the process whose parent does not stand in the data directory."""
    found = processes(home)
    first: list[int] = []
    for pid in found:
        with suppress(FileNotFoundError, ProcessLookupError):  # one that ends meanwhile
            stat = Path(f"/proc/{pid}/stat").read_text()
            if int(stat.rsplit(")", 1)[1].split()[1]) not in found:
                first.append(pid)
    assert len(first) == 1, found
    return first[0]


def descriptors(pid: int) -> set[str]:
    """Return what a process has open; nothing for one that ends meanwhile."""
    found: set[str] = set()
    with suppress(FileNotFoundError, ProcessLookupError):
        for path in Path(f"/proc/{pid}/fd").iterdir():
            found.add(str(path.readlink()))
    return found


def nothing_runs(home: Path) -> bool:
    """Return whether neither a process nor a socket is left of a home's server."""
    return not processes(home) and not list((home / "socket").glob("*"))


def left_clean(home: Path) -> bool:
    """Return whether nothing runs; what does, stopped processes too, is killed."""
    clean = nothing_runs(home)
    for pid in processes(home):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return clean


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def query(lease: Lease, text: str) -> list[tuple[object, ...]]:
    with psycopg.connect(lease.conninfo(), autocommit=True) as connection:
        cursor = connection.execute(text.encode())
        return cursor.fetchall() if cursor.description else []


def made_home(home: Path, template: Path) -> Path:
    """Return a home with a cluster that no server uses; quicker than a cold start."""
    home.mkdir(mode=0o700)
    shutil.copytree(template / "data", home / "data")
    return home


def make_template(home: Path) -> Path:
    with acquire(home, env=ENV) as lease:
        query(lease, "CREATE TABLE kept AS SELECT 1 AS number")
    return home


def open_to_all(path: Path) -> bool:
    """Return whether any user can read what lies at `path`."""
    return all(above.stat().st_mode & 0o005 == 0o005 for above in (path, *path.parents))


def ordinary_actor(place: Path, uid: int = NOBODY) -> Actor:
    """Return a user who is not root, and for whom Python is copied where it is closed to them.

    Made by root only; who is not root is such a user already.
    """
    base = Path(sys.base_prefix)
    site = Path(psycopg.__file__).parents[1]
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not open_to_all(base):
        _link(base / "lib" / python, place / "lib" / python)
        for library in (base / "lib").glob("libpython*"):
            link_file(str(library), str(place / "lib" / library.name))
        (place / "bin").mkdir(exist_ok=True)
        link_file(str(base / "bin" / python), str(place / "bin" / python))
        base = place
    places = [REPOSITORY, site]
    for index, needed in enumerate(places):
        if not open_to_all(needed):
            places[index] = place / f"path{index}"
            _link(needed, places[index])
    setpriv = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")
    env = {
        "PATH": PATH,
        "HOME": "/nonexistent",
        "PYTHONHOME": str(base),
        "PYTHONPATH": ":".join(map(str, places)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LD_LIBRARY_PATH": str(base / "lib"),
    }
    return Actor(setpriv, base / "bin" / python, env)


def _link(source: Path, target: Path) -> None:
    skipped = shutil.ignore_patterns("site-packages", "test", "idlelib", ".*", "node_modules")
    # No second copy of what lies on the same disk; the reader may read and no more.
    shutil.copytree(source, target, copy_function=link_file, ignore=skipped)


def link_file(source: str, target: str) -> None:
    """Copy a file, by a second name where that is possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
