"""Projections: given facts against `rules/facts.dl`, the full-text index against the ledger."""

import hashlib
from collections.abc import AsyncGenerator, Iterable

import pytest
from houses import (
    FORGE,
    HOUSE_ID,
    LIBRARY,
    SHARED,
    START,
    Estate,
    Holding,
    demo,
    estate,
    lesson,
    pack,
    start,
)

from engine import NUMBER, Fact, Limits, evaluate
from house import shipped
from store import facts, grants, houses, lessons, proofs

pytestmark = pytest.mark.anyio
PROGRAM = shipped().program
EVERYTHING = lesson(
    "Rinse the brass of the forge",
    "Rinse brass valves before the tide.",
    kind="project_lesson",
    project="sluicebook",
    scope="forge",
    stages=["build"],
    registers=["operations"],
    languages=["python"],
    technologies=["postgresql"],
    always_on=True,
    negation_of_title="Leave the brass",
    superseded_by_title="Leave the brass",
)
STATE = {
    "stages": ["build", "build"],
    "registers": ["operations"],
    "languages": ["python"],
    "technologies": ["postgresql"],
}


@pytest.fixture(scope="module")
async def given(module_database: str) -> AsyncGenerator[list[Fact]]:
    """All facts that the product projects for a task in a House where everything occurs."""
    async with estate(module_database) as house:
        later = START.replace(year=2032)
        await house.admit(Holding("worker", valid_until=later, expires_at=later))
        await house.revoke("grant-worker-read")
        async with house.database.changing(HOUSE_ID, [FORGE]) as connection:
            act = await house.act(connection)
            appointed = houses.Room("forge", "operator", "appointment-1")
            await houses.appoint(connection, HOUSE_ID, appointed, None, act)
            lent = grants.Grant(
                HOUSE_ID, "grant-lent", "worker", "read", [FORGE], START, None, "operator"
            )
            await grants.give(connection, lent, act)
            await facts.advance(connection, ["grant-lent", FORGE])
        async with house.client() as client:
            rows = [EVERYTHING, lesson("Leave the brass", scope="forge")]
            await client.post("/v1/lessons/import", json=pack(rows))
            answer = await client.post("/v1/tasks/start", json=start(state=STATE))
            digests = answer.json()["lessons"][0]["derivation"]["given_digests"]
        async with house.inside(FORGE, LIBRARY, SHARED) as connection:
            stored = [await proofs.stored_facts(connection, HOUSE_ID, name) for name in digests]
            token = await grants.token_by_hash(connection, holding_hash("ath_secret-of-worker"))
            assert token is not None
            routing = await facts.routing_facts(connection, token, START)
        yield [*routing, *(f for found in stored if found for f in read(found.facts))]


def holding_hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def read(rows: Iterable[tuple[str, list[str | int], str]]) -> list[Fact]:
    return [Fact.of(relation, tuple(values), source) for relation, values, source in rows]


async def test_the_facts_projected_are_just_the_given_relations_of_facts_dl(
    given: list[Fact],
) -> None:
    declared = {name for name, relation in PROGRAM.relations.items() if relation.given}
    declared.remove("held")  # made when a packet is asked for again
    assert {fact.relation for fact in given} == declared


async def test_every_projected_fact_fits_its_declaration(given: list[Fact]) -> None:
    for fact in given:
        columns = PROGRAM.relations[fact.relation].columns
        kinds = [int if PROGRAM.base_of(column.type) == NUMBER else str for column in columns]
        assert [type(value) for value in fact.values] == kinds, fact
    evaluate(PROGRAM, given, [], Limits())  # admits no fact that its declaration does not


async def test_every_projected_fact_names_what_it_rests_on(given: list[Fact]) -> None:
    kinds = {fact.relation: fact.source.partition(":")[0] for fact in given}
    about = {kinds[name] for name in kinds if name.startswith("lesson")}
    assert about == {"lesson", "authority"}
    assert {kinds[name] for name in kinds if name.startswith("grant")} == {"grant", "revocation"}
    assert {kinds[name] for name in kinds if name.startswith("task")} == {"task"}
    assert {kinds["now"], kinds["caller"], kinds["relevance"]} == {"clock", "token", "task"}


async def test_a_fact_holds_no_free_text(given: list[Fact]) -> None:
    told = {value for fact in given for value in fact.values if isinstance(value, str)}
    assert not any(" " in value for value in told), told


async def test_the_place_of_a_lesson_in_the_order_depends_on_its_id_alone(
    given: list[Fact],
) -> None:
    for fact in given:
        if fact.relation == "lesson_order":
            name, place = fact.values
            assert place == int(hashlib.sha256(str(name).encode()).hexdigest()[:15], 16)


async def test_equal_facts_of_two_rooms_are_kept_for_the_readers_of_each(house: Estate) -> None:
    given = [Fact.of("lesson_scope", ("l", SHARED), "lesson:l@1")]
    for scope in (FORGE, LIBRARY):
        async with house.inside(scope, SHARED) as connection:
            name = await proofs.keep_facts(connection, HOUSE_ID, [scope, SHARED], given)
            found = await proofs.stored_facts(connection, HOUSE_ID, name)
        assert found is not None
        assert found.scopes == [scope, SHARED]


async def test_the_rebuilt_index_is_the_one_that_imports_wrote(house: Estate) -> None:
    rows = demo("lessons.json")
    async with house.client() as client:
        await client.post("/v1/lessons/import", json=rows)
        rows["lessons"][3]["lesson"] += " Ask the harbour master."
        await client.post("/v1/lessons/import", json=rows)
    before = house.dump()["lesson_index"]
    async with house.inside(FORGE, LIBRARY, SHARED) as connection:
        await lessons.rebuild_index(connection, HOUSE_ID)
    assert house.dump()["lesson_index"] == before
    assert len(before) == len(rows["lessons"])
    assert any("harbour" in row for row in before)


async def test_a_rebuild_in_one_room_leaves_the_index_of_the_others_alone(house: Estate) -> None:
    async with house.client() as client:
        await client.post("/v1/lessons/import", json=demo("lessons.json"))
    before = house.dump()["lesson_index"]
    async with house.inside(FORGE) as connection:
        await lessons.rebuild_index(connection, HOUSE_ID)
    assert house.dump()["lesson_index"] == before
