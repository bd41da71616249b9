"""Lists in pages: joined they are the whole list, and a cursor is of no use elsewhere."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncGenerator

import pytest
from changes import done, everything
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, estate

pytestmark = pytest.mark.anyio
KEYS = {
    "/v1/rooms": ("room",),
    "/v1/principals": ("principal",),
    "/v1/projects": ("project", "scope"),
    "/v1/grants": ("grant_id",),
    "/v1/tokens": ("token_id",),
    "/v1/vocabulary": ("principal", "kind", "value"),
}
MORE: dict[str, Json] = {
    "/v1/rooms": {"room": "{}"},
    "/v1/principals": {"principal": "{}", "kind": "ci"},
    "/v1/projects": {"project": "{}"},
    "/v1/grants": {
        "principal": "operator",
        "operation": "read",
        "scopes": [SHARED],
        "valid_from": "20{:.2}-01-01T00:00:00Z",
    },
    "/v1/tokens": {
        "principal": "operator",
        "operations": ["read"],
        "scopes": [SHARED],
        "sha256": "{:0>64}",
    },
    "/v1/vocabulary": {"kind": "phase", "values": ["{}"]},
}


def more(path: str, number: int) -> Json:
    """A body that adds an item, which comes early or late in the list by its number."""
    named = json.dumps(MORE[path])
    found: Json = json.loads(re.sub(r"{[^}\"]*}", lambda m: m[0].format(f"{number:02}"), named))
    return found


@pytest.fixture(scope="module")
async def full(module_database: str) -> AsyncGenerator[Estate]:
    """A House with a dozen items in each list."""
    async with estate(module_database) as house:
        async with house.client() as operator:
            for path in MORE:
                for number in range(10, 22):
                    await done(operator, path, more(path, number))
        yield house


def keys(path: str, items: list[Json]) -> list[tuple[str, ...]]:
    return [tuple(item[field] for field in KEYS[path]) for item in items]


@pytest.mark.parametrize("path", KEYS)
async def test_pages_of_every_length_join_to_the_same_list_in_order(
    full: Estate, path: str
) -> None:
    async with full.client() as operator:
        whole = await everything(operator, path)
        found = keys(path, whole)
        assert len(found) >= 12
        assert found == sorted(set(found))
        for limit in (1, 2, 5, len(whole), len(whole) + 1):
            assert await everything(operator, path, limit) == whole
        first = (await operator.get(path)).json()
    assert first["items"] == whole[:50]


@pytest.mark.parametrize("path", KEYS)
async def test_what_was_there_is_shown_once_while_more_is_added(house: Estate, path: str) -> None:
    """Rooms are made by somebody else here: with more rooms one's own cursors are stale."""
    maker = Holding("maker", ("administer", "start_task"), (SHARED,))
    secret = await house.admit(maker)
    async with house.client() as operator, house.client(secret) as other:
        for number in range(20, 40, 2):
            await done(operator, path, more(path, number))
        before = keys(path, await everything(operator, path))
        reading = asyncio.create_task(everything(operator, path, 1))
        for number in (*range(1, 9), *range(21, 40, 2)):
            await done(other, path, more(path, number))
        found = keys(path, await reading)
    assert found == sorted(set(found))
    assert set(before) <= set(found)


async def cursor_of(house: Estate, path: str, secret: str | None = None) -> str:
    async with house.client(*([secret] if secret else [])) as client:
        page = (await client.get(path, params={"limit": 1})).json()
    found: str = page["next_cursor"]
    return found


async def code_of(house: Estate, path: str, cursor: str, secret: str | None = None) -> object:
    """What a list says to a cursor: 200, or the code of its problem with status 400."""
    async with house.client(*([secret] if secret else [])) as client:
        answer = await client.get(path, params={"cursor": cursor})
    if answer.status_code == 200:
        return 200
    assert answer.status_code == 400
    assert answer.json()["location"] == "cursor"
    return answer.json()["code"]


async def test_a_cursor_is_refused_by_every_other_list(full: Estate) -> None:
    cursors = {path: await cursor_of(full, path) for path in KEYS}
    for path in KEYS:
        for source, cursor in cursors.items():
            found = await code_of(full, path, cursor)
            assert found == (200 if source == path else "stale_cursor"), (path, source)


