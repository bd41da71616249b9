"""Tokens: made by the hash of a secret that stays outside, and closed from one call to the next."""

import json
from datetime import timedelta

import pytest
from changes import ADAPTER, TOKEN, done, everything, prepared, refused, sha256
from houses import FORGE, LIBRARY, SHARED, START, Estate, Holding, Json, start

pytestmark = pytest.mark.anyio
SECRET = f"ath_secret-of-{ADAPTER}"
WARDEN = Holding("warden", operations=("read", "administer"), scopes=(FORGE,))


def token(secret: str | None = None, **changes: object) -> Json:
    """The body of a token of the adapter, for the secret `ath_new` or another one."""
    body: Json = {
        "principal": ADAPTER,
        "operations": ["read", "start_task"],
        "scopes": [FORGE, SHARED],
        "sha256": sha256(secret or "ath_new"),
    }
    return body | changes


async def may(house: Estate, secret: str) -> int:
    """The status of a task start with a token."""
    async with house.client(secret) as client:
        return (await client.post("/v1/tasks/start", json=start())).status_code


async def test_a_token_opens_what_it_carries_until_it_is_revoked(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        assert await may(house, "ath_new") == 401
        made = await done(operator, "/v1/tokens", token())
        assert await may(house, "ath_new") == 200
        assert await may(house, SECRET) == 200
        await done(operator, f"/v1/tokens/{made['token_id']}/revoke", {})
        assert await may(house, "ath_new") == 401
        assert await may(house, SECRET) == 200


async def test_a_token_expires_between_two_calls_that_are_the_same(house: Estate) -> None:
    await prepared(house)
    end = START + timedelta(minutes=10)
    async with house.client() as operator:
        await done(operator, "/v1/tokens", token(expires_at=end.isoformat()))
    house.clock.at = end - timedelta(seconds=1)
    assert await may(house, "ath_new") == 200
    house.clock.at = end
    assert await may(house, "ath_new") == 401


async def test_neither_the_secret_nor_its_hash_is_shown_or_kept_outside_its_ledger(
    house: Estate,
) -> None:
    await prepared(house)
    async with house.client() as operator:
        made = await done(operator, "/v1/tokens", token(), "key-1")
        listed = await operator.get("/v1/tokens")
    (shown,) = [t for t in listed.json()["items"] if t["token_id"] == made["token_id"]]
    assert shown == {
        "token_id": made["token_id"],
        "principal": ADAPTER,
        "operations": ["read", "start_task"],
        "scopes": [FORGE, SHARED],
        "expires_at": None,
        "revoked": False,
    }
    named = sha256("ath_new")
    assert named not in listed.text
    holding = {table for table, rows in house.dump().items() if named in json.dumps(rows)}
    assert holding == {"tokens"}


async def test_a_secret_belongs_to_one_token_of_all_houses(house: Estate) -> None:
    await prepared(house)
    exists = (409, "token_exists", "sha256")
    async with house.client() as operator:
        made = await done(operator, "/v1/tokens", token())
        for change in (
            {"principal": "operator"},
            {"operations": ["read"]},
            {"scopes": [FORGE]},
            {"expires_at": (START + timedelta(days=1)).isoformat()},
        ):
            assert await refused(operator, "/v1/tokens", token(**change)) == exists
        assert await refused(operator, "/v1/tokens", token("ath_secret-of-the-operator")) == exists
        await done(operator, f"/v1/tokens/{made['token_id']}/revoke", {})
        assert await refused(operator, "/v1/tokens", token()) == exists


WRONG: dict[str, tuple[Json, str]] = {
    "no operation": ({"operations": []}, "operations"),
    "an unknown operation": ({"operations": ["own"]}, "operations.0"),
    "no scope": ({"scopes": []}, "scopes"),
    "a short hash": ({"sha256": "ab"}, "sha256"),
    "a hash in capitals": ({"sha256": "A" * 64}, "sha256"),
    "the secret itself": ({"sha256": None, "secret": "ath_new"}, "sha256"),
    "a time without an offset": ({"expires_at": "2032-01-01T00:00:00"}, "expires_at"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_token_is_refused_with_the_field_named(lanternquay: Estate, name: str) -> None:
    change, field = WRONG[name]
    async with lanternquay.client() as operator:
        assert await refused(operator, "/v1/tokens", token(**change)) == (400, "invalid", field)


async def test_a_token_that_opens_nothing_is_not_made(house: Estate) -> None:
    await prepared(house)
    past = START.isoformat()
    async with house.client() as operator:
        await done(operator, "/v1/principals/ada/revoke", {})
        before = house.dump()
        for key in ("nobody", "ada"):
            assert await refused(operator, "/v1/tokens", token(principal=key)) == (
                400,
                "unknown_principal",
                "principal",
            )
        assert await refused(operator, "/v1/tokens", token(expires_at=past)) == (
            400,
            "invalid_period",
            "expires_at",
        )
    assert house.dump() == before


async def test_who_administers_its_scopes_makes_a_token_for_itself_alone(house: Estate) -> None:
    """A token for somebody else lets one act under another name: that takes all of the House."""
    await prepared(house)
    denied = (403, "denied", None)
    async with house.client(await house.admit(WARDEN)) as warden:
        for scopes in ([LIBRARY], [FORGE, LIBRARY], ["room:cellar"], [SHARED]):
            body = token(principal="warden", scopes=scopes)
            assert await refused(warden, "/v1/tokens", body) == denied
        for principal in (ADAPTER, "operator", "nobody"):
            body = token(principal=principal, scopes=[FORGE])
            assert await refused(warden, "/v1/tokens", body) == denied
        await done(warden, "/v1/tokens", token(principal="warden", scopes=[FORGE]))
    async with house.client(SECRET) as adapter:
        assert await refused(adapter, "/v1/tokens", token("ath_more")) == denied


async def test_a_token_cannot_be_widened_by_itself(house: Estate) -> None:
    """A principal's narrow token makes no token for what only its wide one carries."""
    await prepared(house)
    async with house.client() as operator:
        narrow = token(principal="operator", operations=["administer", "read"], scopes=[FORGE])
        await done(operator, "/v1/tokens", narrow)
    async with house.client("ath_new") as client:
        wide = token("ath_wide", principal="operator", scopes=[FORGE, LIBRARY])
        assert await refused(client, "/v1/tokens", wide) == (403, "denied", None)


async def test_a_list_shows_what_the_caller_administers_and_its_own(house: Estate) -> None:
    await prepared(house)
    async with house.client(SECRET) as adapter:
        assert [t["principal"] for t in await everything(adapter, "/v1/tokens")] == [ADAPTER]
    async with house.client(await house.admit(WARDEN)) as warden:
        shown = await everything(warden, "/v1/tokens")
        assert [t["principal"] for t in shown] == ["warden"]
    async with house.client() as operator:
        shown = await everything(operator, "/v1/tokens")
        assert {t["principal"] for t in shown} == {"operator", "second", ADAPTER, "warden"}


async def test_a_token_that_is_hidden_is_as_one_that_is_not_there(house: Estate) -> None:
    await prepared(house)
    told = set()
    async with house.client(await house.admit(WARDEN)) as warden:
        for token_id in (TOKEN, "0" * 32, "a%00b", "%ff", "urn:" * 500, "-" * 3000):
            answer = await warden.post(f"/v1/tokens/{token_id}/revoke", json={})
            assert answer.status_code == 404
            told.add(tuple((answer.json() | {"detail": ""}).items()))
    assert len(told) == 1
    async with house.client(SECRET) as adapter:
        assert await refused(adapter, f"/v1/tokens/{TOKEN}/revoke", {}) == (403, "denied", None)


async def test_a_token_may_close_itself(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        body = token(principal="operator", operations=["administer"], scopes=[FORGE])
        made = await done(operator, "/v1/tokens", body)
    async with house.client("ath_new") as client:
        path = f"/v1/tokens/{made['token_id']}/revoke"
        assert (await done(client, path, {}))["revoked"]
        assert (await client.post(path, json={})).status_code == 401
