"""The life of an embedded PostgreSQL among kills, leftovers and full disks."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from embedded_cases import (
    ENV,
    ME,
    USE,
    Actor,
    left_clean,
    line,
    made_home,
    make_template,
    nothing_runs,
    postmaster,
    processes,
    query,
    within,
)

from store import embedded
from store.embedded import acquire, server


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("template") / "home")


@pytest.fixture
def home(tmp_path: Path, template: Path) -> Iterator[Path]:
    home = made_home(tmp_path / "home", template)
    yield home
    assert left_clean(home)


@pytest.fixture
def bystander(home: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that has nothing to do with PostgreSQL."""
    sleep = subprocess.Popen(["/bin/sleep", "60"], cwd=home)
    yield sleep
    assert sleep.poll() is None
    sleep.kill()
    sleep.wait()


def kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()


def test_the_server_of_a_killed_owner_is_joined_and_stopped(home: Path) -> None:
    owner = ME.start(USE, home)
    line(owner)
    before = postmaster(home)
    kill(owner)
    assert postmaster(home) == before
    with acquire(home, env=ENV) as lease:
        assert postmaster(home) == before
        assert query(lease, "SELECT number FROM kept") == [(1,)]
    assert nothing_runs(home)


def test_after_a_killed_postmaster_the_next_user_finds_what_was_committed(home: Path) -> None:
    broken = acquire(home, env=ENV)
    with psycopg.connect(broken.conninfo()) as busy:
        query(broken, "INSERT INTO kept VALUES (2)")
        busy.execute("INSERT INTO kept VALUES (3)")  # not committed
        os.kill(postmaster(home), signal.SIGKILL)
        with acquire(home, env=ENV) as lease:
            assert query(lease, "SELECT number FROM kept ORDER BY 1") == [(1,), (2,)]
            broken.release()
            assert query(lease, "SELECT 1") == [(1,)]
        busy.close()
    assert nothing_runs(home)


def test_the_last_user_of_a_killed_postmaster_leaves_nothing(home: Path) -> None:
    with acquire(home, env=ENV):
        os.kill(postmaster(home), signal.SIGKILL)
    assert nothing_runs(home)


def test_users_killed_at_any_moment_do_no_harm(tmp_path: Path) -> None:
    home = tmp_path / "home"  # the first ones are killed while they make the cluster
    script = """
while True:
    with acquire(home, env=env) as lease:
        print("in", flush=True)
"""
    for step in range(10):
        user = ME.start(script, home)
        turn = home / "turn.lock"
        assert within(10, turn.exists)
        time.sleep(0.07 * step)
        kill(user)
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT 1") == [(1,)]
    assert nothing_runs(home)
    assert not (home / "data.partial").exists()


def test_a_starter_killed_in_initdb_leaves_no_half_made_cluster(tmp_path: Path) -> None:
    home = tmp_path / "home"
    starter = ME.start(USE, home)
    assert within(10, (home / "data.partial" / "base").exists)
    kill(starter)
    assert not (home / "data").exists()
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT 1") == [(1,)]
        assert not (home / "data.partial").exists()
    assert nothing_runs(home)


def test_a_half_made_cluster_is_removed(home: Path) -> None:
    shutil.move(home / "data", home / "data.partial")
    (home / "data.partial" / "global" / "pg_control").unlink()
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT 1") == [(1,)]
        assert not (home / "data.partial").exists()


@pytest.mark.parametrize("content", ["{pid}\n{data}\n1\n5432\n../socket\n\n", "", "junk\n"])
def test_a_stale_pid_file_blocks_no_start_and_kills_no_one(
    home: Path, bystander: "subprocess.Popen[bytes]", content: str
) -> None:
    text = content.format(pid=bystander.pid, data=home / "data")
    (home / "data" / "postmaster.pid").write_text(text)
    (home / "socket").mkdir(mode=0o700)
    (home / "socket" / ".s.PGSQL.5432.lock").write_text(text)
    (home / "socket" / ".s.PGSQL.5432").touch()
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT number FROM kept") == [(1,)]


def test_a_pid_file_changed_under_a_running_server_kills_no_one(
    home: Path, bystander: "subprocess.Popen[bytes]"
) -> None:
    with acquire(home, env=ENV):
        (home / "data" / "postmaster.pid").write_text(f"{bystander.pid}\n")
    assert nothing_runs(home)


