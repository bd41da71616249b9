"""A pack with one wrong record: it is named by record and field, and nothing at all is stored."""

import json
from dataclasses import dataclass

import httpx
import pytest
from houses import Estate, Holding, Json, lesson, pack

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with record 1, and the words that say so."""

    field: str
    problem: str
    changes: Json


LONG = "x" * 8001
RECORDS = {
    "a title that stands twice": Wrong("title", "stands in record 0 already", {"title": "Fine"}),
    "a project nobody registered": Wrong(
        "project", "`attic` is not registered", {"project": "attic"}
    ),
    "the opposite of nothing": Wrong(
        "negation_of_title", "no lesson of the file", {"negation_of_title": "Nothing"}
    ),
    "a successor that is not there": Wrong(
        "superseded_by_title", "no lesson of the file", {"superseded_by_title": "Nothing"}
    ),
    "a room that does not exist": Wrong("scope", "`attic` is not open to you", {"scope": "attic"}),
    "the opposite of itself": Wrong("record", "refer to itself", {"negation_of_title": "Wrong"}),
    "its own successor": Wrong("record", "refer to itself", {"superseded_by_title": "Wrong"}),
    "a project lesson without a project": Wrong(
        "record", "needs a project key", {"kind": "project_lesson"}
    ),
    "an unknown field": Wrong("colour", "not permitted", {"colour": "red"}),
    "an unknown field inside": Wrong(
        "source.page", "not permitted", {"source": {"path": "a", "page": 1}}
    ),
    "a number for a title": Wrong("title", "valid string", {"title": 7}),
    "nothing for a title": Wrong("title", "valid string", {"title": None}),
    "a text for a flag": Wrong("always_on", "valid boolean", {"always_on": "true"}),
    "a number for a flag": Wrong("always_on", "valid boolean", {"always_on": 1}),
    "a flag for a number": Wrong("version", "valid integer", {"version": True}),
    "a text for a number": Wrong("version", "valid integer", {"version": "1"}),
    "a fraction for a number": Wrong("version", "valid integer", {"version": 1.0}),
    "version zero": Wrong("version", "greater than or equal to 1", {"version": 0}),
    "a text for a list": Wrong("tags", "valid tuple", {"tags": "brass"}),
    "an object for a list": Wrong("tags", "valid tuple", {"tags": {"brass": 1}}),
    "a number in a list": Wrong("tags.1", "valid string", {"tags": ["brass", 3]}),
    "too many tags": Wrong("tags", "at most 64 items", {"tags": [f"t{n}" for n in range(65)]}),
    "a tag with a blank": Wrong("tags.0", "match pattern", {"tags": ["two words"]}),
    "a tag with a line break": Wrong("tags.0", "match pattern", {"tags": ["brass\n"]}),
    "an unknown kind": Wrong("kind", "'coding_lesson' or", {"kind": "memory"}),
    "an unknown review": Wrong("review", "'promoted'", {"review": "canon"}),
    "an unknown interruption": Wrong(
        "trigger.interrupt", "'block'", {"trigger": {"interrupt": "x"}}
    ),
    "a NUL": Wrong("lesson", "NUL", {"lesson": "a\0b"}),
    "a NUL in a title": Wrong("title", "NUL", {"title": "a\0b"}),
    "a title of two lines": Wrong("title", "more than one line", {"title": "a\nL2. b"}),
    "a title with a line at its end": Wrong("title", "more than one line", {"title": "a\n"}),
    "a path of two lines": Wrong("source.path", "one line", {"source": {"path": "a\u2028b"}}),
    "a lone surrogate": Wrong("lesson", "unicode", {"lesson": "a\ud800b"}),
    "a lone surrogate in a tag": Wrong("tags.0", "unicode", {"tags": ["\udc00"]}),
    "a blank text": Wrong("trigger_context", "blank", {"trigger_context": " \n\t"}),
    "an empty text": Wrong("lesson", "at least 1 character", {"lesson": ""}),
    "a text that is too long": Wrong("proof_pattern", "at most 8000", {"proof_pattern": LONG}),
    "a title that is too long": Wrong("title", "at most 300", {"title": "x" * 301}),
    "lines in the wrong order": Wrong(
        "source", "comes before", {"source": {"path": "a", "first_line": 9, "last_line": 3}}
    ),
}
FILES: dict[str, tuple[bytes, str, str]] = {
    "no JSON": (b'{"schema_version": 1,', "", "not JSON at line 1, column 22"),
    "no text": (b'{"pack": "\xff"}', "", "not UTF-8 at byte 10"),
    "nesting without end": (b"[" * 50_000, "", "nested too deeply"),
    "a list": (b"[]", "", "valid dictionary"),
    "an empty body": (b"", "", "a JSON body is needed"),
    "no lessons": (b'{"schema_version": 1, "pack": {"id": "a"}}', "lessons", "required"),
    "another schema": (
        json.dumps(pack([]) | {"schema_version": 2}).encode(),
        "schema_version",
        "1",
    ),
    "a flag for a schema": (
        json.dumps(pack([]) | {"schema_version": True}).encode(),
        "schema_version",
        "valid integer",
    ),
    "a pack without a name": (json.dumps(pack([]) | {"pack": {}}).encode(), "pack.id", "required"),
    "not a number": (
        json.dumps(pack([]) | {"schema_version": float("nan")}).encode(),
        "",
        "number",
    ),
}


async def send(client: httpx.AsyncClient, body: bytes) -> httpx.Response:
    headers = {"Content-Type": "application/json"}
    return await client.post(
        "/v1/lessons/import", params={"file": "mine.json"}, content=body, headers=headers
    )


@pytest.mark.parametrize("name", RECORDS)
async def test_a_wrong_record_is_named_by_file_record_and_field(
    lanternquay: Estate, name: str
) -> None:
    wrong = RECORDS[name]
    body = pack([lesson("Fine"), lesson("Wrong") | wrong.changes, lesson("Fine as well")])
    async with lanternquay.client() as client:
        before = lanternquay.dump()
        answer = await send(client, json.dumps(body).encode())
        assert lanternquay.dump() == before
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "rejected")
    (rejected,) = told["rejected"]
    assert (rejected["file"], rejected["record"], rejected["field"]) == (
        "mine.json",
        1,
        wrong.field,
    )
    assert wrong.problem in rejected["problem"]
    assert LONG not in answer.text


@pytest.mark.parametrize("name", FILES)
async def test_a_wrong_file_is_named_with_what_is_wrong(lanternquay: Estate, name: str) -> None:
    body, field, problem = FILES[name]
    async with lanternquay.client() as client:
        before = lanternquay.dump()
        answer = await send(client, body)
        assert lanternquay.dump() == before
    assert answer.status_code == 422
    rejected = answer.json()["rejected"][0]
    assert (rejected["file"], rejected["record"], rejected["field"]) == ("mine.json", -1, field)
    assert problem in rejected["problem"].lower() or problem in rejected["problem"]


async def test_every_wrong_record_is_named_at_once(lanternquay: Estate) -> None:
    rows = [lesson("A", colour=1), lesson("B"), lesson("C", version=0, tags=[1])]
    async with lanternquay.client() as client:
        answer = await send(client, json.dumps(pack(rows)).encode())
    places = [(row["record"], row["field"]) for row in answer.json()["rejected"]]
    assert sorted(places) == [(0, "colour"), (2, "tags.0"), (2, "version")]


async def test_a_room_of_others_and_a_room_that_is_not_there_are_refused_alike(
    house: Estate,
) -> None:
    clerk = await house.admit(Holding("clerk", operations=("import",), scopes=("shared",)))
    async with house.client(clerk) as client:
        answers = [
            (await send(client, json.dumps(pack([lesson("A", scope=room)])).encode())).text
            for room in ("library", "cellar9")
        ]
    assert answers[0].replace("library", "cellar9") == answers[1]


async def test_who_may_import_nowhere_is_denied_before_its_records_are_judged(
    house: Estate,
) -> None:
    reader = await house.admit(Holding("reader", operations=("read",)))
    async with house.client(reader) as client:
        before = house.dump()
        answer = await send(client, json.dumps(pack([lesson("A", project="attic")])).encode())
        assert (answer.status_code, answer.json()["code"]) == (403, "denied")
        assert house.dump() == before
