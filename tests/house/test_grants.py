"""Grants over time: given by who administers, in force in their period, revoked at once."""

from datetime import datetime, timedelta

import pytest
from changes import ADAPTER, GRANT, done, everything, prepared, refused
from houses import FORGE, LIBRARY, SHARED, START, Estate, Holding, Json, start

pytestmark = pytest.mark.anyio
SECRET = f"ath_secret-of-{ADAPTER}"
WARDEN = Holding("warden", operations=("read", "administer"), scopes=(FORGE,))
READING: Json = {"principal": ADAPTER, "operation": "read", "scopes": [FORGE]}


def at(**after: float) -> str:
    return (START + timedelta(**after)).isoformat()


async def may(house: Estate, body: Json, secret: str = SECRET) -> int:
    """The status of a task start."""
    async with house.client(secret) as client:
        return (await client.post("/v1/tasks/start", json=body)).status_code


async def wide_adapter(house: Estate) -> str:
    """The secret of an adapter whose token carries the library, where it has no grant."""
    await prepared(house)
    async with house.inside() as connection:
        holding = Holding(ADAPTER, scopes=(FORGE, LIBRARY, SHARED))
        await house.give_token(connection, holding, "ath_wide", await house.act(connection))
    return "ath_wide"


async def test_a_grant_opens_from_the_next_call_on_and_its_revocation_closes(
    house: Estate,
) -> None:
    secret, task = await wide_adapter(house), start(room="library")
    async with house.client() as operator:
        assert await may(house, task, secret) == 403
        given = [
            await done(
                operator,
                "/v1/grants",
                {"principal": ADAPTER, "operation": operation, "scopes": [LIBRARY]},
            )
            for operation in ("read", "start_task")
        ]
        assert await may(house, task, secret) == 200
        await done(operator, f"/v1/grants/{given[0]['grant_id']}/revoke", {"reason": "over"})
        assert await may(house, task, secret) == 403


async def test_a_grant_ends_between_two_calls_that_are_the_same(house: Estate) -> None:
    secret, task = await wide_adapter(house), start(room="library")
    grant = {"principal": ADAPTER, "scopes": [LIBRARY], "valid_until": at(minutes=10)}
    async with house.client() as operator, house.client(secret) as client:
        for operation in ("read", "start_task"):
            await done(operator, "/v1/grants", grant | {"operation": operation})
        keyed = {"Idempotency-Key": "key-1"}
        answers = []
        for moment in (timedelta(), timedelta(minutes=9, seconds=59), timedelta(minutes=10)):
            house.clock.at = START + moment
            answers.append(await client.post("/v1/tasks/start", json=task, headers=keyed))
    assert [answer.status_code for answer in answers] == [200, 200, 403]
    assert answers[0].content == answers[1].content


async def test_a_grant_begins_when_it_says(house: Estate) -> None:
    secret, task = await wide_adapter(house), start(room="library")
    grant = {"principal": ADAPTER, "scopes": [LIBRARY], "valid_from": at(days=1)}
    async with house.client() as operator:
        for operation in ("read", "start_task"):
            await done(operator, "/v1/grants", grant | {"operation": operation})
    assert await may(house, task, secret) == 403
    house.clock.at = START + timedelta(days=1)
    assert await may(house, task, secret) == 200


PERIODS = {
    "until yesterday": {"valid_until": at(days=-1)},
    "until now": {"valid_until": at()},
    "over before today": {"valid_from": at(days=-2), "valid_until": at(days=-1)},
    "until before it begins": {"valid_from": at(days=2), "valid_until": at(days=1)},
    "until it begins": {"valid_from": at(days=2), "valid_until": at(days=2)},
}


@pytest.mark.parametrize("name", PERIODS)
async def test_a_period_that_never_holds_is_refused(house: Estate, name: str) -> None:
    await prepared(house)
    async with house.client() as operator:
        before = house.dump()
        assert await refused(operator, "/v1/grants", READING | PERIODS[name]) == (
            400,
            "invalid_period",
            "valid_until",
        )
    assert house.dump() == before


