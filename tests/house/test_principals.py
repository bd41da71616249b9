"""Principals: who may register and revoke them, and what a revoked one can still do: nothing."""

import asyncio

import pytest
from changes import SECOND, done, everything, prepared, refused, sent
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start

pytestmark = pytest.mark.anyio
WARDEN = Holding("warden", operations=("read", "administer"), scopes=(FORGE,))


@pytest.mark.parametrize("kind", ["operator", "spirit", "adapter", "reviewer", "ci"])
async def test_a_principal_of_each_kind_is_registered_and_listed(house: Estate, kind: str) -> None:
    body = {"principal": "eve", "kind": kind}
    async with house.client() as operator:
        made = await done(operator, "/v1/principals", body)
        assert made == body | {"revoked": False, "unchanged": False}
        assert body | {"revoked": False} in await everything(operator, "/v1/principals")


WRONG: dict[str, tuple[Json, str]] = {
    "no kind": ({"principal": "eve"}, "kind"),
    "an unknown kind": ({"principal": "eve", "kind": "ghost"}, "kind"),
    "no key": ({"kind": "ci"}, "principal"),
    "a key in capitals": ({"principal": "Eve", "kind": "ci"}, "principal"),
    "a key with NUL": ({"principal": "e\0", "kind": "ci"}, "principal"),
    "a key that is too long": ({"principal": "e" * 65, "kind": "ci"}, "principal"),
    "an unknown field": ({"principal": "eve", "kind": "ci", "colour": 1}, "colour"),
    "a reason of two lines": ({"principal": "eve", "kind": "ci", "reason": "a\nb"}, "reason"),
    "a reason that is too long": (
        {"principal": "eve", "kind": "ci", "reason": "a" * 301},
        "reason",
    ),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_principal_is_refused_with_the_field_named(lanternquay: Estate, name: str) -> None:
    body, field = WRONG[name]
    async with lanternquay.client() as operator:
        assert await refused(operator, "/v1/principals", body) == (400, "invalid", field)


async def test_a_key_stands_for_one_principal_for_ever(house: Estate) -> None:
    await prepared(house)
    again = {"principal": SECOND, "kind": "operator"}
    exists = (409, "principal_exists", "principal")
    async with house.client() as operator:
        assert (await done(operator, "/v1/principals", again))["unchanged"]
        assert await refused(operator, "/v1/principals", again | {"kind": "ci"}) == exists
        await done(operator, f"/v1/principals/{SECOND}/revoke", {})
        assert await refused(operator, "/v1/principals", again) == exists


async def test_only_who_administers_what_is_shared_registers_and_revokes(house: Estate) -> None:
    await prepared(house)
    async with house.client(await house.admit(WARDEN)) as warden:
        before = house.dump()
        for path, body in (
            ("/v1/principals", {"principal": "eve", "kind": "ci"}),
            ("/v1/principals", {"principal": SECOND, "kind": "operator"}),
            (f"/v1/principals/{SECOND}/revoke", {}),
            ("/v1/principals/nobody/revoke", {}),
            ("/v1/principals/%00/revoke", {}),
        ):
            assert await refused(warden, path, body) == (403, "denied", None)
        assert house.dump() == before
        assert await everything(warden, "/v1/principals") == [
            {"principal": "warden", "kind": "adapter", "revoked": False}
        ]


async def test_a_revoked_principal_opens_nothing_from_the_next_call_on(house: Estate) -> None:
    await prepared(house)
    worker = await house.admit(Holding("worker"))
    async with house.client() as operator, house.client(worker) as client:
        assert (await client.post("/v1/tasks/start", json=start())).status_code == 200
        await done(operator, "/v1/principals/worker/revoke", {})
        assert (await client.post("/v1/tasks/start", json=start())).status_code == 401
        revoked = [p for p in await everything(operator, "/v1/principals") if p["revoked"]]
        assert [p["principal"] for p in revoked] == ["worker"]


async def test_a_revoked_spirit_governs_nothing_even_where_the_caller_cannot_see(
    house: Estate,
) -> None:
    await prepared(house)
    steward = Holding("steward", ["administer", "read"], (SHARED,), kind="operator")
    async with house.client() as operator, house.client(await house.admit(steward)) as narrow:
        for room in ("forge", "library"):
            await done(operator, f"/v1/rooms/{room}/governor", {"principal": "ada"})
        answer = await done(narrow, "/v1/principals/ada/revoke", {})
        assert answer == {
            "principal": "ada",
            "kind": "spirit",
            "revoked": True,
            "unchanged": False,
        }
        rooms = await everything(operator, "/v1/rooms")
    assert [(room["room"], room["governor"]) for room in rooms] == [
        ("forge", None),
        ("library", None),
    ]
    assert not [row for row in house.dump()["base_facts"] if '"governs"' in row]


async def test_the_last_operator_stays(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        await done(operator, f"/v1/principals/{SECOND}/revoke", {})
        before = house.dump()
        assert await refused(operator, "/v1/principals/operator/revoke", {}) == (
            409,
            "last_operator",
            None,
        )
    assert house.dump() == before


async def test_who_is_revoked_while_being_appointed_governs_nothing(house: Estate) -> None:
    spirits = [f"spirit-{number}" for number in range(4)]
    async with house.client() as operator:
        for number, key in enumerate(spirits):
            await done(operator, "/v1/principals", {"principal": key, "kind": "spirit"})
            await done(operator, "/v1/rooms", {"room": f"room-{number}"})
        calls = [
            call
            for number, key in enumerate(spirits)
            for call in (
                sent(operator, f"/v1/rooms/room-{number}/governor", {"principal": key}),
                sent(operator, f"/v1/principals/{key}/revoke", {}),
            )
        ]
        answers = await asyncio.gather(*calls)
        rooms = await everything(operator, "/v1/rooms")
    assert {answer.status_code for answer in answers[::2]} <= {200, 400}
    assert {answer.status_code for answer in answers[1::2]} == {200}
    assert {room["governor"] for room in rooms} == {None}


async def test_of_all_operators_that_are_revoked_at_once_one_stays(house: Estate) -> None:
    steward = Holding("steward", ("administer",), (SHARED,), kind="ci")
    keys = ["operator", *(f"operator-{number}" for number in range(4))]
    async with house.client(await house.admit(steward)) as client:
        for key in keys[1:]:
            await done(client, "/v1/principals", {"principal": key, "kind": "operator"})
        answers = await asyncio.gather(
            *(sent(client, f"/v1/principals/{key}/revoke", {}) for key in keys)
        )
        shown = await everything(client, "/v1/principals")
    assert sorted(answer.status_code for answer in answers) == [200] * 4 + [409]
    assert len([p for p in shown if p["kind"] == "operator" and not p["revoked"]]) == 1


@pytest.mark.parametrize("key", ["nobody", "a%00b", "%ff", "a" * 3000])
async def test_who_is_not_there_cannot_be_revoked(lanternquay: Estate, key: str) -> None:
    async with lanternquay.client() as operator:
        assert await refused(operator, f"/v1/principals/{key}/revoke", {}) == (
            404,
            "not_found",
            None,
        )


async def test_a_revocation_needs_a_body_of_its_kind(lanternquay: Estate) -> None:
    async with lanternquay.client() as operator:
        path = "/v1/principals/nobody/revoke"
        assert await refused(operator, path, {"principal": "eve"}) == (400, "invalid", "principal")
        assert (await operator.post(path)).json()["detail"] == "body: a JSON body is needed"


async def test_two_rooms_governed_by_others_keep_their_governors(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        await done(operator, "/v1/principals", {"principal": "bea", "kind": "spirit"})
        await done(operator, "/v1/rooms/forge/governor", {"principal": "ada"})
        await done(operator, "/v1/rooms/library/governor", {"principal": "bea"})
        await done(operator, "/v1/principals/ada/revoke", {})
        rooms = {r["room"]: r["governor"] for r in await everything(operator, "/v1/rooms")}
    assert rooms == {"forge": None, "library": "bea"}
    assert len([row for row in house.dump()["governors"] if LIBRARY[5:] in row]) == 1
