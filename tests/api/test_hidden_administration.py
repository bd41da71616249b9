"""Two worlds again, for who administers one room: what is hidden shows in no list and no change.

Both Houses have the same id, clock and secrets. In the second one other rooms have governors,
grants, projects, tokens, lessons and packets; the warden of the library gets the same bytes from
both, from every list page by page, and from every change that it tries.
"""

from collections.abc import AsyncGenerator
from datetime import timedelta

import httpx
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
    pack,
    start,
)
from test_hidden_rooms import HIDDEN, VISIBLE, Worlds

pytestmark = pytest.mark.anyio
WARDEN = Holding(
    "warden",
    operations=("read", "start_task", "import", "promote", "administer"),
    scopes=(FORGE, LIBRARY, SHARED),
    token_operations=("read", "start_task", "import", "promote", "administer"),
    token_scopes=(LIBRARY,),
    kind="spirit",
)
SHA = "ab" * 32
Errand = tuple[str, str, Json | None]


async def hide(house: Estate) -> None:
    """Everything that can be hidden from the library, in forge and attic and about others."""
    async with house.client() as operator:
        for path, body in (
            ("/v1/principals", {"principal": "smith", "kind": "spirit"}),
            ("/v1/rooms/forge/governor", {"principal": "smith", "previous": None}),
            ("/v1/projects", {"project": "secret", "scope": FORGE}),
            ("/v1/grants", {"principal": "smith", "operation": "read", "scopes": [FORGE]}),
            ("/v1/grants", {"principal": "warden", "operation": "read", "scopes": [FORGE]}),
            (
                "/v1/grants",
                {
                    "principal": "warden",
                    "operation": "import",
                    "scopes": [FORGE],
                    "valid_until": (START + timedelta(days=2)).isoformat(),
                },
            ),
            (
                "/v1/tokens",
                {"principal": "smith", "operations": ["read"], "scopes": [FORGE], "sha256": SHA},
            ),
            ("/v1/vocabulary", {"kind": "phase", "values": ["dreaming", "build"]}),
        ):
            answer = await operator.post(path, json=body)
            assert answer.status_code == 200, answer.text
        assert (await operator.post("/v1/lessons/import", json=pack(HIDDEN))).status_code == 200
        for room in ("forge", "attic"):
            answer = await operator.post("/v1/tasks/start", json=start(room=room))
            assert answer.status_code == 200, answer.text


@pytest.fixture
async def worlds(database: str, other_database: str) -> AsyncGenerator[Worlds]:
    async with (
        estate(database) as plain,
        estate(other_database, rooms=(*ROOMS, "attic"), projects=PROJECTS) as full,
    ):
        for house in (plain, full):
            await house.admit(WARDEN)
            async with house.client() as operator:
                assert (
                    await operator.post("/v1/lessons/import", json=pack(VISIBLE))
                ).status_code == 200
        await hide(full)
        for house in (plain, full):
            house.clock.at = START + timedelta(days=1)
        yield Worlds(plain, full, [])


LISTS = ("rooms", "principals", "projects", "grants", "tokens", "vocabulary", "lessons", "packets")


def lists() -> list[Errand]:
    return [("GET", f"/v1/{name}?limit={limit}", None) for name in LISTS for limit in (1, 2, 200)]


