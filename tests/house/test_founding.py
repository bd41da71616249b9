"""Founding a House: what it starts with, and that its secrets are kept nowhere."""

import json

import pytest
from houses import FORGE, HOUSE_ID, LIBRARY, OTHER_HOUSE_ID, SECRET, SHARED, START, Estate

from house import Founding, UnauthenticatedError, authenticate, found_house, renew_operator_token
from house.authorization import authorize
from store import RacedError

pytestmark = pytest.mark.anyio
OPERATIONS = ("administer", "import", "promote", "read", "start_task")


async def permissions(house: Estate, secret: str) -> set[tuple[object, ...]]:
    token = await authenticate(house.runtime, secret, START)
    async with house.inside() as connection:
        return set((await authorize(house.runtime, connection, token, START)).model.of("permitted"))


async def test_the_operator_may_do_everything_in_every_room_and_in_what_is_shared(
    house: Estate,
) -> None:
    expected = {(o, scope) for o in OPERATIONS for scope in (FORGE, LIBRARY, SHARED)}
    assert await permissions(house, SECRET) == expected


async def test_the_secret_of_a_token_is_kept_nowhere(house: Estate) -> None:
    assert SECRET not in str(house.dump())


async def test_everything_that_a_house_starts_with_rests_on_an_act(house: Estate) -> None:
    dumped = {table: [json.loads(row) for row in rows] for table, rows in house.dump().items()}
    (act,) = dumped["acts"]
    assert (act["principal_id"], act["operation"], act["permission"]) == ("operator", "found", None)
    assert (act["basis"], act["reason"]) == ("custody of the database", "the House is founded")
    for table in ("rooms", "projects", "grants", "tokens"):
        assert {row["act_id"] for row in dumped[table]} == {act["act_id"]}
    assert {row["room"] for row in dumped["rooms"]} == {"forge", "library"}


async def test_a_further_token_opens_the_same_and_the_first_one_still_does(house: Estate) -> None:
    await renew_operator_token(house.database, HOUSE_ID, "ath_further", START)
    assert await permissions(house, "ath_further") == await permissions(house, SECRET)
    with pytest.raises(UnauthenticatedError):
        await authenticate(house.runtime, "ath_other", START)


async def test_a_house_cannot_be_founded_twice(house: Estate) -> None:
    before = house.dump()
    again = Founding(HOUSE_ID, "Another name", ["attic"], [], "ath_second")
    with pytest.raises(RacedError):
        await found_house(house.database, again, START)
    assert house.dump() == before


async def test_a_secret_opens_one_house_alone(house: Estate) -> None:
    twin = Founding(OTHER_HOUSE_ID, "Another House", ["attic"], [], SECRET)
    before = house.dump()
    with pytest.raises(RacedError):
        await found_house(house.database, twin, START)
    assert house.dump() == before
