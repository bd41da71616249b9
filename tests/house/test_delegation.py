"""Delegates: who acts for a governing spirit does so while that spirit governs, and no longer."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import httpx
import pytest
from changes import done, everything, prepared, refused
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start

pytestmark = pytest.mark.anyio
ADA = Holding("ada", ("read", "administer"), (FORGE, SHARED), kind="spirit")
DELEGATE = Holding("delegate", (), (FORGE, SHARED), token_operations=("read", "start_task"))


@dataclass(frozen=True, slots=True)
class Court:
    """A House in which ada governs the forge, with a client of ada's and of its delegate's."""

    house: Estate
    ada: httpx.AsyncClient
    delegate: httpx.AsyncClient
    operator: httpx.AsyncClient

    async def delegated(self) -> list[Json]:
        """The delegate's grants, as ada gives them."""
        return [await done(self.ada, "/v1/grants", delegated(o)) for o in ("read", "start_task")]

    async def may(self) -> int:
        """The status of a task start of the delegate."""
        return (await self.delegate.post("/v1/tasks/start", json=start())).status_code

    async def appointment(self, room: str = "forge") -> str | None:
        rooms = await everything(self.operator, "/v1/rooms")
        found: str | None = next(r["appointment"] for r in rooms if r["room"] == room)
        return found


@pytest.fixture
async def court(house: Estate) -> AsyncGenerator[Court]:
    secrets = [await house.admit(holding) for holding in (ADA, DELEGATE)]
    async with (
        house.client(secrets[0]) as ada,
        house.client(secrets[1]) as delegate,
        house.client() as operator,
    ):
        await done(operator, "/v1/rooms/forge/governor", {"principal": "ada"})
        yield Court(house, ada, delegate, operator)


def delegated(operation: str, *scopes: str) -> Json:
    return {
        "principal": "delegate",
        "operation": operation,
        "scopes": list(scopes or (FORGE,)),
        "delegated": True,
    }


async def test_a_delegate_acts_for_the_spirit_that_governs(court: Court) -> None:
    assert await court.may() == 403
    given = await court.delegated()
    assert await court.may() == 200
    shown = {g["grant_id"]: g for g in await everything(court.operator, "/v1/grants")}
    assert [shown[g["grant_id"]]["delegator"] for g in given] == ["ada", "ada"]


async def test_a_delegate_loses_its_power_when_another_spirit_governs(court: Court) -> None:
    await court.delegated()
    await done(court.operator, "/v1/principals", {"principal": "bea", "kind": "spirit"})
    body = {"principal": "bea", "previous": await court.appointment()}
    await done(court.operator, "/v1/rooms/forge/governor", body)
    assert await court.may() == 403


async def test_a_delegate_loses_its_power_when_nobody_governs_and_gets_it_again(
    court: Court,
) -> None:
    await court.delegated()
    body = {"principal": None, "previous": await court.appointment()}
    await done(court.operator, "/v1/rooms/forge/governor", body)
    assert await court.may() == 403
    again = {"principal": "ada", "previous": await court.appointment()}
    await done(court.operator, "/v1/rooms/forge/governor", again)
    assert await court.may() == 200


async def test_a_delegate_loses_its_power_with_the_spirit_that_is_revoked(court: Court) -> None:
    await court.delegated()
    await done(court.operator, "/v1/principals/ada/revoke", {})
    assert await court.may() == 403


async def test_only_who_governs_every_room_has_delegates_there(court: Court) -> None:
    not_governing = (403, "not_governing", "scopes")
    before = court.house.dump()
    for client, scopes in (
        (court.operator, (FORGE,)),  # administers, and governs nothing
        (court.operator, (LIBRARY,)),  # nobody governs it
        (court.ada, (SHARED,)),  # is no room
        (court.ada, (FORGE, SHARED)),
    ):
        body = delegated("read", *scopes)
        assert await refused(client, "/v1/grants", body) == not_governing
    denied = (403, "denied", None)
    assert await refused(court.ada, "/v1/grants", delegated("read", FORGE, LIBRARY)) == denied
    assert await refused(court.delegate, "/v1/grants", delegated("read")) == denied
    assert court.house.dump() == before


async def test_a_delegated_grant_is_another_than_one_in_ones_own_right(house: Estate) -> None:
    await prepared(house)
    async with house.client() as operator:
        assert (await done(operator, "/v1/principals", {"principal": "ada", "kind": "spirit"}))[
            "unchanged"
        ]
        given = {"principal": "ada", "operation": "read", "scopes": [FORGE]}
        plain = await done(operator, "/v1/grants", given)
        for operation in ("read", "administer"):
            await done(operator, "/v1/grants", given | {"operation": operation})
        await done(operator, "/v1/rooms/forge/governor", {"principal": "ada"})
        async with house.inside() as connection:
            holding = Holding("ada", ("read", "administer"), (FORGE,))
            await house.give_token(connection, holding, "ath_ada", await house.act(connection))
        async with house.client("ath_ada") as ada:
            own = await done(ada, "/v1/grants", given | {"delegated": True})
    assert own["grant_id"] != plain["grant_id"]
