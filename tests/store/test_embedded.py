"""The life of an embedded PostgreSQL that nothing disturbs."""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Thread

import psycopg
import pytest
from embedded_cases import (
    ENV,
    ME,
    USE,
    descriptors,
    finish,
    left_clean,
    line,
    made_home,
    make_template,
    nothing_runs,
    postmaster,
    processes,
    query,
)

from store import embedded
from store.embedded import acquire
from store.embedded import lease as lease_module


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(tmp_path_factory.mktemp("template") / "home")


@pytest.fixture
def home(tmp_path: Path, template: Path) -> Iterator[Path]:
    home = made_home(tmp_path / "home", template)
    yield home
    assert left_clean(home)


def test_a_cold_start_makes_a_cluster_and_a_clean_stop_leaves_nothing(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    with acquire(home, env=ENV) as lease:
        assert lease.data_directory == home / "data"
        assert lease.socket_directory == home / "socket"
        assert (lease.socket_directory / ".s.PGSQL.5432").is_socket()
        assert processes(home)
        assert query(
            lease,
            "SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding), current_user::text,"
            " current_setting('data_checksums'), current_setting('fsync')"
            " FROM pg_database WHERE datname = 'postgres'",
        ) == [("b", "C.UTF-8", "UTF8", embedded.OWNER, "on", "on")]
    assert nothing_runs(home)
    assert not (home / "data" / "postmaster.pid").exists()


def test_a_second_start_keeps_what_was_committed(home: Path) -> None:
    with acquire(home, env=ENV) as lease:
        query(lease, "INSERT INTO kept VALUES (2)")
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT number FROM kept ORDER BY 1") == [(1,), (2,)]


@pytest.mark.parametrize("count", [2, 8])
def test_processes_that_come_at_once_get_one_server_and_the_last_stops_it(
    tmp_path: Path, count: int
) -> None:
    home = tmp_path / "home"
    users = [ME.start(USE, home) for _ in range(count)]
    assert len({line(user) for user in users}) == 1
    assert (home / "server.log").read_text().count("starting PostgreSQL") == 1
    for user in users[1:]:
        finish(user)
        assert processes(home)
    finish(users[0])
    assert nothing_runs(home)


def test_users_who_come_and_go_never_miss_the_server(home: Path) -> None:
    script = """
for round in range(20):
    with acquire(home, env=env) as lease, psycopg.connect(lease.conninfo()) as connection:
        connection.execute("INSERT INTO kept VALUES (2)")
    time.sleep(0.001 * (round % 5))
print("released")
"""
    users = [ME.start(script, home) for _ in range(3)]
    for user in users:
        finish(user)
    assert nothing_runs(home)
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT count(*) FROM kept") == [(61,)]


def test_each_lease_of_one_process_counts_and_counts_once(home: Path) -> None:
    first, second = acquire(home, env=ENV), acquire(home, env=ENV)
    threads = [Thread(target=first.release) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert query(second, "SELECT 1") == [(1,)]
    second.release()
    assert nothing_runs(home)


def test_a_forked_process_is_no_user_and_cannot_release(home: Path) -> None:
    script = """
lease = acquire(home, env=env)
child = os.fork()
if child == 0:
    lease.release()
    print("child", flush=True)
    time.sleep(30)
    os._exit(1)
print(child, flush=True)
sys.stdin.readline()
lease.release()
print("released", flush=True)
"""
    parent = ME.start(script, home)
    said = {line(parent), line(parent)}
    assert "child" in said
    child = int((said - {"child"}).pop())
    try:
        assert processes(home)
        assert parent.stdin is not None
        parent.stdin.write("\n")
        parent.stdin.flush()
        assert line(parent) == "released"
        assert nothing_runs(home)
    finally:
        os.kill(child, 9)
        parent.communicate()


def test_the_postmaster_inherits_no_lock_of_a_user_and_no_other_descriptor(home: Path) -> None:
    ours = os.open(home / "ours", os.O_RDWR | os.O_CREAT, 0o600)
    os.set_inheritable(ours, True)
    try:
        with acquire(home, env=ENV):
            names = {
                name.removeprefix(f"{home}/")
                for name in descriptors(postmaster(home))
                if name.startswith(f"{home}/")
            }
        # Sockets show as numbers; living.lock is the one that is meant to be inherited.
        assert names == {"server.log", "living.lock"}
    finally:
        os.close(ours)


def test_everything_in_a_home_is_private_and_nothing_above_it_is_changed(
    tmp_path: Path, template: Path
) -> None:
    above = tmp_path / "above"
    above.mkdir(mode=0o755)
    home = made_home(above / "home", template)
    home.chmod(0o755)
    with acquire(home, env=ENV):
        modes = {
            (stat.S_ISDIR(path.lstat().st_mode), oct(stat.S_IMODE(path.lstat().st_mode)))
            for path in (home, *home.rglob("*"))
        }
    assert modes == {(True, "0o700"), (False, "0o600")}
    assert stat.S_IMODE(above.stat().st_mode) == 0o755


def test_no_process_of_the_server_listens_on_tcp(home: Path) -> None:
    with acquire(home, env=ENV):
        sockets = {
            name.removeprefix("socket:[").removesuffix("]")
            for pid in processes(home)
            for name in descriptors(pid)
        }
        unix = [row.split()[6] for row in Path("/proc/net/unix").read_text().splitlines()[1:]]
        tables = [Path("/proc/net") / name for name in ("tcp", "tcp6")]
        tcp = [
            row.split()[9]
            for table in tables
            if table.exists()
            for row in table.read_text().splitlines()[1:]
        ]
        assert sockets & set(unix)  # what the server does listen on is seen
        assert not sockets & set(tcp)


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        pytest.param("with space 'single' \"double\" ünï-日本", True, id="quotes and unicode"),
        pytest.param("back\\slash $HOME `id`;", True, id="shell"),
        pytest.param("a,b", False, id="comma"),
        pytest.param("long" * 30, False, id="long"),
        pytest.param("\udcff", False, id="not unicode"),
    ],
)
def test_a_home_may_have_any_name(name: str, *, inside: bool) -> None:
    place = Path(mkdtemp())  # short, so that the name decides
    home = place / name
    with acquire(home, env=ENV) as lease:
        assert query(lease, "SELECT 1") == [(1,)]
        sockets = lease.socket_directory
        assert (sockets == home / "socket") is inside
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert len(os.fsencode(sockets / ".s.PGSQL.5432")) <= 107
        with acquire(home, env={}) as joined:
            assert joined.socket_directory == sockets
    assert not processes(home)
    assert sockets.exists() is inside
    assert not list(sockets.glob("*"))
    rmtree(place)


