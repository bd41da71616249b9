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

from engine import NUMBER, Fact, Limits, evaluate, set_digest
from house import shipped
from store import facts, grants, lessons, proofs

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
        await house.admit(Holding("worker", valid_until=START.replace(year=2032)))
        async with house.inside() as connection:
            act = await house.act(connection)
            await grants.revoke(connection, HOUSE_ID, "grant-worker-read", act)
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
    assert about == {"lesson", "authority", "scopes"}
    assert {kinds[name] for name in kinds if name.startswith("grant")} == {"grant", "revocation"}
    assert {kinds[name] for name in kinds if name.startswith("task")} == {"task"}
    assert {kinds["now"], kinds["caller"], kinds["relevance"]} == {"clock", "token", "task"}


async def test_a_fact_holds_no_free_text(given: list[Fact]) -> None:
    told = {value for fact in given for value in fact.values if isinstance(value, str)}
    assert not any(" " in value for value in told), told


async def test_lessons_are_ordered_by_id_without_gap_or_tie(given: list[Fact]) -> None:
    order = sorted(fact.values for fact in given if fact.relation == "lesson_order")
    assert [position for _, position in order] == list(range(len(order)))


async def test_callers_of_different_scopes_have_different_sets_of_the_same_lessons(
    lanternquay: Estate,
) -> None:
    async with lanternquay.inside(SHARED) as connection:
        current = await lessons.current(connection, HOUSE_ID)
    sets = [set_digest(facts.base_facts(current, [], name)) for name in ("one", "other", "one")]
    assert sets[0] == sets[2] != sets[1]


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