def changes() -> list[Errand]:
    """What the warden tries: in its room, in hidden ones, and in ones that are not there."""
    scopes: list[list[str]] = [
        [LIBRARY],
        [FORGE],
        ["room:attic"],
        ["room:cellar"],
        [LIBRARY, FORGE],
    ]
    until = (START + timedelta(days=9)).isoformat()
    found: list[Errand] = [
        ("POST", "/v1/rooms", {"room": room}) for room in ("attic", "cellar", "library")
    ]
    for room in ("library", "forge", "attic", "cellar"):
        body = {"principal": "warden", "previous": None}
        found.append(("POST", f"/v1/rooms/{room}/governor", body))
    for scope in (LIBRARY, FORGE, "room:attic", "room:cellar", SHARED):
        found.append(("POST", "/v1/projects", {"project": "secret", "scope": scope}))
        found.append(("POST", "/v1/projects/secret/retire", {"scope": scope}))
    for chosen in scopes:
        grant = {"principal": "warden", "operation": "read", "scopes": chosen}
        found.append(("POST", "/v1/grants", grant))
        found.append(("POST", "/v1/grants", grant | {"delegated": True, "valid_until": until}))
        token = {"principal": "warden", "operations": ["read"], "scopes": chosen}
        found.append(("POST", "/v1/tokens", token | {"sha256": "cd" * 32}))
    found.append(("POST", "/v1/grants/grant-0/revoke", {}))
    found.append(("POST", "/v1/vocabulary", {"kind": "phase", "values": ["build", "later"]}))
    found.append(("POST", "/v1/principals", {"principal": "clerk", "kind": "adapter"}))
    found.append(("POST", "/v1/principals/operator/revoke", {}))
    return found


def starts() -> list[Errand]:
    bodies = [
        start(room="library"),
        start(room="library", project_key="secret"),
        start(room="library", phase="dreaming"),
        start(room="forge"),
        start(room="attic"),
    ]
    return [("POST", "/v1/tasks/start", body) for body in bodies]


async def answers(house: Estate) -> list[tuple[str, int, bytes, str | None]]:
    """Every answer, in order; lists are followed to their end, packets into all that they name."""
    found: list[tuple[str, int, bytes, str | None]] = []
    async with house.client(WARDEN.secret) as client:
        queue = [*lists(), *starts(), *changes(), *starts(), *lists()]
        while queue:
            method, path, body = queue.pop(0)
            answer = await client.request(method, path, json=body)
            until = answer.headers.get("athanor-valid-until")
            found.append((f"{method} {path}", answer.status_code, answer.content, until))
            queue = [*following(path, answer), *queue]
    return found


def following(path: str, answer: httpx.Response) -> list[Errand]:
    """What an answer leads to: the next page, or what becomes of a packet."""
    if answer.status_code != 200 or not answer.headers["content-type"].endswith("json"):
        return []
    body = answer.json()
    if path == "/v1/tasks/start":
        name = f"/v1/packets/{body['packet_id']}"
        ends = ("", "/state", "/text?worker_id=worker-1", "/text?worker_id=x", "/left-out?limit=2")
        outside = [("GET", f"{name}/left-out/{key}", None) for key in ("lesson-0",)]
        delivery: Errand = ("POST", f"{name}/deliveries", {"worker_id": "worker-1"})
        return [*(("GET", name + end, None) for end in ends), *outside, delivery]
    if isinstance(body, dict) and body.get("next_cursor"):
        place, _, query = path.partition("?")
        limit = next(part for part in query.split("&") if part.startswith("limit"))
        return [("GET", f"{place}?{limit}&cursor={body['next_cursor']}", None)]
    return []


async def test_nothing_that_is_hidden_changes_a_list_or_a_change(worlds: Worlds) -> None:
    plain, full = await answers(worlds.plain), await answers(worlds.full)
    assert [(a, b) for a, b in zip(plain, full, strict=True) if a != b] == []
    statuses = {status for _, status, _, _ in plain}
    assert {200, 400, 403, 404} <= statuses
    pages = [path for path, _, _, _ in plain if "cursor=" in path]
    assert len(pages) > 10


async def test_who_administers_the_house_sees_the_difference(worlds: Worlds) -> None:
    for name in ("rooms", "principals", "projects", "grants", "tokens"):
        counts = []
        for house in (worlds.plain, worlds.full):
            async with house.client() as operator:
                answer = await operator.get(f"/v1/{name}", params={"limit": 200})
            counts.append(len(answer.json()["items"]))
        assert counts[0] < counts[1], name
