"""Every refusal is a problem of RFC 9457 with its code, and none says anything of the inside."""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace

import httpx
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
    estate,
    lesson,
    pack,
    start,
)

from api.http.conflicts import CONFLICTS
from api.http.problems import _FRAMEWORK, _KINDS
from contracts import Problem
from engine import Limits
from house import shipped_sources
from rules import Source, load
from store import vocabulary

pytestmark = pytest.mark.anyio
PRIVATE = "the harbour master's private words"
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Errand:
    """A request, and the refusal that it gets."""

    status: int
    code: str
    method: str = "POST"
    path: str = "/v1/tasks/start"
    body: bytes = b""
    location: str | None = None
    told: str = ""
    secret: str | None = "ath_secret-of-worker"


def body(**changes: object) -> bytes:
    return json.dumps(start(**changes)).encode()


ERRANDS = {
    "no token": Errand(401, "unauthenticated", body=body(), secret=None),
    "a wrong token": Errand(401, "unauthenticated", body=body(), secret="ath_wrong"),
    "a room of others": Errand(403, "denied", body=body(room="library")),
    "a room that is not there": Errand(403, "denied", body=body(room="cellar")),
    "no right to import": Errand(
        403, "denied", path="/v1/lessons/import", body=json.dumps(pack([])).encode()
    ),
    "an unknown packet": Errand(404, "not_found", "GET", "/v1/packets/packet-0"),
    "a cursor of no list": Errand(
        400, "stale_cursor", "GET", "/v1/lessons?cursor=zz", location="cursor"
    ),
    "a scope that is none": Errand(
        400, "field_refused", "GET", "/v1/lessons?scope=attic", location="scope"
    ),
    "a page without an item": Errand(
        400, "invalid", "GET", "/v1/lessons?limit=0", location="limit", told=">= 1"
    ),
    "a lesson with NUL in its name": Errand(404, "not_found", "GET", "/v1/lessons/a%00b"),
    "an unknown lesson": Errand(404, "not_found", "GET", "/v1/lessons/lesson-0"),
    "an unknown derivation": Errand(404, "not_found", "GET", "/v1/derivations/" + "0" * 64),
    "an unknown set of facts": Errand(404, "not_found", "GET", "/v1/fact-sets/" + "0" * 64),
    "an unknown ruleset": Errand(404, "not_found", "GET", "/v1/rulesets/" + "0" * 64),
    "a packet with NUL in its name": Errand(404, "not_found", "GET", "/v1/packets/a%00b"),
    "a derivation with NUL in its name": Errand(404, "not_found", "GET", "/v1/derivations/%00"),
    "a set of facts with NUL in its name": Errand(404, "not_found", "GET", "/v1/fact-sets/%00"),
    "a ruleset with NUL in its name": Errand(404, "not_found", "GET", "/v1/rulesets/%00"),
    "a name that is no UTF-8": Errand(404, "not_found", "GET", "/v1/packets/%ff%fe"),
    "an unknown contract": Errand(404, "not_found", "GET", "/v1/schemas/packet.v0"),
    "an unknown contract without a token": Errand(
        404, "not_found", "GET", "/v1/schemas/%2e%2e", secret=None
    ),
    "an unknown route without a token": Errand(404, "no_route", "GET", "/v1/harbour", secret=None),
    "an unknown version": Errand(404, "no_route", "GET", "/v2/capabilities"),
    "a route inside a route": Errand(404, "no_route", "GET", "/v1/packets/a/b"),
    "a wrong method without a token": Errand(405, "method", "GET", "/v1/tasks/start", secret=None),
    "an unknown route": Errand(404, "no_route", "GET", "/v1/harbour"),
    "a wrong method": Errand(405, "method", "GET", "/v1/tasks/start"),
    "an unknown project": Errand(
        400, "unknown_project", body=body(project_key="attic"), location="project_key", told="attic"
    ),
    "a room that must be named": Errand(
        400, "room_not_named", body=body(room=None), location="room", secret="ath_secret-of-two"
    ),
    "an undeclared value": Errand(
        400,
        "undeclared_value",
        body=body(phase="dreaming"),
        secret="ath_secret-of-declaring",
        location="phase",
        told="phase `dreaming`",
    ),
    "an epoch to come": Errand(
        409, "epoch_not_reached", body=body(minimum_epoch=10**6), location="minimum_epoch"
    ),
    "a missing field": Errand(400, "invalid", body=b"{}", location="worker_id", told="required"),
    "an unknown field": Errand(400, "invalid", body=body(colour=1), location="colour"),
    "a field inside": Errand(
        400, "invalid", body=body(state={"stages": [PRIVATE]}), location="state.stages.0"
    ),
    "a value that is not in the list": Errand(
        400, "invalid", body=body(risk=PRIVATE), location="risk", told="'low', 'medium' or 'high'"
    ),
    "a NUL": Errand(400, "invalid", body=body(change="a\0b"), location="change", told="NUL"),
    "a lone surrogate": Errand(
        400, "invalid", body=body(target=PRIVATE + "\ud800"), location="target", told="unicode"
    ),
    "a list": Errand(400, "invalid", body=b"[]", location=""),
    "no body": Errand(400, "invalid", location="", told="a JSON body is needed"),
    "no JSON": Errand(400, "malformed", body=b'{"change": tru', told="not JSON at line 1, column"),
    "no text": Errand(400, "malformed", body=b'"\xff"', told="not UTF-8 at byte 1"),
    "nesting without end": Errand(400, "malformed", body=b"[" * 60_000, told="nested too deeply"),
    "a name that stands twice": Errand(
        400, "repeated", body=b'{"state": {"stages": [], "stages": []}}', location="state.stages"
    ),
    "a number that never ends": Errand(400, "malformed", body=b"9" * 5000, told="out of range"),
    "too large a body": Errand(413, "too_large", body=b'"' + b"a" * 10_000_001 + b'"'),
    "wrong records": Errand(
        422,
        "rejected",
        path="/v1/lessons/import",
        body=json.dumps(pack([lesson("A", colour=PRIVATE)])).encode(),
        told="record 0, field `colour`",
    ),
}


