"""Bodies: nobody reads one for a stranger, and none is read in two ways."""

import json
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any, cast

import httpx
import pytest
from houses import Estate, Json, lesson, pack, start
from hypothesis import given
from hypothesis import strategies as st

from api.http import create_application
from api.http.bodies import RepeatedNameError, UnreadableBodyError, read_body
from contracts import Problem

pytestmark = pytest.mark.anyio
IMPORT = "/v1/lessons/import"
START = "/v1/tasks/start"
JSON = {"Content-Type": "application/json"}
LARGE = 64 * 1024 * 1024


async def told_without_body(
    house: Estate, path: str, headers: list[tuple[bytes, bytes]]
) -> tuple[int, int]:
    """The status for a request that announces a large body, and how often that was asked for."""
    application = create_application(house.runtime, house.clock)
    asked, statuses = 0, list[int]()

    async def receive() -> Any:
        nonlocal asked
        asked += 1
        return {"type": "http.request", "body": b" " * 65536, "more_body": asked < 1000}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(int(message["status"]))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", b"application/json"), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    await application(cast("Any", scope), receive, cast("Any", send))
    (status,) = statuses
    return status, asked


STRANGERS: dict[str, list[tuple[bytes, bytes]]] = {
    "no token": [],
    "a wrong token": [(b"authorization", b"Bearer ath_wrong")],
    "another scheme": [(b"authorization", b"Basic YTpi")],
    "a token without a scheme": [(b"authorization", b"ath_secret-of-the-operator")],
    "a token that is no text": [(b"authorization", b"Bearer \xff\xfe")],
}


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.parametrize("path", [IMPORT, START])
@pytest.mark.parametrize("length", [b"67108864", None])
async def test_a_body_is_not_read_for_who_brings(
    lanternquay: Estate, name: str, path: str, length: bytes | None
) -> None:
    announced = [(b"content-length", length)] if length else [(b"transfer-encoding", b"chunked")]
    assert await told_without_body(lanternquay, path, [*STRANGERS[name], *announced]) == (401, 0)


async def test_a_body_that_is_announced_as_too_large_is_not_read_at_all(
    lanternquay: Estate,
) -> None:
    secret = (b"authorization", b"Bearer ath_secret-of-the-operator")
    length = (b"content-length", str(LARGE + 1).encode())
    for path in (IMPORT, START):
        assert await told_without_body(lanternquay, path, [secret, length]) == (413, 0)


async def send(house: Estate, path: str, body: bytes) -> httpx.Response:
    async with house.client() as client:
        return await client.post(path, content=body, headers=JSON, params={"file": "mine.json"})


def bodied(path: str, text: str) -> bytes:
    """The body of a route with a piece of JSON in it that names its members itself."""
    whole = start() if path == START else pack([lesson("Fine"), lesson("Wrong")])
    return json.dumps(whole)[:-1].encode() + b", " + text.encode() + b"}"


REPEATED: dict[str, tuple[str, bytes, list[str]]] = {
    "a name of its own": (START, bodied(START, '"risk": "low"'), ["risk"]),
    "the same value": (START, bodied(START, '"worker_id": "worker-1"'), ["worker_id"]),
    "a name inside": (
        START,
        bodied(START, '"state": {"stages": [], "languages": [], "stages": []}'),
        ["state.stages"],
    ),
    "a name that is escaped": (START, bodied(START, '"r\\u0069sk": "high"'), ["risk"]),
    "an unknown name": (START, bodied(START, '"a": {"b": [1, {"": 0, "": 1}]}'), ["a.b.1."]),
    "a name with a dot, and another": (
        START,
        bodied(START, '"x": [{"a.b": 1, "a.b": 2}, {"c": 1, "c": {"d": 1, "d": 2}}]'),
        ["x.0.a.b", "x.1.c", "x.1.c.d"],
    ),
    "a name three times": (START, bodied(START, '"z": 1, "z": 2, "z": 3'), ["z", "z"]),
    "a lone surrogate for a name": (START, b'{"\\ud800": 1, "\\ud800": 2}', ["\\ud800"]),
    "a name of the pack": (IMPORT, bodied(IMPORT, '"schema_version": 1'), ["schema_version"]),
    "a name of a record": (
        IMPORT,
        b'{"schema_version": 1, "pack": {}, "lessons": [{}, {"lesson": "b", "lesson": 1}]}',
        ["lessons.1.lesson"],
    ),
    "a list of lessons": (IMPORT, bodied(IMPORT, '"lessons": []'), ["lessons"]),
}


