"""A change that is sent again: under its key the same bytes and nothing new, whoever races."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import pytest
from changes import ADAPTER, CHANGES, SECOND, done, prepared, sent
from houses import START, Estate, Json

pytestmark = pytest.mark.anyio
OTHER = f"ath_secret-of-{SECOND}"
CLOCKS: dict[str, Callable[[], datetime] | None] = {"running": None, "stopped": lambda: START}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_appends_its_record_and_its_act(house: Estate, name: str) -> None:
    change = CHANGES[name]
    await prepared(house)
    before = house.dump()
    async with house.client() as client:
        answer = await done(client, change.path, change.body)
    after = house.dump()
    assert change.answer.items() <= answer.items()
    assert answer["unchanged"] is False
    assert len(after[change.table]) > len(before[change.table])
    assert len(after["acts"]) == len(before["acts"]) + change.scopes
    assert all(set(before[table]) <= set(after[table]) for table in before if "epoch" not in table)


@pytest.mark.parametrize("name", CHANGES)
async def test_the_same_key_and_body_give_the_same_bytes_and_nothing_new(
    house: Estate, name: str
) -> None:
    change = CHANGES[name]
    await prepared(house)
    async with house.client() as client:
        first = await sent(client, change.path, change.body, "key-1")
        before = house.dump()
        again = await sent(client, change.path, change.body, "key-1")
        reused = await sent(client, change.path, change.other, "key-1")
        assert (first.status_code, again.status_code) == (200, 200)
        assert again.content == first.content
        assert (reused.status_code, reused.json()["code"]) == (409, "key_reused")
        assert house.dump() == before


@pytest.mark.parametrize("name", CHANGES)
async def test_without_a_key_a_repeated_change_says_that_it_changed_nothing(
    house: Estate, name: str
) -> None:
    change = CHANGES[name]
    await prepared(house)
    async with house.client() as client:
        first = await done(client, change.path, change.body)
        before = house.dump()
        again = await done(client, change.path, change.body)
    assert again["unchanged"] is True
    counts = {"added": 0, "grants": [], "unchanged": True}
    assert again == first | {k: v for k, v in counts.items() if k in first}
    assert house.dump() == before


async def test_a_key_of_one_principal_is_nothing_to_another(house: Estate) -> None:
    await prepared(house)
    async with house.client() as one, house.client(OTHER) as other:
        await done(one, "/v1/rooms", {"room": "attic"}, "key-1")
        answer = await done(other, "/v1/rooms", {"room": "cellar"}, "key-1")
    assert (answer["room"], answer["unchanged"]) == ("cellar", False)


async def test_a_key_says_nothing_to_who_lost_the_right(house: Estate) -> None:
    await prepared(house)
    body = {"principal": "eve", "kind": "ci"}
    async with house.client(OTHER) as client:
        await done(client, "/v1/principals", body, "key-1")
        await house.revoke(f"grant-{SECOND}-administer")
        answer = await sent(client, "/v1/principals", body, "key-1")
    assert (answer.status_code, answer.json()["code"]) == (403, "denied")


async def test_a_refused_change_keeps_no_key(house: Estate) -> None:
    await prepared(house)
    body = {"principal": "nobody", "operation": "read", "scopes": ["shared"]}
    async with house.client() as client:
        assert (await sent(client, "/v1/grants", body, "key-1")).status_code == 400
        await done(client, "/v1/principals", {"principal": "nobody", "kind": "ci"})
        await done(client, "/v1/grants", body, "key-1")


@pytest.mark.parametrize("name", CHANGES)
async def test_at_once_under_one_key_a_change_is_made_once(house: Estate, name: str) -> None:
    change = CHANGES[name]
    await prepared(house)
    before = house.dump()
    async with house.client() as client:
        answers = await asyncio.gather(
            *(sent(client, change.path, change.body, "key-1") for _ in range(6))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    after = house.dump()
    assert len(after["acts"]) == len(before["acts"]) + change.scopes
    assert len(after["idempotency"]) == len(before["idempotency"]) + 1


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("name", CHANGES)
async def test_at_once_without_a_key_one_makes_the_change_and_the_others_find_it(
    house: Estate, name: str, clock: str
) -> None:
    change = CHANGES[name]
    await prepared(house)
    before = house.dump()
    async with house.client(clock=CLOCKS[clock]) as client:
        answers = await asyncio.gather(*(sent(client, change.path, change.body) for _ in range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(answer.json()["unchanged"] for answer in answers) == [False] + [True] * 5
    assert len(house.dump()["acts"]) == len(before["acts"]) + change.scopes


RIVALS: dict[str, tuple[str, Json, Json, set[tuple[int, str | None]]]] = {
    "rooms": ("/v1/rooms", {"room": "attic"}, {"room": "attic"}, {(200, None)}),
    "principals": (
        "/v1/principals",
        {"principal": "eve", "kind": "ci"},
        {"principal": "eve", "kind": "spirit"},
        {(200, None), (409, "principal_exists")},
    ),
    "appointments": (
        "/v1/rooms/forge/governor",
        {"principal": "ada"},
        {"principal": "bea"},
        {(200, None), (409, "stale_appointment")},
    ),
    "tokens": (
        "/v1/tokens",
        {"principal": ADAPTER, "operations": ["read"], "scopes": ["shared"], "sha256": "0" * 64},
        {"principal": SECOND, "operations": ["read"], "scopes": ["shared"], "sha256": "0" * 64},
        {(200, None), (409, "token_exists")},
    ),
    "operators": (
        "/v1/principals/{0}/revoke",
        {"reason": "operator"},
        {"reason": SECOND},
        {(200, None), (409, "last_operator")},
    ),
}


@pytest.mark.parametrize("name", RIVALS)
async def test_of_two_who_differ_one_wins_and_the_other_is_told(house: Estate, name: str) -> None:
    path, one, other, outcomes = RIVALS[name]
    await prepared(house)
    async with house.client() as operator, house.client(OTHER) as second:
        await done(operator, "/v1/principals", {"principal": "bea", "kind": "spirit"})
        calls = [
            sent(client, path.format(body.get("reason")), body)
            for client, body in ((second, one), (operator, other))
        ]
        answers = await asyncio.gather(*calls)
    found = {(answer.status_code, answer.json().get("code")) for answer in answers}
    if name == "operators":  # each revokes the other: who comes second may be out already
        assert {(200, None)} < found <= outcomes | {(401, "unauthenticated")}
    else:
        assert found == outcomes
