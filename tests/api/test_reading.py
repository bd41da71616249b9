"""Reading answers again: one's own, or all of a scope that one administers, and nothing else."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, estate, lesson, pack, start

pytestmark = pytest.mark.anyio
OWNER = Holding("owner")
CALLERS = {
    "the owner": (OWNER, 200),
    "a colleague of the same room": (Holding("colleague"), 404),
    "a reader of the other room": (Holding("librarian", scopes=(LIBRARY, SHARED)), 404),
    "who reads everywhere": (Holding("reader", scopes=(FORGE, LIBRARY, SHARED)), 404),
    "who administers the room": (Holding("warden", operations=("read", "administer")), 200),
    "who administers the other room": (
        Holding("curator", operations=("read", "administer"), scopes=(LIBRARY, SHARED)),
        404,
    ),
    "who may start tasks and not read": (Holding("blind", operations=("start_task",)), 404),
}


@dataclass(frozen=True, slots=True)
class Answered:
    """A House, and the paths of all that a packet of the forge consists of."""

    house: Estate
    packet: Json

    @property
    def paths(self) -> dict[str, str]:
        certificate = self.packet["lessons"][0]["derivation"]
        base, request = certificate["given_digests"]
        return {
            "packet": f"/v1/packets/{self.packet['packet_id']}",
            "derivation": f"/v1/derivations/{certificate['digest']}",
            "request facts": f"/v1/fact-sets/{request}",
            "base facts": f"/v1/fact-sets/{base}",
        }


@pytest.fixture(scope="module")
async def answered(module_database: str) -> AsyncGenerator[Answered]:
    async with estate(module_database) as house:
        for holding, _ in CALLERS.values():
            await house.admit(holding)
        rows = [lesson("Rinse the brass", scope="forge"), lesson("Brass first")]
        async with house.client() as operator:
            await operator.post("/v1/lessons/import", json=pack(rows))
        async with house.client(OWNER.secret) as client:
            packet = (await client.post("/v1/tasks/start", json=start())).json()
        assert len(packet["lessons"]) == 2
        yield Answered(house, packet)


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize("kind", ["packet", "derivation", "request facts"])
async def test_what_was_answered_is_read_by(answered: Answered, name: str, kind: str) -> None:
    holding, status = CALLERS[name]
    path = answered.paths[kind]
    unknown = path[:-8] + "0" * 8
    async with answered.house.client(holding.secret) as client:
        found, missing = await client.get(path), await client.get(unknown)
    assert found.status_code == status
    assert missing.status_code == 404
    if status == 404:
        key, other = (text.rpartition("/")[2].encode() for text in (path, unknown))
        assert found.content.replace(key, other) == missing.content
        assert found.headers["content-type"] == missing.headers["content-type"]


@pytest.mark.parametrize("name", ["the owner", "a reader of the other room"])
async def test_the_lessons_of_a_room_are_no_facts_for_other_rooms(
    answered: Answered, name: str
) -> None:
    holding, status = CALLERS[name]
    async with answered.house.client(holding.secret) as client:
        assert (await client.get(answered.paths["base facts"])).status_code == status


async def test_the_facts_behind_a_permission_are_nobodys_to_read(answered: Answered) -> None:
    kept = [row for row in answered.house.dump()["fact_sets"] if '"token_scope"' in row]
    assert kept
    async with answered.house.client() as operator:
        for row in kept:
            digest = row.partition('"digest": "')[2][:64]
            assert (await operator.get(f"/v1/fact-sets/{digest}")).status_code == 404


async def test_a_packet_read_again_is_the_packet_that_was_answered(answered: Answered) -> None:
    async with answered.house.client(OWNER.secret) as client:
        again = (await client.get(answered.paths["packet"])).json()
        certificate = (await client.get(answered.paths["derivation"])).json()
    assert again == answered.packet
    assert certificate == answered.packet["lessons"][0]["derivation"]


async def test_a_ruleset_is_read_by_every_caller_of_the_house(answered: Answered) -> None:
    version = answered.packet["ruleset_version"]
    async with answered.house.client(Holding("blind").secret) as client:
        found = (await client.get(f"/v1/rulesets/{version}")).json()
    assert found == {"version": version, "text": answered.house.runtime.ruleset.text}
