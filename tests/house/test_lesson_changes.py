"""What holds of every change to a lesson: rights, hidden lessons, keys, crashes, facts."""

import asyncio
from collections.abc import Callable
from threading import Thread

import httpx
import psycopg
import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start
from lesson_calls import (
    Ask,
    brass,
    bring,
    create,
    done,
    forget,
    forget_packet,
    lessons_of,
    review,
    supersede,
    update,
)

from engine import Fact, Limits, Status, check
from house import shipped

pytestmark = pytest.mark.anyio
ABSENT = {"lesson_id": "lesson-" + "0" * 24, "packet_id": "packet-" + "0" * 32}
Changed = Callable[[Json, Json], Ask]


def one_of(items: Json) -> Json:
    found: Json = items["Rinse the brass"]
    return found


# Each change as a request, made of the lessons by title and of a packet.
CHANGES: dict[str, Changed] = {
    "review": lambda items, _: review(one_of(items), "archived"),
    "update": lambda items, _: update(one_of(items), brass(rule="Rinse it twice.", scope="forge")),
    "supersede": lambda items, _: supersede(one_of(items), items["Polish brass"]),
    "supersede by a new one": lambda items, _: supersede(
        one_of(items), brass("New", scope="forge")
    ),
    "forget": lambda items, _: forget(one_of(items)),
    "forget a packet": lambda _, packet: forget_packet(packet),
    "create": lambda _items, _packet: create(brass("New", scope="forge")),
}
OF_ONE_LESSON = ["review", "update", "supersede", "supersede by a new one", "forget"]


async def filled(house: Estate) -> tuple[Json, Json]:
    """Two lessons of the forge by title, and a packet that holds them."""
    async with house.client() as client:
        items = await bring(client, brass(scope="forge"), brass("Polish brass", scope="forge"))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
    assert len(packet["lessons"]) == 2
    return items, packet


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_is_denied_to_who_may_only_read(house: Estate, name: str) -> None:
    items, packet = await filled(house)
    secret = await house.admit(Holding("reader", scopes=(FORGE, SHARED)))
    async with house.client(secret) as client:
        mine = (await client.post("/v1/tasks/start", json=start())).json()
        before = house.dump()
        answer = await CHANGES[name](items, mine).of(client)
    assert (answer.status_code, answer.json()["code"]) == (403, "denied")
    assert packet["packet_id"] != mine["packet_id"]
    assert house.dump() == before


@pytest.mark.parametrize("name", [*OF_ONE_LESSON, "forget a packet"])
async def test_a_hidden_subject_is_answered_as_one_that_is_not_there(
    house: Estate, name: str
) -> None:
    items, packet = await filled(house)
    everything = ("read", "start_task", "import", "promote", "administer")
    other = Holding("other", operations=everything, scopes=(LIBRARY, SHARED))
    secret = await house.admit(other)
    unknown = {title: item | ABSENT for title, item in items.items()}
    before = house.dump()
    async with house.client(secret) as client:
        asks = [CHANGES[name](items, packet), CHANGES[name](unknown, ABSENT)]
        asks = [Ask(asks[0].method, ask.path, asks[0].body) for ask in asks]
        answers = [await ask.of(client) for ask in asks]
    ids = [ask.path.split("/")[3].encode() for ask in asks]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].content.replace(ids[0], ids[1]) == answers[1].content
    assert house.dump() == before


async def test_a_hidden_successor_and_a_hidden_opposite_are_as_if_they_were_not_there(
    house: Estate,
) -> None:
    both = ("read", "promote", "import")
    secret = await house.admit(Holding("other", operations=both, scopes=(LIBRARY, SHARED)))
    async with house.client() as client:
        items = await bring(client, brass(scope="library"), brass("Polish brass", scope="forge"))
    mine, hidden = items["Rinse the brass"], items["Polish brass"]
    before = house.dump()
    async with house.client(secret) as client:
        for ask, unknown in (
            (supersede(mine, hidden), supersede(mine, hidden | ABSENT)),
            (
                create(brass("N", scope="library", negation_of_title="Polish brass")),
                create(brass("N", scope="library", negation_of_title="Polish brasS")),
            ),
            (
                create(brass("N", scope="library"), negation_of=hidden["lesson_id"]),
                create(brass("N", scope="library"), negation_of=ABSENT["lesson_id"]),
            ),
        ):
            answers = [await a.of(client) for a in (ask, unknown)]
            assert [a.status_code for a in answers] == [400, 400]
            names = [hidden["lesson_id"].encode(), ABSENT["lesson_id"].encode()]
            assert answers[0].content.replace(*names) == answers[1].content
    assert house.dump() == before


