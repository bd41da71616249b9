"""Eligibility once more as plain SQL over the ledgers; equal to what the rules conclude.

The oracle shares nothing with the projection: it knows tables, not facts and no view. Houses are
random and dense: few values, many lessons, several versions, every disposition, links everywhere.
"""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from houses import (
    FORGE,
    HOUSE_ID,
    LIBRARY,
    SHARED,
    START,
    Estate,
    Holding,
    Json,
    lesson,
    pack,
    start,
)

from engine import Fact, Limits, evaluate, restrict
from house import shipped
from store import facts, grants, houses, proofs

pytestmark = pytest.mark.anyio
STAGES, REGISTERS = ["build", "ship"], ["operations", "press"]
LANGUAGES, TECHNOLOGIES = ["python", "rust"], ["postgresql", "redis"]
ROOMS, PROJECTS = ["shared", "forge", "library"], ["sluicebook", "quaygauge"]
REVIEWS = ["promoted", "promoted", "promoted", "archived", "dismissed", "unreviewed"]

SPEAKING = """
with recursive decided as (
  select v.house_id, v.lesson_id, v.version,
         bool_or(a.disposition = 'promoted') as ever_promoted, count(a.record_id) > 0 as reviewed
  from lesson_versions v
  left join authority_records a using (house_id, lesson_id, version)
  group by v.house_id, v.lesson_id, v.version
),
speaking as (
  select d.lesson_id, (array_agg(d.version order by coalesce(d.ever_promoted, false) desc,
                                 d.reviewed desc, d.version desc))[1] as version
  from decided d where d.house_id = %(house)s group by d.lesson_id
),
standing as (
  select s.lesson_id, s.version, l.scope, l.kind, l.project, v.stages, v.registers, v.languages,
         v.technologies, v.always_on, a.record_id, a.disposition
  from speaking s
  join lessons l on l.house_id = %(house)s and l.lesson_id = s.lesson_id
  join lesson_versions v on v.house_id = %(house)s and v.lesson_id = s.lesson_id
    and v.version = s.version
  left join authority_records a
    on a.lesson_id = s.lesson_id and a.version = s.version
    and a.record_id not in (select p.previous from authority_records p
                            where p.previous is not null)
)
"""

ELIGIBLE = (
    SPEAKING  # noqa: S608 - a constant
    + """
, links as (
  select k.lesson_id, k.other_id from lesson_links k
  join standing s on s.lesson_id = k.lesson_id and s.version = k.version
  where k.kind = 'superseded_by' and s.scope in (%(scope)s, 'shared')
    and k.other_id in (select lesson_id from standing where scope in (%(scope)s, 'shared'))
),
gave_way (lesson_id, successor) as (
  select lesson_id, other_id from links
  union
  select g.lesson_id, k.other_id
  from gave_way g
  join standing m on m.lesson_id = g.successor and m.disposition = 'archived'
  join links k on k.lesson_id = g.successor
)
select s.lesson_id from standing s
where s.disposition = 'promoted' and s.scope in (%(scope)s, 'shared')
  and (s.kind = 'coding_lesson' or s.project = %(project)s)
  and (cardinality(s.stages) = 0 or s.stages && %(stages)s::text[])
  and (cardinality(s.registers) = 0 or s.registers && %(registers)s::text[])
  and (cardinality(s.languages) = 0 or s.languages && %(languages)s::text[])
  and (cardinality(s.technologies) = 0 or s.technologies && %(technologies)s::text[])
  and not exists (
    select from gave_way g join standing n on n.lesson_id = g.successor
    where g.lesson_id = s.lesson_id and n.lesson_id <> s.lesson_id
      and n.disposition = 'promoted' and n.scope in (%(scope)s, 'shared')
      and (n.kind = 'coding_lesson' or n.project = %(project)s))
order by s.lesson_id
"""
)

# The rows of each relation over lessons and grants, straight from the tables.
RELATIONS = {
    "lesson": "select lesson_id, kind from standing",
    "lesson_version": "select lesson_id, version from standing",
    "lesson_scope": "select lesson_id, scope from standing",
    "lesson_project": "select lesson_id, project from standing where project is not null",
    "lesson_always_on": "select lesson_id from standing where always_on",
    "lesson_stage": "select distinct lesson_id, x from standing, unnest(stages) x",
    "lesson_register": "select distinct lesson_id, x from standing, unnest(registers) x",
    "lesson_language": "select distinct lesson_id, x from standing, unnest(languages) x",
    "lesson_technology": "select distinct lesson_id, x from standing, unnest(technologies) x",
    "lesson_authority": "select lesson_id, record_id, disposition from standing"
    " where record_id is not null",
    "lesson_negation": "select k.lesson_id, k.other_id from lesson_links k"
    " join speaking s using (lesson_id, version) where k.kind = 'negation_of'",
    "lesson_superseded": "select k.lesson_id, k.other_id from lesson_links k"
    " join speaking s using (lesson_id, version) where k.kind = 'superseded_by'",
    "grant": "select grant_id, principal_id, operation from grants",
    "grant_scope": "select distinct grant_id, x from grants, unnest(scopes) x",
    "grant_from": "select grant_id, floor(extract(epoch from valid_from))::bigint from grants",
    "grant_until": "select grant_id, floor(extract(epoch from valid_until))::bigint from grants"
    " where valid_until is not null",
    "grant_revoked": "select grant_id from grant_revocations",
    "grant_delegated": "select grant_id, delegator from grants where delegator is not null",
    "governs": "select principal_id, 'room:' || room from governors where principal_id is not null"
    " and record_id not in (select previous from governors where previous is not null)",
}