def test_a_server_that_was_started_otherwise_is_left_alone(home: Path) -> None:
    # What it is does not matter, but that it stands in the data directory.
    other = subprocess.Popen(["/bin/sleep", "60"], cwd=home / "data")
    try:
        pid_file = home / "data" / "postmaster.pid"
        pid_file.write_text(f"{other.pid}\n")
        with pytest.raises(embedded.OutsideServerError, match=f"process {other.pid}, works on"):
            acquire(home, env=ENV)
        assert pid_file.read_text() == f"{other.pid}\n"
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_the_server_of_another_cluster_is_not_joined(home: Path, tmp_path: Path) -> None:
    with acquire(tmp_path / "other", env=ENV) as other:
        (home / "socket").mkdir(mode=0o700)
        (home / "socket" / ".s.PGSQL.5432").symlink_to(other.socket_directory / ".s.PGSQL.5432")
        with pytest.raises(embedded.ForeignServerError, match="serves another cluster"):
            acquire(home, env=ENV)
        assert query(other, "SELECT 1") == [(1,)]


def test_a_cluster_of_another_version_is_refused_untouched(home: Path) -> None:
    (home / "data" / "PG_VERSION").write_text("17\n")
    (home / "data" / "postmaster.pid").write_text("1\n")
    with pytest.raises(
        embedded.VersionMismatchError, match=r"is of postgresql 17, but the binaries are of .* 18$"
    ):
        acquire(home, env=ENV)
    assert (home / "data" / "postmaster.pid").read_text() == "1\n"


@pytest.mark.parametrize("lost", ["PG_VERSION", "global/pg_control"])
def test_what_is_no_cluster_is_refused(home: Path, lost: str) -> None:
    (home / "data" / lost).unlink()
    with pytest.raises(embedded.DamagedClusterError, match="holds no whole database cluster"):
        acquire(home, env=ENV)


def test_a_server_that_does_not_start_says_why(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_RETRY_SECONDS", 0.5)
    (home / "data" / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(embedded.StartFailedError, match='parameter "no_such_setting"') as raised:
        acquire(home, env=ENV)
    assert 1 <= len(raised.value.log) <= 12
    assert "\n" not in str(raised.value)
    assert (home / "server.log").read_text().count("no_such_setting") >= 2  # it was tried again


def test_processes_left_of_a_killed_server_are_waited_for(home: Path) -> None:
    lease = acquire(home, env=ENV)
    connection = psycopg.connect(lease.conninfo())
    backend = connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    os.kill(postmaster(home), signal.SIGKILL)
    assert within(5, lambda: processes(home) == [backend])
    user = ME.start(USE, home)
    time.sleep(0.7)
    assert user.poll() is None
    assert processes(home) == [backend]  # no second server beside it
    os.kill(backend, signal.SIGCONT)
    assert line(user)
    connection.close()
    user.communicate("\n")
    lease.release()


def test_processes_left_for_too_long_are_an_error(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = acquire(home, env=ENV)
    connection = psycopg.connect(lease.conninfo())
    backend = connection.info.backend_pid
    os.kill(backend, signal.SIGSTOP)
    os.kill(postmaster(home), signal.SIGKILL)
    monkeypatch.setattr(server, "_START_SECONDS", 0.5)
    with pytest.raises(embedded.LeftoverProcessesError, match=r"still run after 0.5 s$"):
        acquire(home, env=ENV)
    os.kill(backend, signal.SIGCONT)
    connection.close()
    lease.release()


def test_a_home_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(embedded.UnwritableHomeError, match=r"cannot be written: not a directory"):
        acquire(tmp_path / "file" / "home", env=ENV)
    with pytest.raises(embedded.UnwritableHomeError, match=r"cannot be written: file exists"):
        acquire(tmp_path / "file", env=ENV)


SMALL_DISK = """
import subprocess
subprocess.run(["mount", "-t", "tmpfs", "-o", sys.argv[3], "none", home], check=True)
if "80m" in sys.argv[3]:
    acquire(home / "home", env=env).release()
    with open(home / "filler", "wb", 0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
try:
    acquire(home / "home", env=env)
except EmbeddedError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("size=10m", r"DiskFullError the disk that holds `.*/home` is full"),
        ("size=80m", r"DiskFullError the disk that holds `.*/home` is full"),
        (
            "ro",
            r"UnwritableHomeError the home `.*/home` cannot be written: read-only file system .*",
        ),
    ],
)
def test_a_disk_that_is_full_or_read_only_is_named(tmp_path: Path, options: str, said: str) -> None:
    # Needs a user namespace to mount in; a machine without fails here and says so.
    inside = Actor(prefix=("unshare", "--user", "--map-root-user", "--mount"))
    (answer,) = inside.run(SMALL_DISK, tmp_path, ENV["PATH"], options)
    assert re.fullmatch(said, answer)


def test_a_socket_directory_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 30)
    with acquire(home, env=ENV) as lease:
        sockets = lease.socket_directory
    assert sockets.parent != home
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    sockets.symlink_to(tmp_path / "elsewhere")
    try:
        with pytest.raises(embedded.SocketDirectoryError, match=re.escape(str(sockets))):
            acquire(home, env=ENV)
    finally:
        sockets.unlink()
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755
    sockets.touch()
    with pytest.raises(embedded.SocketDirectoryError):
        acquire(home, env=ENV)
    sockets.unlink()