@pytest.mark.parametrize("name", CHANGES)
async def test_the_same_key_gives_the_same_bytes_and_changes_nothing(
    house: Estate, name: str
) -> None:
    items, packet = await filled(house)
    ask = CHANGES[name](items, packet)
    async with house.client() as client:
        first = await ask.of(client, "key-1")
        assert first.status_code == 200, first.text
        before = house.dump()
        again = await ask.of(client, "key-1")
        assert (again.status_code, again.content) == (200, first.content)
        body = (ask.body or {}) | {"reason": "another reason"}
        other = await Ask(ask.method, ask.path, body).of(client, "key-1")
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
        elsewhere = create(brass("Elsewhere"))
        reused = await elsewhere.of(client, "key-1")
        assert (reused.status_code, reused.json()["code"]) == (409, "key_reused")
        assert house.dump() == before


@pytest.mark.parametrize("name", CHANGES)
async def test_one_key_used_at_once_has_one_effect_and_one_answer(house: Estate, name: str) -> None:
    items, packet = await filled(house)
    ask = CHANGES[name](items, packet)
    before = len(house.dump()["acts"])
    async with house.client() as client:
        answers = await asyncio.gather(*(ask.of(client, "key-1") for _ in range(5)))
        await done(client, create(brass("Beside")))  # the House goes on
    assert [answer.status_code for answer in answers] == [200] * 5
    assert len({answer.content for answer in answers}) == 1
    acts = len(house.dump()["acts"]) - before - 2
    assert acts == (2 if name in {"create", "supersede by a new one"} else 1)


async def test_a_refused_call_keeps_nothing_under_its_key(house: Estate) -> None:
    items, _ = await filled(house)
    async with house.client() as client:
        wrong = update(
            items["Polish brass"], brass("Polish brass", scope="forge"), baseline_version=7
        )
        assert (await wrong.of(client, "key-1")).status_code == 409
        right = update(items["Polish brass"], brass("Polish brass", "Polish it.", scope="forge"))
        assert (await right.of(client, "key-1")).status_code == 200


class Ending:
    """Ends the session of the change that is about to keep its answer, once it has written."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._lock = psycopg.connect(owner)
        self._lock.execute("lock table idempotency in share mode")
        self._thread = Thread(target=self._end)
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


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_whose_session_was_killed_left_nothing_and_can_be_made_again(
    house: Estate, name: str
) -> None:
    items, packet = await filled(house)
    ask = CHANGES[name](items, packet)
    before = house.dump()
    ending = Ending(house.owner)
    async with house.client() as client:
        broken = await ask.of(client, "key-1")
        ending.close()
        assert (broken.status_code, broken.json()["code"]) == (503, "unavailable")
        assert house.dump() == before
        assert (await ask.of(client, "key-1")).status_code == 200
    assert house.dump() != before


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_leaves_facts_that_are_those_of_the_ledgers_and_an_act_that_is_verified(
    house: Estate, name: str
) -> None:
    items, packet = await filled(house)
    async with house.client() as client:
        await done(client, CHANGES[name](items, packet))
    with psycopg.connect(house.owner) as connection:
        differing = connection.execute("select * from fact_differences").fetchall()
        sets = connection.execute("select digest, facts from fact_sets").fetchall()
        permissions = connection.execute(
            "select operation, scope, permission from acts where permission is not null"
        ).fetchall()
    assert differing == []
    given = {str(d): [Fact.of(r, tuple(v), s) for r, v, s in rows] for d, rows in sets}
    for operation, scope, permission in permissions:
        verdict = check(permission, shipped().program, shipped().version, given, Limits())
        assert verdict.status == Status.VERIFIED, verdict
        assert permission["conclusion"]["values"] == [operation, scope]


@pytest.mark.parametrize("name", ["review", "update", "supersede by a new one", "forget"])
async def test_the_words_of_the_index_are_those_of_the_lessons_that_stand(
    house: Estate, name: str
) -> None:
    items, packet = await filled(house)
    async with house.client() as client:
        await done(client, CHANGES[name](items, packet))
        standing = {i["lesson_id"]: i["version"] for i in (await lessons_of(client)).values()}
    with psycopg.connect(house.owner) as connection:
        indexed = connection.execute("select lesson_id, version from lesson_index").fetchall()
    assert dict(indexed) == standing


async def test_changes_of_many_lessons_at_once_all_land(house: Estate) -> None:
    titles = [f"Rinse brass {n}" for n in range(12)]

    async def life(client: httpx.AsyncClient, item: Json) -> None:
        await done(client, review(item, "archived"))
        item = (await client.get(f"/v1/lessons/{item['lesson_id']}")).json()
        await done(client, update(item, brass(item["title"], "Rinse it twice.")))
        item = (await client.get(f"/v1/lessons/{item['lesson_id']}")).json()
        await done(client, supersede(item, brass(f"New {item['title']}")))
        await done(client, forget(item))

    async with house.client() as client:
        items = await bring(client, *(brass(title) for title in titles))
        await asyncio.gather(*(life(client, items[title]) for title in titles))
        assert sorted(await lessons_of(client)) == sorted(f"New {title}" for title in titles)