def some(chance: random.Random, values: list[str]) -> list[str]:
    return [value for value in values if chance.random() < 0.4] if chance.random() < 0.5 else []


def random_lessons(chance: random.Random, count: int) -> list[Json]:
    titles = [f"Brass lesson {n}" for n in range(count)]
    rows = []
    for title in titles:
        others = [other for other in titles if other != title]
        kind = chance.choice(["coding_lesson", "coding_lesson", "project_lesson"])
        project = chance.choice([*PROJECTS, None]) if kind == "coding_lesson" else None
        rows.append(
            lesson(
                title,
                f"Rinse the brass valve before tide {chance.randrange(9)}.",
                kind=kind,
                project=project if kind == "coding_lesson" else chance.choice(PROJECTS),
                scope=chance.choice(ROOMS),
                stages=some(chance, STAGES),
                registers=some(chance, REGISTERS),
                languages=some(chance, LANGUAGES),
                technologies=some(chance, TECHNOLOGIES),
                always_on=chance.random() < 0.2,
                review=chance.choice(REVIEWS),
                superseded_by_title=chance.choice(others) if chance.random() < 0.3 else None,
                negation_of_title=chance.choice(others) if chance.random() < 0.2 else None,
            )
        )
    return rows


def random_task(chance: random.Random, number: int) -> Json:
    state = {
        "stages": some(chance, STAGES),
        "registers": some(chance, REGISTERS),
        "languages": some(chance, LANGUAGES),
        "technologies": some(chance, TECHNOLOGIES),
    }
    room, project = chance.choice(["forge", "library"]), chance.choice(PROJECTS)
    return start(worker_id=f"w{number}", room=room, project_key=project, state=state)


async def random_house(house: Estate, seed: int) -> tuple[list[Json], list[Json]]:
    """Fill a House in two imports, the second with changes; its tasks and packets."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    rows = random_lessons(chance, 40)
    async with house.client() as client:
        for _ in range(2):
            answer = await client.post("/v1/lessons/import", json=pack(rows))
            assert answer.status_code == 200, answer.text
            for row in rows:
                if chance.random() < 0.4:
                    row |= {"lesson": "Rinse it otherwise.", "review": chance.choice(REVIEWS)}
                    row["stages"] = some(chance, STAGES)
        tasks = [random_task(chance, number) for number in range(6)]
        packets = [(await client.post("/v1/tasks/start", json=task)).json() for task in tasks]
    return tasks, packets


async def facts_of(house: Estate, packet: Json) -> list[Fact]:
    """The facts that a packet rests on."""
    with psycopg.connect(house.owner) as connection:
        found = connection.execute(
            "select given_digests from packets where packet_id = %s", (packet["packet_id"],)
        ).fetchone()
    given: list[Fact] = []
    async with house.inside(FORGE, LIBRARY, SHARED) as connection:
        for name in found[0] if found else []:
            stored = await proofs.stored_facts(connection, HOUSE_ID, name)
            assert stored is not None
            given += [Fact.of(name, tuple(values), source) for name, values, source in stored.facts]
    return given


@pytest.mark.parametrize("seed", range(6))
async def test_the_rules_and_plain_sql_find_the_same_lessons_eligible(
    house: Estate, seed: int
) -> None:
    tasks, packets = await random_house(house, seed)
    program = restrict(shipped().program, ["eligible"])
    counts = []
    for task, packet in zip(tasks, packets, strict=True):
        model = evaluate(program, await facts_of(house, packet), [], Limits())
        parameters = {"house": HOUSE_ID, "scope": f"room:{task['room']}"}
        parameters |= {"project": task["project_key"], **task["state"]}
        with psycopg.connect(house.owner) as connection:
            expected = [row[0] for row in connection.execute(ELIGIBLE.encode(), parameters)]
        assert sorted(row[0] for row in model.of("eligible")) == expected
        assert {row["id"] for row in packet["lessons"]} <= {*expected}
        counts.append(len(expected))
    assert max(counts) > 3


async def test_every_relation_of_the_projection_has_the_rows_that_sql_finds(house: Estate) -> None:
    await random_house(house, 99)
    await house.admit(Holding("worker", valid_until=START + timedelta(days=9)))
    await house.revoke("grant-worker-read")
    async with house.database.changing(HOUSE_ID, [FORGE]) as connection:
        act = await house.act(connection)
        for previous, name in ((None, "one"), ("one", "two")):
            room = houses.Room("forge", "operator", name)
            await houses.appoint(connection, HOUSE_ID, room, previous, act)
        lent = grants.Grant(HOUSE_ID, "lent", "worker", "read", [FORGE], START, None, "operator")
        await grants.give(connection, lent, act)
        await facts.advance(connection, ["lent", FORGE])
    principals = [facts.scope_of_principal(p) for p in ("worker", "operator")]
    async with house.inside(FORGE, LIBRARY, SHARED, *principals) as connection:
        given = await facts.base(connection, HOUSE_ID)
    with psycopg.connect(house.owner) as connection_:
        for name, text in RELATIONS.items():
            query = (SPEAKING + text).encode()
            rows: list[Any] = connection_.execute(query, {"house": HOUSE_ID}).fetchall()
            assert rows, name
            assert Counter(f.values for f in given if f.relation == name) == Counter(rows), name
    others = {fact.relation for fact in given} - RELATIONS.keys()
    assert others == {"lesson_order"}  # its definition is in tests/store/test_projection.py
