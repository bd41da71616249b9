"""Administration tells nothing of other scopes: two worlds that differ in them answer alike.

Both Houses have the same id, clock and secrets. In the second one the forge and a further room are
governed, have projects, grants, tokens and vocabularies; who administers the library alone must get
the same bytes in both, to every list and to every change.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from changes import GRANT, TOKEN, done, everything, sha256
from houses import FORGE, LIBRARY, SHARED, START, Estate, Holding, Json, estate

from store import vocabulary

pytestmark = pytest.mark.anyio
CURATOR = Holding("curator", ("administer", "read", "start_task"), (LIBRARY,), kind="spirit")
LISTS = ("rooms", "principals", "projects", "grants", "tokens", "vocabulary")


@dataclass(frozen=True, slots=True)
class Worlds:
    """The House without what is hidden, the one with it, and ids of what is hidden."""

    plain: Estate
    full: Estate
    grants: list[str]
    tokens: list[str]


@pytest.fixture
async def worlds(database: str, other_database: str) -> AsyncGenerator[Worlds]:
    async with estate(database) as plain, estate(other_database) as full:
        for house in (plain, full):
            await house.admit(CURATOR)
            async with house.client() as operator:
                await done(operator, "/v1/rooms/library/governor", {"principal": "curator"})
        await fill(full)
        async with full.client() as operator:
            hidden = [
                [row[key] for row in await everything(operator, path) if row["scopes"] != [LIBRARY]]
                for path, key in (("/v1/grants", "grant_id"), ("/v1/tokens", "token_id"))
            ]
        for house in (plain, full):
            house.clock.at = START + timedelta(days=1)
        yield Worlds(plain, full, *hidden)


async def fill(house: Estate) -> None:
    """All that only others may see: in other rooms, in what is shared, and across rooms."""
    await house.admit(Holding("builder", scopes=(FORGE, LIBRARY)))
    await house.admit(Holding("bea", kind="spirit", scopes=(FORGE,)))
    async with house.client() as operator:
        await done(operator, "/v1/rooms", {"room": "attic"})
        await done(operator, "/v1/rooms/forge/governor", {"principal": "bea"})
        for scope in (FORGE, "room:attic"):
            await done(operator, "/v1/projects", {"project": "tidemill", "scope": scope})
        await done(operator, "/v1/projects/tidemill/retire", {"scope": FORGE})
        for scopes in ([FORGE], [FORGE, LIBRARY], ["room:attic"], [SHARED]):
            grant = {"principal": "curator", "operation": "import", "scopes": scopes}
            await done(operator, "/v1/grants", grant)
            await done(operator, "/v1/grants", grant | {"principal": "builder"})
            token = {"principal": "curator", "operations": ["read"], "scopes": scopes}
            await done(operator, "/v1/tokens", token | {"sha256": sha256(str(scopes))})
    async with house.inside() as connection:
        words = [vocabulary.Word("builder", "phase", "brass")]
        await vocabulary.add(connection, house.house_id, words, await house.act(connection))


def changes(worlds: Worlds) -> list[tuple[str, Json]]:
    """Every change with every scope and id that is hidden in the full world, and with none."""
    found: list[tuple[str, Json]] = []
    for room in ("forge", "attic", "cellar", "library"):
        scope = f"room:{room}"
        grant = {"principal": "curator", "operation": "import", "scopes": [scope]}
        token = {"principal": "curator", "operations": ["read"], "scopes": [scope]}
        found += [
            ("/v1/rooms", {"room": room}),
            (f"/v1/rooms/{room}/governor", {"principal": "curator"}),
            (f"/v1/rooms/{room}/governor", {"principal": None}),
            ("/v1/projects", {"project": "tidemill", "scope": scope}),
            ("/v1/projects/tidemill/retire", {"scope": scope}),
            ("/v1/grants", grant),
            ("/v1/grants", grant | {"delegated": True}),
            ("/v1/grants", grant | {"scopes": [scope, LIBRARY]}),
            ("/v1/tokens", token | {"sha256": sha256(f"new {room}")}),
            ("/v1/tokens", token | {"sha256": sha256(f"wide {room}"), "scopes": [scope, LIBRARY]}),
        ]
    for key in ("curator", "operator", "builder", "nobody"):
        found += [
            ("/v1/principals", {"principal": key, "kind": "spirit"}),
            (f"/v1/principals/{key}/revoke", {}),
        ]
    found += [(f"/v1/grants/{key}/revoke", {}) for key in [*worlds.grants, GRANT, "grant-0"]]
    found += [(f"/v1/tokens/{key}/revoke", {}) for key in [*worlds.tokens, TOKEN, "0" * 32]]
    found.append(("/v1/vocabulary", {"kind": "phase", "values": ["brass"]}))
    return found


async def answers(house: Estate, worlds: Worlds) -> list[tuple[str, int, bytes]]:
    """The answers to every list, then to every change, then to every list again, by pages."""
    found: list[tuple[str, int, bytes]] = []
    async with house.client(CURATOR.secret) as client:
        for path, body in changes(worlds):
            answer = await client.post(path, json=body)
            found.append((f"{path} {body}", answer.status_code, answer.content))
        for name in LISTS:
            cursor: str | None = ""
            while cursor is not None:
                params = {"limit": "1"} | ({"cursor": cursor} if cursor else {})
                answer = await client.get(f"/v1/{name}", params=params)
                found.append((f"{name} {cursor}", answer.status_code, answer.content))
                cursor = answer.json()["next_cursor"]
    return found


async def test_nothing_that_is_hidden_changes_an_answer(worlds: Worlds) -> None:
    assert len(worlds.grants) > 5
    assert len(worlds.tokens) > 3
    plain = await answers(worlds.plain, worlds)
    full = await answers(worlds.full, worlds)
    assert [(a, b) for a, b in zip(plain, full, strict=True) if a != b] == []
    assert {200, 403, 404, 409} <= {status for _, status, _ in plain}


async def test_what_differs_is_seen_by_who_may_see_it(worlds: Worlds) -> None:
    for name in LISTS:
        found = []
        for house in (worlds.plain, worlds.full):
            async with house.client() as operator:
                found.append(await everything(operator, f"/v1/{name}"))
        assert found[0] != found[1], name
