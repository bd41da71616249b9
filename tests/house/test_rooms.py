"""Rooms and who governs them: made with the rights of their maker, governed by one spirit."""

import json

import pytest
from changes import done, everything, prepared, refused
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start

pytestmark = pytest.mark.anyio
EVERYTHING = ("administer", "import", "promote", "read", "start_task")
WARDEN = Holding("warden", operations=("read", "administer"))


@pytest.fixture
async def governed(house: Estate) -> Estate:
    """The House with the spirits ada and bea, and an adapter; ada governs the forge."""
    await prepared(house)
    async with house.client() as operator:
        await done(operator, "/v1/principals", {"principal": "bea", "kind": "spirit"})
        await done(operator, "/v1/rooms/forge/governor", {"principal": "ada"})
    return house


async def governor(house: Estate, room: str) -> tuple[str | None, str | None]:
    async with house.client() as operator:
        (found,) = [r for r in await everything(operator, "/v1/rooms") if r["room"] == room]
    return found["governor"], found["appointment"]


async def test_the_maker_of_a_room_may_do_everything_in_it_with_the_same_token(
    house: Estate,
) -> None:
    async with house.client() as operator:
        made = await done(operator, "/v1/rooms", {"room": "attic", "reason": "more space"})
        assert [r["room"] for r in await everything(operator, "/v1/rooms")] == [
            "attic",
            "forge",
            "library",
        ]
        shown = await everything(operator, "/v1/grants")
        mine = [grant for grant in shown if grant["scopes"] == ["room:attic"]]
        assert [grant["grant_id"] for grant in mine] == sorted(made["grants"])
        assert sorted(grant["operation"] for grant in mine) == list(EVERYTHING)
        packet = await operator.post("/v1/tasks/start", json=start(room="attic"))
        assert packet.status_code == 200
    acts = [json.loads(row) for row in house.dump()["acts"]]
    assert [a["scope"] for a in acts if a["reason"] == "more space"] == [SHARED]


async def test_no_other_token_carries_a_new_room(house: Estate) -> None:
    wide = Holding("wide", kind="operator", operations=EVERYTHING, scopes=(FORGE, LIBRARY, SHARED))
    async with house.client(await house.admit(wide)) as other, house.client() as operator:
        async with house.inside() as connection:
            act = await house.act(connection)
            await house.give_token(connection, wide, "ath_second-of-wide", act)
        await done(other, "/v1/rooms", {"room": "attic"})
        async with house.client("ath_second-of-wide") as second:
            assert "attic" not in [r["room"] for r in await everything(second, "/v1/rooms")]
        assert "attic" not in [r["room"] for r in await everything(operator, "/v1/rooms")]
        await done(
            other,
            "/v1/grants",
            {"principal": "operator", "operation": "read", "scopes": ["room:attic"]},
        )
        assert "attic" not in [r["room"] for r in await everything(operator, "/v1/rooms")]


@pytest.mark.parametrize("holding", [WARDEN, Holding("worker")])
async def test_only_who_administers_what_is_shared_makes_rooms(
    house: Estate, holding: Holding
) -> None:
    narrow = Holding(holding.principal, holding.operations, (FORGE,))
    async with house.client(await house.admit(narrow)) as client:
        before = house.dump()
        for room in ("forge", "attic"):
            assert await refused(client, "/v1/rooms", {"room": room}) == (403, "denied", None)
    assert house.dump() == before


@pytest.mark.parametrize("body", [{}, {"room": "Attic"}, {"room": "shared"}, {"room": "a" * 65}])
async def test_a_room_needs_a_key_that_can_be_a_scope(house: Estate, body: Json) -> None:
    async with house.client() as operator:
        assert await refused(operator, "/v1/rooms", body) == (400, "invalid", "room")


async def test_a_list_shows_the_rooms_that_the_caller_may_read(governed: Estate) -> None:
    async with governed.client(await governed.admit(WARDEN)) as client:
        (room,) = await everything(client, "/v1/rooms")
    assert (room["room"], room["governor"]) == ("forge", "ada")


async def test_an_appointment_follows_the_last_one_and_no_other(governed: Estate) -> None:
    path = "/v1/rooms/forge/governor"
    _, first = await governor(governed, "forge")
    async with governed.client() as operator:
        stale = await operator.post(path, json={"principal": "bea"})
        assert (stale.status_code, stale.json()["code"]) == (409, "stale_appointment")
        assert f"the present one is `{first}`" in stale.json()["detail"]
        assert stale.json()["location"] == "previous"
        second = await done(operator, path, {"principal": "bea", "previous": first})
        assert (second["governor"], second["unchanged"]) == ("bea", False)
        assert await refused(operator, path, {"principal": "ada", "previous": first}) == (
            409,
            "stale_appointment",
            "previous",
        )
        nobody = await done(operator, path, {"principal": None, "previous": second["appointment"]})
        assert await governor(governed, "forge") == (None, nobody["appointment"])
        again = await done(operator, path, {"principal": "ada", "previous": nobody["appointment"]})
        assert again["appointment"] not in {first, second["appointment"], nobody["appointment"]}


async def test_the_first_appointment_follows_nothing(governed: Estate) -> None:
    async with governed.client() as operator:
        answer = await operator.post(
            "/v1/rooms/library/governor", json={"principal": "ada", "previous": "appointment-0"}
        )
        assert answer.json()["code"] == "stale_appointment"
        assert "there is none yet" in answer.json()["detail"]
        await done(operator, "/v1/rooms/library/governor", {"principal": "ada"})


NOT_FIT = {
    "nobody": ("nobody", 400, "unknown_principal"),
    "an adapter": ("builder", 400, "not_a_spirit"),
    "an operator": ("operator", 400, "not_a_spirit"),
    "a spirit that was revoked": ("bea", 400, "unknown_principal"),
}


@pytest.mark.parametrize("name", NOT_FIT)
async def test_who_cannot_govern_is_not_appointed(governed: Estate, name: str) -> None:
    key, status, code = NOT_FIT[name]
    async with governed.client() as operator:
        await done(operator, "/v1/principals/bea/revoke", {})
        before = governed.dump()
        _, last = await governor(governed, "forge")
        body = {"principal": key, "previous": last}
        assert await refused(operator, "/v1/rooms/forge/governor", body) == (
            status,
            code,
            "principal",
        )
    assert governed.dump() == before


async def test_who_administers_the_room_appoints_and_nobody_else(governed: Estate) -> None:
    _, last = await governor(governed, "forge")
    body = {"principal": "bea", "previous": last}
    async with governed.client(await governed.admit(Holding("worker"))) as client:
        assert await refused(client, "/v1/rooms/forge/governor", body) == (403, "denied", None)
    async with governed.client(await governed.admit(WARDEN)) as client:
        assert await refused(client, "/v1/rooms/library/governor", body) == (403, "denied", None)
        assert (await done(client, "/v1/rooms/forge/governor", body))["governor"] == "bea"


@pytest.mark.parametrize("path", ["forge%00", "%ff", "shared", "cellar", "a" * 5000, "FORGE"])
async def test_a_room_that_cannot_be_is_denied_as_a_hidden_one_is(
    governed: Estate, path: str
) -> None:
    async with governed.client(await governed.admit(Holding("worker", ("administer",)))) as client:
        answers = [
            await client.post(f"/v1/rooms/{key}/governor", json={"principal": "ada"})
            for key in ("library", path)
        ]
    if path == "shared":  # which the caller administers, and which is no room
        assert [answer.status_code for answer in answers] == [403, 404]
    else:
        assert answers[0].content == answers[1].content
        assert {answer.status_code for answer in answers} == {403}
