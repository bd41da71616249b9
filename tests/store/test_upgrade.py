"""A House that an older version wrote is brought up to date with nothing lost.

`upgrade/house_at_0002.sql` holds the rows of a House as the first version wrote them: lessons with
links and dispositions, and packets, three of them for one intent under different scopes.
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from houses import HOUSE_ID, SECRET, START, Clock, Estate, Json, dump, start

from engine import Limits
from house import Evaluator, Runtime, shipped
from store import Database, custody, migrate, upkeep
from store.migrations_runner import migrations

pytestmark = pytest.mark.anyio
ROWS = Path(__file__).parent / "upgrade" / "house_at_0002.sql"
# What the migrations take away, or add columns to.
GONE = {"changes", "schema_migrations"}
NEW: dict[str, set[str]] = {
    "grants": {"delegator"},
    "packets": {"previous", "given_digests", "in_room"},
}
SECRETS = {
    "operator": SECRET,
    "wide": "ath_secret-of-wide",
    "worker": "ath_secret-of-worker",
}
INTENT = start(state={"stages": ["build"]})


@pytest.fixture
async def old(empty_database: str) -> AsyncGenerator[tuple[Estate, dict[str, list[str]]]]:
    """A House of the first version after the upgrade, and all its rows from before it."""
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(
            "create table schema_migrations (version integer primary key, name text not null,"
            " digest text not null, applied_at timestamptz not null default now())"
        )
        for migration in migrations()[:2]:
            connection.execute(migration.text)
        connection.execute("set session_replication_role = replica")
        connection.execute(ROWS.read_bytes())
    before = dump(empty_database)
    migrate(empty_database)
    application = psycopg.conninfo.make_conninfo(empty_database, user=custody.APPLICATION)
    database = Database(application)
    await database.open()
    try:
        clock = Clock(START.replace(year=2032))
        runtime = Runtime(database, Evaluator(Limits()), shipped())
        yield Estate(empty_database, application, runtime, clock, HOUSE_ID), before
    finally:
        await database.close()


def rows(dumped: dict[str, list[str]], table: str) -> list[dict[str, Any]]:
    return [
        {k: v for k, v in json.loads(row).items() if k not in NEW.get(table, set())}
        for row in dumped[table]
    ]


async def test_every_row_of_every_ledger_is_still_there(
    old: tuple[Estate, dict[str, list[str]]],
) -> None:
    house, before = old
    after = house.dump()
    for table in before.keys() - GONE:
        assert rows(before, table) == rows(after, table), table
    assert len(before["packets"]) == 4


async def test_the_facts_are_those_of_the_ledgers_and_epochs_go_on(
    old: tuple[Estate, dict[str, list[str]]],
) -> None:
    house, before = old
    assert upkeep.differences(house.owner, HOUSE_ID) == []
    assert len(house.dump()["base_facts"]) > 20
    counted = Counter(json.loads(row)["scope"] for row in before["changes"])
    found = [json.loads(row) for row in house.dump()["scope_epochs"]]
    epochs = {row["scopes"][0]: row["epochs"] for row in found if len(row["scopes"]) == 1}
    assert {scope: epochs[scope] for scope in counted} == counted


async def test_packets_are_read_as_before_and_starts_are_decided_anew(
    old: tuple[Estate, dict[str, list[str]]],
) -> None:
    house, before = old
    packets = [json.loads(row) for row in before["packets"]]
    for packet in packets:
        async with house.client(SECRETS[packet["principal_id"]]) as client:
            shown: Json = (await client.get(f"/v1/packets/{packet['packet_id']}")).json()
            assert "lessons" in shown, (packet, shown)
            assert [row["place"] for row in shown["lessons"]] == [1, 2]
            for name in shown["lessons"][0]["derivation"]["given_digests"]:
                assert (await client.get(f"/v1/fact-sets/{name}")).status_code == 200
            made, again = [(await client.post("/v1/tasks/start", json=INTENT)) for _ in range(2)]
            assert made.content == again.content
            assert made.json()["packet_id"] != packet["packet_id"]
            told = [[row["title"] for row in p["lessons"]] for p in (shown, made.json())]
            assert told[0] == told[1]