@pytest.fixture(scope="module")
async def harbour(module_database: str) -> AsyncGenerator[Estate]:
    async with estate(module_database) as house:
        await house.admit(Holding("worker"))
        await house.admit(Holding("two", scopes=(FORGE, LIBRARY, SHARED)))
        await house.admit(Holding("declaring"))
        async with house.inside() as connection:
            words = [vocabulary.Word("declaring", "phase", "build")]
            await vocabulary.add(connection, HOUSE_ID, words, await house.act(connection))
        async with house.client() as operator:
            rows = [lesson("Rinse the brass", f"Rinse the brass valve. {PRIVATE}")]
            await operator.post("/v1/lessons/import", json=pack(rows))
        yield house


def told(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    """The members of a problem, which says what it must and nothing of the inside."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    members: dict[str, object] = answer.json()
    assert Problem.model_validate_json(answer.content).hint
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
    assert members["type"] == f"urn:athanor:problem:{code}"
    assert (members["code"], members["status"]) == (code, status)
    assert members["title"]
    assert isinstance(members["detail"], str)
    for inside in (PRIVATE, "Traceback", ".py", "psycopg", "Exception", "Error", "select "):
        assert inside not in answer.text
    return members


@pytest.mark.parametrize("name", ERRANDS)
async def test_a_request_is_refused_as_a_problem_when_it_brings(harbour: Estate, name: str) -> None:
    errand = ERRANDS[name]
    async with harbour.client(errand.secret) as client:
        answer = await client.request(errand.method, errand.path, content=errand.body, headers=JSON)
    members = told(answer, errand.status, errand.code)
    assert members.get("location") == errand.location
    assert errand.told in str(members["detail"])
    if errand.status == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
    if errand.status == 405:
        assert set(answer.headers["allow"].split(", ")) == {"OPTIONS", "POST"}


async def test_the_answer_to_a_limit_names_limit_and_relation_and_concludes_nothing(
    harbour: Estate,
) -> None:
    tiny = harbour.with_limits(Limits(base_facts=1))
    before = harbour.dump()
    async with harbour.client(runtime=tiny) as client:
        members = told(await client.post("/v1/tasks/start", json=start()), 422, "limit_reached")
    assert "limit `base_facts` of 1 reached in relation" in str(members["detail"])
    assert harbour.dump() == before


async def test_an_evaluator_that_is_full_asks_to_come_back(harbour: Estate) -> None:
    full = harbour.with_limits(Limits(), at_once=1, waiting=-1)
    async with harbour.client(runtime=full) as client:
        answer = await client.post("/v1/tasks/start", json=start())
    told(answer, 503, "busy")
    assert answer.headers["retry-after"] == "1"


FAULTS = {
    "arithmetic": "eligible(l) :- lesson(l, _), x = 1, y = x / (x - x), y > 0.",
    "matcher": """
@[computed = "regex"]
.decl speaks(pattern:symbol, text:symbol)
eligible(l) :- lesson(l, _), task_scope(s), speaks("(", s).
""",
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_rule_that_fails_concludes_nothing(harbour: Estate, name: str) -> None:
    loaded = load([*shipped_sources(), Source("loose", FAULTS[name])])
    assert loaded.ruleset is not None, loaded.diagnostics
    brass = pack([lesson("Brass", "Rinse brass.")], "brass")
    async with harbour.client() as operator:
        assert (await operator.post("/v1/lessons/import", json=brass)).status_code == 200
    before = harbour.dump()
    async with harbour.client(runtime=replace(harbour.runtime, ruleset=loaded.ruleset)) as client:
        answer = await client.post("/v1/tasks/start", json=start(phase=f"failing {name}"))
    told(answer, 500, "rule_failed")
    assert harbour.dump() == before


async def test_rules_that_contradict_themselves_conclude_nothing(harbour: Estate) -> None:
    loose = Source("loose", '@[id = "loose"]\neligible(l) :- lesson(l, _).\n')
    ruleset = load([*shipped_sources(), loose]).ruleset
    assert ruleset is not None
    draft = pack([lesson("Brass", "Rinse brass.", review="unreviewed")], "drafts")
    async with harbour.client() as operator:
        assert (await operator.post("/v1/lessons/import", json=draft)).status_code == 200
    before = harbour.dump()
    async with harbour.client(runtime=replace(harbour.runtime, ruleset=ruleset)) as client:
        answer = await client.post("/v1/tasks/start", json=start(phase="broken"))
    detail = told(answer, 500, "invariant_broken")["detail"]
    assert detail in {
        "invariant `decided_twice` is broken",
        "invariant `eligible_without_authority` is broken",
    }
    assert harbour.dump() == before


async def test_writers_who_always_collide_are_asked_to_try_again(harbour: Estate) -> None:
    """One principal, one lesson, one instant, two versions of it: two acts with one id."""
    one, other = (pack([lesson("Twin", f"Rinse {word}.")], "twins") for word in ("one", "two"))
    async with harbour.client(clock=lambda: START) as client:
        assert (await client.post("/v1/lessons/import", json=one)).status_code == 200
        answer = await client.post("/v1/lessons/import", json=other)
    told(answer, 503, "raced")
    assert answer.headers["retry-after"] == "1"


async def test_a_fault_of_ours_says_nothing_of_the_inside(house: Estate) -> None:
    with psycopg.connect(house.owner) as connection:
        connection.execute("alter table scope_epochs rename to somewhere_else")
    async with house.client() as client:
        answer = await client.post("/v1/tasks/start", json=start())
    assert told(answer, 500, "internal")["detail"] == "the cause is in the server's log"
    assert "somewhere_else" not in answer.text


def test_every_row_of_the_table_of_problems_is_provoked_somewhere() -> None:
    provoked = {errand.code for errand in ERRANDS.values()}
    apart = {"limit_reached", "busy", "raced", "invariant_broken", "rule_failed", "internal"}
    apart |= {
        "evidence_forgotten",
        "invalid_period",
        "key_reused",
        "not_a_spirit",
        "not_governing",
        "unknown_principal",
        "vocabulary_full",
        "stale_cursor",
        "withdrawn",
        "wrong_worker",
    }  # in tests/house
    apart |= {*CONFLICTS}  # in tests/house
    elsewhere = {"unavailable"}  # in test_health.py
    codes = {kind.code for kind in _KINDS.values()} | {*_FRAMEWORK, *CONFLICTS}
    assert codes <= provoked | apart | elsewhere
