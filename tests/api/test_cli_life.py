"""The life of commands: what they start, find, share and leave behind."""

import json
import os
import re
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import httpx
import psycopg
import pytest
from command_lines import Shell, finished, living, one_line, packet, written
from houses import dump, lesson, pack
from psycopg.conninfo import make_conninfo

from store import embedded


@pytest.fixture
def home() -> Iterator[Path]:
    """A home whose path is short, so that its socket lies inside it; nothing of it lives on."""
    with TemporaryDirectory(prefix="athanor-test-") as directory:
        yield Path(directory) / "home"
        assert living(Path(directory)) == []


def test_two_commands_at_once_on_an_empty_home_found_one_house(home: Path) -> None:
    shell = Shell(home)
    both = [shell.start(*packet(phase=phase)) for phase in ("one", "two")]
    answers = [finished(process).json for process in both]
    assert {answer["lessons"] == [] for answer in answers} == {True}
    assert living(home) == []
    (token,) = (home / "tokens").iterdir()
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(token.parent.stat().st_mode) == 0o700
    with embedded.acquire(home / "postgresql", env=os.environ) as lease:
        held = dump(lease.conninfo("athanor"))
    counts = {table: len(held[table]) for table in ("houses", "tokens", "packets")}
    assert counts == {"houses": 1, "tokens": 1, "packets": 2}
    assert [json.loads(row)["room"] for row in held["rooms"]] == ["default"]
    assert [json.loads(row)["project"] for row in held["projects"]] == ["demo"]
    assert token.read_text(encoding="ascii").strip() not in str(held)


def test_a_served_house_is_used_by_others_and_stops_at_a_signal(home: Path) -> None:
    with Shell(home).serving() as (shell, process):
        url = shell.env["ATHANOR_URL"]
        assert httpx.get(f"{url}/ready", trust_env=False).json()["status"] == "ready"
        file = written(home / "pack.json", pack([lesson("Rinse the brass")]))
        assert shell.ask("import", file, "--json").json["imported"] == 1
        beside = Shell(home).run(*packet()).json  # without the address: the same home, joined
        assert [row["title"] for row in beside["lessons"]] == ["Rinse the brass"]
        assert shell.ask(*packet()).json == beside
        process.send_signal(signal.SIGTERM)
        ran = finished(process)
        assert (ran.code, ran.err) == (0, "")
        assert living(home) == []
        gone = shell.ask(*packet())
        assert gone.code == 3
        assert f"`{url}` cannot be reached" in " ".join(one_line(gone.err))


def test_a_client_that_never_finishes_does_not_keep_a_served_house_alive(home: Path) -> None:
    with Shell(home).serving() as (shell, process):
        address = httpx.URL(shell.env["ATHANOR_URL"])
        with socket.create_connection((address.host, address.port or 0)) as client:
            client.sendall(
                b"POST /v1/tasks/start HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"
            )
            sleep(0.2)
            before = monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            assert process.returncode == 0
            assert monotonic() - before < 20
    assert living(home) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_stopped_while_it_starts_leaves_nothing(
    home: Path, number: signal.Signals
) -> None:
    process = Shell(home).start("up", ATHANOR_PORT="0")
    deadline = monotonic() + 30
    while not (home / "postgresql" / "turn.lock").exists():
        assert monotonic() < deadline
        sleep(0.005)
    process.send_signal(number)
    assert finished(process).code == 130
    assert living(home) == []


def test_the_demonstration_ends_by_itself_and_leaves_nothing(home: Path, database: str) -> None:
    home.mkdir()
    before = dump(database)
    shell = Shell(home, {"TMPDIR": str(home), "DATABASE_URL": database})
    ran = shell.run("demo")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("verified,") == 12
    assert len(re.findall(r"^=== task `", ran.out, re.MULTILINE)) == 3
    assert list(home.iterdir()) == []
    assert living(home) == []
    assert dump(database) == before


