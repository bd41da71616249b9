"""Two worlds that differ only in what a caller may not see give it the same bytes everywhere.

Both Houses have the same id, clock and secrets. In the second one other rooms are full of lessons,
grants, tasks and packets; every answer to a caller from the library must be equal in both.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import psycopg
import pytest
from houses import (
    FORGE,
    LIBRARY,
    PROJECTS,
    ROOMS,
    SHARED,
    START,
    Estate,
    Holding,
    Json,
    estate,
    lesson,
    pack,
    start,
)
from lesson_calls import Ask, brass, create, forget, forget_packet, review, supersede, update

pytestmark = pytest.mark.anyio
READER = Holding(
    "reader",
    operations=("read", "start_task", "import", "promote"),
    scopes=(FORGE, LIBRARY, SHARED),
    token_scopes=(LIBRARY, SHARED),
)
WIDE = replace(READER, token_scopes=(FORGE, LIBRARY, SHARED))
VISIBLE = [
    lesson("Rinse the brass", "Rinse the brass valve before the tide."),
    lesson("Polish brass", "Polish brass where it was rinsed.", scope="library"),
    lesson("Oil the valve", "Oil each valve of brass.", stages=["build"]),
]
HIDDEN = [
    lesson("Brass tide valve", "Brass valve brass tide rinse.", scope="forge", always_on=True),
    lesson("Never rinse", "Rinse no brass.", scope="forge", negation_of_title="Brass tide valve"),
    lesson("Old brass", "Brass.", scope="forge", superseded_by_title="Never rinse"),
    lesson("Of the attic", "Rinse the brass valve.", scope="attic"),
    *(lesson(f"Filler {n}", "Tide valve brass rinse.", scope="forge") for n in range(5)),
]
INTENTS = [
    start(room="library"),
    start(room="library", phase="review", state={"stages": ["build"]}),
    start(room="library", change="Brass tide valve, never rinse it.", risk="high"),
    start(room="library", change="Nothing that any lesson knows.", project_key="bargepost"),
]
Difference = Callable[[Estate], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Worlds:
    """The House without what is hidden, the one with it, and ids of what is hidden."""

    plain: Estate
    full: Estate
    guesses: list[str]


async def hidden_lessons(house: Estate) -> None:
    async with house.client() as operator:
        answer = await operator.post("/v1/lessons/import", json=pack(HIDDEN))
        assert answer.status_code == 200, answer.text


async def hidden_packets(house: Estate) -> None:
    await hidden_lessons(house)
    async with house.client() as operator:
        for intent in INTENTS:
            for room in ("forge", "attic", "library"):
                answer = await operator.post("/v1/tasks/start", json=intent | {"room": room})
                assert answer.status_code == 200, answer.text


async def hidden_principals(house: Estate) -> None:
    await house.admit(Holding("smith"))
    await house.admit(Holding("warden", operations=("administer", "read"), scopes=(FORGE, LIBRARY)))
    async with house.client(Holding("smith").secret) as smith:
        assert (await smith.post("/v1/tasks/start", json=start())).status_code == 200


async def hidden_packets_of_the_same_principal(house: Estate) -> None:
    """What a token with more rooms did in them changes nothing for the one with fewer."""
    async with house.inside() as connection:
        await house.give_token(connection, WIDE, "ath_wide", await house.act(connection))
    await hidden_lessons(house)
    async with house.client("ath_wide") as client:
        for intent in INTENTS:
            answer = await client.post("/v1/tasks/start", json=intent | {"room": "forge"})
            assert answer.status_code == 200


DIFFERENCES = [
    hidden_lessons,
    hidden_packets,
    hidden_principals,
    hidden_packets_of_the_same_principal,
]


@pytest.fixture(params=DIFFERENCES, ids=lambda difference: difference.__name__)
async def worlds(
    database: str, other_database: str, request: pytest.FixtureRequest
) -> AsyncGenerator[Worlds]:
    async with (
        estate(database) as plain,
        estate(
            other_database, rooms=(*ROOMS, "attic"), projects=(*PROJECTS, "hidden-project")
        ) as full,
    ):
        for house in (plain, full):
            await house.admit(READER)
            async with house.client() as operator:
                answer = await operator.post("/v1/lessons/import", json=pack(VISIBLE))
                assert answer.status_code == 200
        difference: Difference = request.param
        await difference(full)
        for house in (plain, full):
            house.clock.at = START + timedelta(days=1)
        hidden = [sorted(ids(full, query) - ids(plain, query)) for query in IDS]
        yield Worlds(plain, full, [name for names in hidden for name in names[:3]])


IDS = (
    "select packet_id from packets",
    "select digest from derivations",
    "select digest from fact_sets",
    "select lesson_id from lessons union select task_id from tasks",
    "select grant_id from grants union select act_id::text from acts",
)


def ids(house: Estate, query: str) -> set[str]:
    """The ids of everything of a kind in a House."""
    with psycopg.connect(house.owner) as connection:
        return {str(row[0]) for row in connection.execute(query.encode())}


def errands(guesses: list[str]) -> list[tuple[str, str, Json | None]]:
    """What the caller asks, in order: method, path, body."""
    tasks: list[tuple[str, str, Json | None]] = [
        ("POST", "/v1/tasks/start", body)
        for body in [
            *INTENTS,
            *(start(room=room) for room in ("forge", "attic", "cellar", None, "shared")),
            start(room="library", project_key="nobodys"),
            start(room="forge", project_key="nobodys"),
            start(room="library", colour="red"),
        ]
    ]
    packs = [
        [lesson("Brass tide valve", "Brass valve brass tide rinse.", scope="library")],
        [lesson("Of the attic", scope="attic"), lesson("Of nowhere", scope="cellar")],
        [lesson("Brass tide valve", "Other.", scope="forge")],
        [lesson("A", project="nobodys", negation_of_title="Never rinse")],
        [lesson("Filler 1", "Tide valve brass rinse."), *VISIBLE],
    ]
    imports: list[tuple[str, str, Json | None]] = [
        ("POST", "/v1/lessons/import", pack(rows)) for rows in packs
    ]
    reads: list[tuple[str, str, Json | None]] = [
        ("GET", f"/v1/{kind}/{guess}", None)
        for guess in [*guesses, "packet-0", "0" * 64]
        for kind in ("packets", "derivations", "fact-sets", "rulesets", "lessons")
    ]
    reads += [
        ("GET", f"/v1/lessons?{query}", None)
        for query in ("", "limit=2", "scope=room:forge", "scope=room:attic", "scope=shared")
    ]
    changes = [
        (ask.method, ask.path, ask.body)
        for guess in [*guesses, "lesson-0"]
        for ask in changes_of({"lesson_id": guess, "packet_id": guess})
    ]
    plain: list[tuple[str, str, Json | None]] = [
        ("GET", path, None) for path in ("/health", "/ready", "/openapi/openapi.json", "/v1/none")
    ]
    wrong: list[tuple[str, str, Json | None]] = [("PUT", "/v1/tasks/start", None)]
    later = [(method, path, {**(body or {}), "phase": "later"}) for method, path, body in tasks]
    return [*plain, *reads, *tasks, *imports, *later, *changes, *reads, *wrong]


def changes_of(guess: Json) -> list[Ask]:
    """Every change to a lesson or packet of which the caller has guessed the id."""
    item = guess | {"title": "Brass tide valve", "version": 1, "record_id": None}
    mine = brass("Mine", scope="library")
    return [
        review(item, "promoted"),
        update(item, mine),
        supersede(item, mine),
        forget(item),
        forget_packet(guess),
        create(mine, negation_of=guess["lesson_id"]),
        create(mine | {"negation_of_title": "Brass tide valve"}),
    ]


async def answers(house: Estate, guesses: list[str]) -> list[tuple[str, int, bytes]]:
    """The answers to every errand, and to reading again what the packets name."""
    found: list[tuple[str, int, bytes]] = []
    async with house.client(READER.secret) as client:
        queue = errands(guesses)
        while queue:
            method, path, body = queue.pop(0)
            answer = await client.request(method, path, json=body)
            found.append((f"{method} {path}", answer.status_code, answer.content))
            if path == "/v1/tasks/start" and answer.status_code == 200:
                queue += [("GET", name, None) for name in named(answer.json())]
    return found


def named(packet: Json) -> list[str]:
    """The paths of a packet and of all that it rests on."""
    certificates = [row["derivation"] for row in packet["lessons"]]
    return [
        f"/v1/packets/{packet['packet_id']}",
        *(f"/v1/derivations/{certificate['digest']}" for certificate in certificates),
        *(f"/v1/fact-sets/{d}" for c in certificates[:1] for d in c["given_digests"]),
    ]


async def test_nothing_that_is_hidden_changes_an_answer(worlds: Worlds) -> None:
    assert worlds.guesses
    plain = await answers(worlds.plain, worlds.guesses)
    full = await answers(worlds.full, worlds.guesses)
    assert [row[0] for row in plain] == [row[0] for row in full]
    assert [(a, b) for a, b in zip(plain, full, strict=True) if a != b] == []
    statuses = {status for _, status, _ in plain}
    assert {200, 400, 403, 404, 405, 422} <= statuses
    assert all(b"attic" not in body or b"scope" in body for _, _, body in full)


async def test_what_differs_is_seen_by_who_may_see_it(worlds: Worlds) -> None:
    """The two worlds do differ: the operator of the second one gets other answers."""
    intent = start(room="forge", phase="proof of difference")
    found = []
    for house in (worlds.plain, worlds.full):
        async with house.client() as operator:
            bodies = [(await operator.post("/v1/tasks/start", json=intent)).json()]
            bodies += [(await operator.get(f"/v1/packets/{g}")).json() for g in worlds.guesses]
        found.append(bodies)
    assert found[0] != found[1]