@pytest.mark.parametrize("path", KEYS)
async def test_a_cursor_is_refused_under_other_scopes(house: Estate, path: str) -> None:
    """What a list of rooms or projects shows depends on reading, of any other on administering."""
    everywhere = Holding("wide", ("administer", "read", "start_task"), (FORGE, LIBRARY, SHARED))
    secret = await house.admit(everywhere)
    async with house.client() as operator, house.client(secret) as client:
        for number in range(10, 14):
            await done(operator, path, more(path, number))
        await done(client, "/v1/vocabulary", {"kind": "phase", "values": ["a", "b"]})
    cursor = await cursor_of(house, path, secret)
    assert await code_of(house, path, cursor, secret) == 200
    read = path in {"/v1/rooms", "/v1/projects"}
    await house.revoke("grant-wide-read" if read else "grant-wide-administer")
    assert await code_of(house, path, cursor, secret) == "stale_cursor"


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


GARBAGE = {
    "nothing that is": "x",
    "an empty one": "",
    "NUL": "\0",
    "beyond ASCII": "\u00e9",
    "no base 64": "%%%",
    "no JSON": base64.urlsafe_b64encode(b"{").decode(),
    "no text": base64.urlsafe_b64encode(b"\xff").decode(),
    "a number": encoded(7),
    "a text": encoded("text"),
    "an empty list": encoded([]),
    "an object": encoded({"a": 1}),
    "nesting without end": base64.urlsafe_b64encode(b"[" * 30_000).decode(),
    "a number without end": base64.urlsafe_b64encode(b"[" + b"9" * 9_000 + b"]").decode(),
    "a huge one": "A" * 40_000,
}
TAMPERED: dict[str, object] = {
    "NUL": "a\0b",
    "half a character": "\ud800",
    "a number": 7,
    "nothing": None,
    "a list": ["a"],
    "a truth value": True,
}


@pytest.mark.parametrize("name", GARBAGE)
async def test_a_cursor_that_is_none_is_refused(full: Estate, name: str) -> None:
    for path in KEYS:
        assert await code_of(full, path, GARBAGE[name]) == "stale_cursor", path


@pytest.mark.parametrize("name", TAMPERED)
async def test_a_cursor_whose_key_was_changed_is_refused(full: Estate, name: str) -> None:
    for path in KEYS:
        bound, *key = json.loads(base64.urlsafe_b64decode(await cursor_of(full, path)))
        for place in range(len(key)):
            changed = [*key[:place], TAMPERED[name], *key[place + 1 :]]
            assert await code_of(full, path, encoded([bound, *changed])) == "stale_cursor", path
        assert await code_of(full, path, encoded([bound, *key, "more"])) == "stale_cursor", path
        assert await code_of(full, path, encoded([bound])) == "stale_cursor", path


async def test_a_key_of_another_shape_is_refused_or_leads_nowhere(full: Estate) -> None:
    for path in KEYS:
        bound, *key = json.loads(base64.urlsafe_b64decode(await cursor_of(full, path)))
        found = await code_of(full, path, encoded([bound, *("\U0010ffff" * 999 for _ in key)]))
        assert found == ("stale_cursor" if path == "/v1/tokens" else 200)


@pytest.mark.parametrize("limit", ["0", "201", "-1", "x", "", "1.5", "9" * 30])
async def test_a_page_has_1_to_200_items(full: Estate, limit: str) -> None:
    async with full.client() as operator:
        for path in KEYS:
            answer = await operator.get(path, params={"limit": limit})
            assert (answer.status_code, answer.json()["location"]) == (400, "limit"), path


async def test_a_token_without_any_right_sees_of_lists_nothing_but_its_own(full: Estate) -> None:
    secret = await full.admit(Holding("bare", operations=(), token_operations=("read",)))
    async with full.client(secret) as client:
        found = {path: await everything(client, path) for path in KEYS}
    assert [row["principal"] for row in found.pop("/v1/principals")] == ["bare"]
    assert [row["principal"] for row in found.pop("/v1/tokens")] == ["bare"]
    assert set(map(str, found.values())) == {"[]"}
