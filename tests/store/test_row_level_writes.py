"""Row-level security: nothing is written into another House or into a scope out of sight."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

import pytest
from houses import FORGE, HOUSE_ID, LIBRARY, OTHER_HOUSE_ID, SHARED, START, Estate
from psycopg import errors

from engine import Fact
from store import (
    Connection,
    acts,
    contents,
    facts,
    grants,
    houses,
    idempotency,
    lessons,
    packets,
    projects,
    proofs,
    vocabulary,
)

pytestmark = pytest.mark.anyio
Write = Callable[[Connection, UUID, str], Awaitable[object]]
LESSON = lessons.Lesson("lesson-new", "coding_lesson", SHARED, None)
VERSION = lessons.Version(
    lesson_id="lesson-new",
    version=1,
    source_digest="d",
    scope=SHARED,
    title_id="t" * 64,
    rule_id="r" * 64,
    trigger_context_id=None,
    proof_pattern_id=None,
    shape=None,
    voice=None,
    always_on=False,
    tags=[],
    stages=[],
    registers=[],
    languages=[],
    technologies=[],
    threads=[],
)
TASK = packets.Task(
    task_id="task-new",
    principal_id="operator",
    scope=SHARED,
    worker_id="w",
    worker_role="r",
    phase="p",
    project_key="sluicebook",
    task_kind="k",
    risk="low",
    target_id="t" * 64,
    change_id="c" * 64,
    proof_ids=[],
    intent_digest="i",
    at=START,
)
PACKET = packets.StoredPacket(
    "packet-new", "task-new", SHARED, [SHARED], "operator", "i", "a", 0, "v", None, []
)
ACT = acts.Act(HOUSE_ID, UUID(int=9), "operator", "found", SHARED, "b", "r", None, START)
FACT = Fact.of("task_scope", (SHARED,), "task:new")
GRANT = grants.Grant(HOUSE_ID, "g", "operator", "read", [SHARED], START, None)
TOKEN = grants.Token(HOUSE_ID, UUID(int=9), "operator", [], [], None)

INTO_A_HOUSE: dict[str, Write] = {
    "acts.record": lambda c, h, _: acts.record(c, replace(ACT, house_id=h)),
    "grants.add_token": lambda c, h, _: grants.add_token(
        c, replace(TOKEN, house_id=h), b"0" * 32, UUID(int=9)
    ),
    "grants.carry": lambda c, h, _: grants.carry(
        c, replace(TOKEN, house_id=h), "forge", UUID(int=9)
    ),
    "grants.give": lambda c, h, _: grants.give(c, replace(GRANT, house_id=h), UUID(int=9)),
    "grants.revoke": lambda c, h, _: grants.revoke(c, h, "g", UUID(int=9)),
    "grants.revoke_token": lambda c, h, _: grants.revoke_token(c, h, UUID(int=9), UUID(int=9)),
    "houses.add_principal": lambda c, h, _: houses.add_principal(c, h, "p", "adapter", START),
    "facts.open_house": lambda c, h, _: facts.open_house(c, h),
    "houses.revoke_principal": lambda c, h, _: houses.revoke_principal(c, h, "p", UUID(int=9)),
    "idempotency.keep": lambda c, h, _: idempotency.keep(
        c, replace(TOKEN, house_id=h), "key", idempotency.Kept("d", {}), START
    ),
    "vocabulary.add": lambda c, h, _: vocabulary.add(
        c, h, [vocabulary.Word("p", "phase", "build")], UUID(int=9)
    ),
    "houses.add_room": lambda c, h, _: houses.add_room(c, h, "r", UUID(int=9)),
    "houses.found": lambda c, h, _: houses.found(c, houses.House(h, "n"), START),
    "lessons.add_authority": lambda c, h, _: lessons.add_authority(
        c, h, UUID(int=9), [lessons.Authority("a", "l", 1, "promoted", "d", None)]
    ),
    "lessons.add_links": lambda c, h, _: lessons.add_links(
        c, h, UUID(int=9), [lessons.Link("l", 1, "negation_of", "m")]
    ),
}
INTO_A_SCOPE: dict[str, Write] = {
    "contents.keep": lambda c, h, s: contents.keep(c, h, s, [contents.content_of(s, "body")]),
    "houses.appoint": lambda c, h, s: houses.appoint(
        c, h, houses.Room(s.removeprefix("room:"), None, "appointment-new"), None, UUID(int=9)
    ),
    "lessons.add_identities": lambda c, h, s: lessons.add_identities(
        c, h, UUID(int=9), [replace(LESSON, scope=s)]
    ),
    "lessons.add_versions": lambda c, h, s: lessons.add_versions(
        c, h, UUID(int=9), [replace(VERSION, scope=s)]
    ),
    "packets.add_packet": lambda c, h, s: packets.add_packet(
        c, h, UUID(int=9), replace(PACKET, scope=s, scopes=[s]), []
    ),
    "packets.add_task": lambda c, h, s: packets.add_task(c, h, replace(TASK, scope=s)),
    "projects.open_in": lambda c, h, s: projects.open_in(c, h, "sluicebook", s, UUID(int=9)),
    "projects.retire": lambda c, h, s: projects.retire(c, h, "sluicebook", s, UUID(int=9)),
    "proofs.keep_derivations": lambda c, h, s: proofs.keep_derivations(
        c, h, [s], [{"digest": "d"}]
    ),
    "proofs.keep_facts": lambda c, h, s: proofs.keep_facts(c, h, [s], [FACT]),
}


@pytest.mark.parametrize("name", [*INTO_A_HOUSE, *INTO_A_SCOPE])
async def test_a_write_into_another_house_is_refused(lanternquay: Estate, name: str) -> None:
    write = (INTO_A_HOUSE | INTO_A_SCOPE)[name]
    with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
        async with lanternquay.database.inside(HOUSE_ID, [FORGE, SHARED]) as connection:
            await write(connection, OTHER_HOUSE_ID, FORGE)


@pytest.mark.parametrize("name", INTO_A_SCOPE)
async def test_a_write_into_a_hidden_scope_is_refused(lanternquay: Estate, name: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
        async with lanternquay.database.inside(HOUSE_ID, [FORGE, SHARED]) as connection:
            await INTO_A_SCOPE[name](connection, HOUSE_ID, LIBRARY)