WRONG: dict[str, tuple[Json, str]] = {
    "no scope": ({"scopes": []}, "scopes"),
    "a room's key for a scope": ({"scopes": ["forge"]}, "scopes.0"),
    "too many scopes": ({"scopes": [f"room:r{n}" for n in range(101)]}, "scopes"),
    "an unknown operation": ({"operation": "own"}, "operation"),
    "a time without an offset": ({"valid_until": "2032-01-01T00:00:00"}, "valid_until"),
    "a day for a time": ({"valid_until": "2032-01-01"}, "valid_until"),
    "a number for a time": ({"valid_until": 1_900_000_000}, "valid_until"),
    "a number in a text for a time": ({"valid_until": "1900000000"}, "valid_until"),
    "a time of no calendar": ({"valid_until": "2032-02-30T00:00:00Z"}, "valid_until"),
    "a year out of reach": ({"valid_from": "0001-01-01T00:00:00+14:00"}, "valid_from"),
    "the last year": ({"valid_until": "9999-12-31T23:59:59-14:00"}, "valid_until"),
    "a text for a truth value": ({"delegated": "true"}, "delegated"),
    "a principal in capitals": ({"principal": "Ada"}, "principal"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_grant_is_refused_with_the_field_named(lanternquay: Estate, name: str) -> None:
    change, field = WRONG[name]
    async with lanternquay.client() as operator:
        assert await refused(operator, "/v1/grants", READING | change) == (400, "invalid", field)


async def test_nobody_is_granted_what_no_one_can_use(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        await done(operator, "/v1/principals/ada/revoke", {})
        for key in ("nobody", "ada"):
            assert await refused(operator, "/v1/grants", READING | {"principal": key}) == (
                400,
                "unknown_principal",
                "principal",
            )


async def test_who_administers_every_scope_gives_and_nobody_else(house: Estate) -> None:
    await prepared(house)
    async with house.client(await house.admit(WARDEN)) as warden:
        before = house.dump()
        for scopes in ([LIBRARY], [FORGE, LIBRARY], [FORGE, SHARED], ["room:cellar"]):
            for principal in (ADAPTER, "nobody"):
                body = READING | {"scopes": scopes, "principal": principal}
                assert await refused(warden, "/v1/grants", body) == (403, "denied", None)
        assert house.dump() == before
        assert not (await done(warden, "/v1/grants", READING))["unchanged"]
    async with house.client(SECRET) as adapter:
        assert await refused(adapter, "/v1/grants", READING) == (403, "denied", None)


async def test_an_equal_grant_stands_only_while_it_does_the_same(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        first = await done(operator, "/v1/grants", READING | {"scopes": [FORGE, LIBRARY]})
        same = await done(operator, "/v1/grants", READING | {"scopes": [LIBRARY, FORGE, FORGE]})
        assert same == first | {"unchanged": True}
        others: list[Json] = [
            {"scopes": [FORGE]},
            {"operation": "import"},
            {"valid_until": at(days=9)},
            {"valid_from": at(days=1)},
            {"principal": "operator"},
        ]
        ids = {first["grant_id"]}
        for other in others:
            body = READING | {"scopes": [FORGE, LIBRARY]} | other
            ids.add((await done(operator, "/v1/grants", body))["grant_id"])
        assert len(ids) == len(others) + 1
        await done(operator, f"/v1/grants/{first['grant_id']}/revoke", {})
        anew = await done(operator, "/v1/grants", READING | {"scopes": [FORGE, LIBRARY]})
        assert anew["grant_id"] not in ids


async def test_times_are_shown_as_they_are_in_utc(house: Estate) -> None:
    await prepared(house)
    period = {"valid_from": "2031-06-01T12:00:00.5+02:00", "valid_until": "2031-07-01T00:00:00Z"}
    async with house.client() as operator:
        made = await done(operator, "/v1/grants", READING | period)
        shown = {g["grant_id"]: g for g in await everything(operator, "/v1/grants")}
    grant = shown[made["grant_id"]]
    assert (grant["valid_from"], grant["valid_until"]) == (
        "2031-06-01T10:00:00.500000Z",
        "2031-07-01T00:00:00Z",
    )
    assert datetime.fromisoformat(grant["valid_from"]).utcoffset() == timedelta()


async def test_a_list_shows_what_the_caller_administers_and_its_own(house: Estate) -> None:
    await prepared(house)
    async with house.client(SECRET) as adapter:
        own = await everything(adapter, "/v1/grants")
        assert {g["principal"] for g in own} == {ADAPTER}
        assert len(own) == 2
    async with house.client(await house.admit(WARDEN)) as warden:
        await done(warden, "/v1/grants", READING)
        shown = await everything(warden, "/v1/grants")
        assert {g["principal"] for g in shown} == {"warden", ADAPTER}
        assert all(g["scopes"] == [FORGE] for g in shown)


async def test_a_grant_that_is_hidden_is_as_one_that_is_not_there(house: Estate) -> None:
    await prepared(house)
    async with house.client(await house.admit(WARDEN)) as warden:
        told = set()
        for grant_id in (GRANT, "grant-0", "a%00b", "%ff", "a" * 3000):
            answer = await warden.post(f"/v1/grants/{grant_id}/revoke", json={})
            assert answer.status_code == 404
            told.add(tuple((answer.json() | {"detail": ""}).items()))
    assert len(told) == 1
    async with house.client(SECRET) as adapter:  # which sees its own, and administers nothing
        assert await refused(adapter, f"/v1/grants/{GRANT}/revoke", {}) == (403, "denied", None)