def test_the_environment_of_the_caller_does_not_divert_a_connection(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGHOSTADDR": "127.0.0.1",
        "PGPORT": "1",
        "PGDATA": "/nonexistent",
        "PGSSLMODE": "require",
        "PGCHANNELBINDING": "require",
        "PGTARGETSESSIONATTRS": "standby",
    }.items():
        monkeypatch.setenv(name, value)
    with acquire(home, env=dict(os.environ)) as lease:
        assert query(lease, "SELECT number FROM kept") == [(1,)]
        query(lease, "CREATE ROLE someone LOGIN")
        with psycopg.connect(lease.conninfo(dbname="template1", user="someone")) as connection:
            row = connection.execute("SELECT current_user::text, current_database()").fetchone()
        assert row == ("someone", "template1")


def test_the_log_holds_nothing_that_people_wrote_and_stays_small(home: Path) -> None:
    log = home / "server.log"
    log.write_bytes(b"old" * 500_000)
    with acquire(home, env=ENV) as lease, psycopg.connect(lease.conninfo()) as connection:
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            connection.execute("SELECT 'PRIVATE'::int")
        connection.rollback()
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(
                "CREATE TEMP TABLE t (x text PRIMARY KEY) ON COMMIT DROP;"
                "INSERT INTO t VALUES ('PRIVATE'), ('PRIVATE')"
            )
        connection.rollback()
        connection.execute("SELECT 'PRIVATE'")
        os.kill(connection.info.backend_pid, 9)  # the crash report quotes the last statement
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 'PRIVATE', pg_sleep(5)")
    text = log.read_text()
    assert "terminated by signal 9" in text
    assert "PRIVATE" not in text
    assert len(text) < 10_000
    assert (home / "server.log.1").stat().st_size == 1_500_000


def test_a_server_that_recovers_from_a_crash_is_stopped_at_once(home: Path) -> None:
    for step in range(0, 12, 3):
        lease = acquire(home, env=ENV)
        with psycopg.connect(lease.conninfo()) as connection:
            os.kill(connection.info.backend_pid, 9)
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT pg_sleep(5)")
        time.sleep(0.001 * step)  # a request that comes as recovery begins can be lost
        began = time.monotonic()
        lease.release()
        assert time.monotonic() - began < 15
        assert nothing_runs(home)


def test_whoever_has_the_turn_is_waited_for_and_not_for_ever(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_module, "_TURN_SECONDS", 0.2)
    lease = acquire(home, env=ENV)
    with (home / "turn.lock").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with pytest.raises(embedded.BusyHomeError, match=r"for more than 0.2 s$"):
            acquire(home, env=ENV)
        lease.release()  # gives up its share, and leaves the server to whoever has the turn
        assert processes(home)
    acquire(home, env=ENV).release()
    assert nothing_runs(home)