@pytest.mark.parametrize("name", REPEATED)
async def test_a_body_is_refused_by_name_that_has_twice(lanternquay: Estate, name: str) -> None:
    path, body, places = REPEATED[name]
    before = lanternquay.dump()
    answer = await send(lanternquay, path, body)
    assert lanternquay.dump() == before
    told = Problem.model_validate_json(answer.content)
    assert (answer.status_code, told.code, told.location) == (400, "repeated", places[0])
    assert told.errors is not None
    assert [error.field for error in told.errors] == places
    if path == IMPORT:
        assert told.rejected is not None
        (row,) = told.rejected
        number = 1 if places[0].startswith("lessons.1") else -1
        assert (row.file, row.record) == ("mine.json", number)
    else:
        assert told.rejected is None


def test_only_the_first_hundred_places_are_told() -> None:
    body = ("[" + ", ".join(['{"a": 1, "a": 2}'] * 300) + "]").encode()
    with pytest.raises(RepeatedNameError) as caught:
        read_body(body)
    assert [*caught.value.places] == [f"{n}.a" for n in range(100)]


NUMBERS: dict[str, tuple[str, int, str]] = {
    "a fraction that is whole": ("1.0", 422, "valid integer"),
    "an exponent": ("1e0", 422, "valid integer"),
    "minus zero": ("-0", 422, "greater than or equal to 1"),
    "minus zero as a fraction": ("-0.0", 422, "valid integer"),
    "a number beyond all floats": ("1e400", 422, "out of range"),
    "one below all floats": ("-1e400", 422, "out of range"),
    "a number beyond 64 bits": ("18446744073709551617", 422, "less than or equal"),
    "a number without end": ("9" * 5000, 422, "out of range"),
    "not a number": ("NaN", 422, "out of range"),
    "infinity": ("-Infinity", 422, "out of range"),
    "a text": ('"1"', 422, "valid integer"),
    "a plus sign": ("+1", 422, "not JSON"),
    "a leading zero": ("01", 422, "not JSON"),
    "a hexadecimal number": ("0x1", 422, "not JSON"),
    "a comment": ("1 /* one */", 422, "not JSON"),
}


@pytest.mark.parametrize("name", NUMBERS)
async def test_a_version_is_no_other_number_than_its_contract_says(
    lanternquay: Estate, name: str
) -> None:
    number, status, said = NUMBERS[name]
    body = json.dumps(pack([lesson("A", version=7777)])).replace("7777", number).encode()
    answer = await send(lanternquay, IMPORT, body)
    assert answer.status_code == status
    assert said in answer.json()["detail"]


ODD = {
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "two values": b"{} {}",
    "a trailing comma": b'{"a": 1,}',
    "blanks alone": b"  \n",
    "a control character in a text": b'{"a": "\x01"}',
}


@pytest.mark.parametrize("name", ODD)
async def test_what_is_no_json_is_malformed(lanternquay: Estate, name: str) -> None:
    answer = await send(lanternquay, START, ODD[name])
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


async def test_a_name_that_is_no_text_is_refused_with_the_object_that_has_it(
    lanternquay: Estate,
) -> None:
    answer = await send(lanternquay, START, bodied(START, '"\\ud800": 1'))
    assert (answer.status_code, answer.json()["location"]) == (400, "")
    rows = b'{"schema_version": 1, "pack": {"id": "a"}, "lessons": [{"\\udfff": 1}]}'
    answer = await send(lanternquay, IMPORT, rows)
    (row,) = answer.json()["rejected"]
    assert (answer.status_code, row["record"], row["field"]) == (422, 0, "record")


async def test_a_rejection_names_the_title_that_the_record_has(lanternquay: Estate) -> None:
    rows: list[Json] = [
        lesson("Readable", version=0),
        lesson("two\nlines"),
        {"title": 7, "lesson": "a"},
        {"lesson": "a"},
        lesson("x" * 301),
        lesson("Fine"),
    ]
    answer = await send(lanternquay, IMPORT, json.dumps(pack(rows)).encode())
    titles = {row["record"]: row["title"] for row in answer.json()["rejected"]}
    assert titles == {0: "Readable", 1: None, 2: None, 3: None, 4: None}
    odd_packs: list[object] = [{"lessons": [[]]}, {"lessons": {"0": 1}}, {"lessons": "ab"}, []]
    for odd in odd_packs:
        answer = await send(lanternquay, IMPORT, json.dumps(odd).encode())
        assert {row["title"] for row in answer.json()["rejected"]} == {None}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(VALUES)
def test_every_json_value_is_read_as_what_it_is(value: object) -> None:
    assert read_body(json.dumps(value).encode()) == value


@given(st.binary(min_size=1, max_size=40) | st.text(alphabet='{}[]",:0e1.-\\u dnt').map(str.encode))
def test_any_bytes_are_a_value_or_refused(body: bytes) -> None:
    with suppress(UnreadableBodyError, RepeatedNameError):
        json.dumps(read_body(body))
