"""`athanor facts`: the owner compares facts with ledgers, makes them anew, compacts them."""

import json
from pathlib import Path

import psycopg
import pytest
from command_lines import Shell, written
from houses import Json, lesson, pack


@pytest.fixture
def shell(tmp_path: Path, database: str) -> Shell:
    found = Shell(tmp_path, {"DATABASE_URL": database})
    rows = [lesson("Rinse the brass"), lesson("Oil the valve", stages=["build"])]
    assert found.run("import", written(tmp_path / "pack.json", pack(rows))).code == 0
    return found


def report(shell: Shell, command: str) -> Json:
    told: Json = shell.run("facts", command, "--json").json
    return told


def test_facts_that_equal_the_ledgers_are_compacted_and_stay(shell: Shell, database: str) -> None:
    assert report(shell, "verify")["differences"] == 0
    assert report(shell, "rebuild")["epoch"] == 2
    told = report(shell, "compact")
    with psycopg.connect(database) as connection:
        (count,) = connection.execute("select count(*) from base_facts").fetchone() or (0,)
        (left,) = connection.execute("select count(*) from fact_changes").fetchone() or (-1,)
    assert (told["epoch"], told["facts"], left) == (2, count, 0)
    assert report(shell, "compact") == told
    assert shell.run("facts", "verify").out == f"House {told['house']}: 0 differences\n"


def test_facts_that_differ_are_shown_refused_and_made_anew(shell: Shell, database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("delete from base_facts where relation = 'lesson_stage'")
    ran = shell.run("facts", "verify")
    assert ran.code == 1
    assert ": 1 difference\n  added: lesson_stage(lesson-" in ran.out
    assert ran.err == "athanor: facts differ from the ledgers: rebuild them\n"
    refused = shell.run("facts", "compact")
    assert refused.code == 1
    assert refused.err.endswith("differ from its ledgers: rebuild them\n")
    assert report(shell, "rebuild")["epoch"] == 3
    assert report(shell, "verify")["differences"] == 0
    with psycopg.connect(database) as connection:
        rows = connection.execute("select to_jsonb(c)::text from fact_changes c where epoch = 3")
        (only,) = [json.loads(row[0]) for row in rows]
    assert (only["change"], only["relation"]) == ("added", "lesson_stage")