def test_a_demonstration_that_is_stopped_leaves_nothing(home: Path) -> None:
    home.mkdir()
    process = Shell(home, {"TMPDIR": str(home)}).start("demo", "--stay")
    assert process.stdout is not None
    while "imported" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGTERM)
    assert finished(process).code in {0, 130}
    assert list(home.iterdir()) == []
    assert living(home) == []


def test_an_empty_database_of_the_user_first_gets_what_up_would_make(
    home: Path, empty_database: str
) -> None:
    shell = Shell(home, {"DATABASE_URL": empty_database})
    file = written(home.parent / "pack.json", pack([lesson("Rinse the brass")]))
    assert shell.run("import", file, "--json").json["imported"] == 1
    first = shell.run(*packet()).json
    assert [row["title"] for row in first["lessons"]] == ["Rinse the brass"]
    assert len(dump(empty_database)["houses"]) == 1
    assert not (home / "postgresql").exists()
    (token,) = (home / "tokens").iterdir()
    token.unlink()  # whoever owns the database gets the operator a further token
    assert shell.run(*packet()).json == first
    assert len(list((home / "tokens").iterdir())) == 1
    held = dump(empty_database)
    assert [len(held[table]) for table in ("houses", "tokens", "packets")] == [1, 2, 1]


def test_the_application_of_a_users_database_is_no_superuser(
    home: Path, empty_database: str
) -> None:
    app = make_conninfo(empty_database, user="athanor_app")
    shell = Shell(home, {"DATABASE_URL": empty_database, "ATHANOR_APP_DATABASE_URL": app})
    with shell.serving() as (served, _):
        assert served.ask(*packet()).json["lessons"] == []
        with psycopg.connect(empty_database) as connection:
            users = connection.execute(
                "select distinct usename from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
            assert users.fetchall() == [("athanor_app",)]


SETTINGS = {
    "a name that is no setting": ({"ATHANOR_COLOUR": "red"}, 2, "`ATHANOR_COLOUR`: there is no"),
    "a port that is no number": ({"ATHANOR_PORT": "p0rt"}, 2, "`ATHANOR_PORT`"),
    "a port that is too large": ({"ATHANOR_PORT": "65536"}, 2, "`ATHANOR_PORT`"),
    "an address without a token": ({"ATHANOR_URL": "http://127.0.0.1:1"}, 2, "ATHANOR_TOKEN_FILE"),
    "a token file that is not there": (
        {"ATHANOR_URL": "http://127.0.0.1:1", "ATHANOR_TOKEN_FILE": "/nonexistent"},
        2,
        "token file cannot be read",
    ),
    "a server that is not there": (
        {"ATHANOR_URL": "http://127.0.0.1:1", "ATHANOR_TOKEN_FILE": __file__},
        3,
        "cannot be reached",
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_refused_on_one_line_for(tmp_path: Path, name: str) -> None:
    more, code, said = SETTINGS[name]
    if more.get("ATHANOR_TOKEN_FILE") == __file__:
        token = tmp_path / "token"
        token.write_text("ath_secret", encoding="ascii")
        more = more | {"ATHANOR_TOKEN_FILE": str(token)}
    ran = Shell(tmp_path).ask(*packet(), **more)
    assert (ran.code, ran.out) == (code, "")
    assert said in " ".join(one_line(ran.err))
    assert "p0rt" not in ran.err


@pytest.mark.parametrize(
    ("url", "code"),
    [("postgresql://me:hunter2@127.0.0.1:1/x", 3), ("hunter2 is no address", 2)],
)
def test_a_database_that_cannot_be_had_is_told_on_one_line_without_its_password(
    tmp_path: Path, url: str, code: int
) -> None:
    ran = Shell(tmp_path, {"DATABASE_URL": url}).run(*packet())
    assert (ran.code, ran.out) == (code, "")
    assert "database" in one_line(ran.err)
    assert "hunter2" not in ran.err


def test_an_address_in_use_is_named(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = Shell(home).run("up", ATHANOR_PORT=str(port))
    assert (ran.code, ran.out) == (2, "")
    assert f"cannot listen on `127.0.0.1` port {port}: address" in " ".join(one_line(ran.err))
    assert living(home) == []
