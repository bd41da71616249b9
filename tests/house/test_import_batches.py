"""Batches of an import: each commits by itself, and a broken import goes on where it stopped."""

import json
from collections.abc import AsyncGenerator, Callable
from threading import Thread

import psycopg
import pytest
from houses import SECRET, Estate, estate, lesson, pack, start

from contracts import ImportReport, LessonPack
from house import authenticate, import_lessons
from house.imports import BATCH
from store import DatabaseUnavailableError, facts

pytestmark = pytest.mark.anyio
COUNT = 1200
PACK = LessonPack.model_validate(
    pack(
        lesson(
            f"Lesson {number}",
            f"Rule {number}.",
            scope=("shared", "forge")[number % 2],
            **({"negation_of_title": f"Lesson {COUNT - number}"} if number % 100 == 9 else {}),
        )
        for number in range(COUNT)
    )
)
STORED = "select count(*) from lesson_versions"


async def bring_in(house: Estate, progress: Callable[[int, int], None]) -> ImportReport:
    token = await authenticate(house.runtime, SECRET, house.clock())
    return await import_lessons(
        house.runtime, token, PACK, "pack.json", house.clock(), progress=progress
    )


def silent(_done: int, _total: int) -> None:
    pass


def content(house: Estate) -> dict[str, list[str]]:
    """What the House holds, but for who wrote it when."""
    found = {}
    dumped = house.dump()
    for table in ("lessons", "lesson_versions", "lesson_links", "authority_records", "contents"):
        rows = [json.loads(row) for row in dumped[table]]
        found[table] = sorted(str({**row, "act_id": None}) for row in rows)
    return found


@pytest.fixture(scope="module")
async def whole(module_database: str) -> AsyncGenerator[Estate]:
    """The House of an import that nothing disturbed."""
    async with estate(module_database) as house:
        report = await bring_in(house, silent)
        assert (report.imported, report.unchanged) == (COUNT, 0)
        yield house


class Interruption:
    """Ends the application's session in the middle of the batch that follows `after` lessons.

    A lock of ours holds the batch at its first version, so that it has written and not committed.
    """

    def __init__(self, owner: str, after: int) -> None:
        self._owner = owner
        self._after = after
        self._lock = psycopg.connect(owner)
        self._thread = Thread(target=self._end)

    def __call__(self, done: int, _total: int) -> None:
        if done == self._after:
            self._lock.execute("lock table lesson_versions in share mode")
            self._thread.start()

    def _end(self) -> None:
        waiting = (
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and wait_event_type = 'Lock'"
        )
        with psycopg.connect(self._owner, autocommit=True) as connection:
            while not connection.execute(waiting).fetchall():
                pass
        self._lock.rollback()

    def close(self) -> None:
        self._thread.join()
        self._lock.close()


async def test_batches_of_five_hundred_commit_one_by_one(house: Estate) -> None:
    told: list[tuple[int, int, int]] = []

    def progress(done: int, total: int) -> None:
        with psycopg.connect(house.owner) as connection:
            row = connection.execute(STORED).fetchone()
            told.append((done, total, row[0] if row else -1))

    await bring_in(house, progress)
    assert BATCH == 500
    assert told == [(500, COUNT, 500), (1000, COUNT, 1000), (COUNT, COUNT, COUNT)]


@pytest.mark.parametrize("after", [500, 1000])
async def test_an_import_whose_session_was_killed_goes_on_without_loss_or_double(
    house: Estate, whole: Estate, after: int
) -> None:
    killer = Interruption(house.owner, after)
    with pytest.raises(DatabaseUnavailableError):
        await bring_in(house, killer)
    killer.close()
    with psycopg.connect(house.owner) as connection:
        assert connection.execute(STORED).fetchone() == (after,)
    report = await bring_in(house, silent)
    assert (report.imported, report.unchanged) == (COUNT - after, after)
    assert content(house) == content(whole)
    assert house.dump()["base_facts"] == whole.dump()["base_facts"]
    assert house.dump()["fact_epochs"] == whole.dump()["fact_epochs"]
    assert house.dump()["lesson_index"] == whole.dump()["lesson_index"]


async def test_a_lesson_that_was_only_named_by_an_earlier_batch_is_no_lesson_yet(
    house: Estate,
) -> None:
    killer = Interruption(house.owner, 500)
    with pytest.raises(DatabaseUnavailableError):
        await bring_in(house, killer)
    killer.close()
    with psycopg.connect(house.owner) as connection:
        identities = connection.execute("select count(*) from lessons").fetchone()
    assert identities is not None
    assert identities[0] > 500
    async with house.client() as client:
        answer = await client.post("/v1/tasks/start", json=start())
    assert answer.status_code == 200
    async with house.inside("shared", "room:forge") as connection:
        given = await facts.base(connection, house.house_id)
    assert len([fact for fact in given if fact.relation == "lesson"]) == 500
