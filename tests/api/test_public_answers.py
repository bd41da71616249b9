"""What needs no token: `/v1/schemas` and `/v1/capabilities`, and `X-Request-ID` on every answer."""

import hashlib
import json
import re
from dataclasses import asdict, replace
from typing import Any, cast

import httpx
import pytest
from houses import FORGE, SECRET, Estate

from contracts import CONTRACTS, schema_digest, schema_text
from engine import Limits

pytestmark = pytest.mark.anyio
OURS = re.compile("[0-9a-f]{32}")


async def ask(
    house: Estate, path: str, secret: str | None = None, **headers: str
) -> httpx.Response:
    async with house.client(secret) as client:
        return await client.get(path, headers=headers)


async def test_the_contracts_are_listed_in_order_with_their_digests(lanternquay: Estate) -> None:
    answer = await ask(lanternquay, "/v1/schemas")
    rows = answer.json()["schemas"]
    assert [row["name"] for row in rows] == list(CONTRACTS)
    for row in rows:
        assert row["$id"] == f"urn:athanor:schema:{row['name']}"
        assert row["name"].endswith(f".v{row['version']}")
        found = await ask(lanternquay, f"/v1/schemas/{row['name']}")
        assert found.status_code == 200
        assert found.headers["content-type"] == "application/schema+json"
        assert hashlib.sha256(found.content).hexdigest() == row["digest"]
        assert found.headers["etag"] == f'"{row["digest"]}"'
        assert found.content == schema_text(row["name"])


CURRENT = f'"{schema_digest("packet.v1")}"'
TAGS = {
    CURRENT: 304,
    f"W/{CURRENT}": 304,
    f'"other", {CURRENT}': 304,
    "*": 304,
    '"other"': 200,
    CURRENT.strip('"'): 200,
    "": 200,
    ", ,": 200,
}


@pytest.mark.parametrize("tag", TAGS)
async def test_who_has_a_schema_gets_it_once(lanternquay: Estate, tag: str) -> None:
    answer = await ask(lanternquay, "/v1/schemas/packet.v1", **{"If-None-Match": tag})
    assert (answer.status_code, answer.headers["etag"]) == (TAGS[tag], CURRENT)
    assert (answer.content == b"") == (TAGS[tag] == 304)


async def test_the_capabilities_are_those_of_the_program(lanternquay: Estate) -> None:
    told = (await ask(lanternquay, "/v1/capabilities")).json()
    assert told["api_versions"] == ["v1"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", told["version"])
    assert told["contracts"] == list(CONTRACTS)
    assert told["limits"] == {
        "body_bytes": 10_000_000,
        "import_bytes": 67_108_864,
        "packet_lessons": 4,
        "rendered_bytes": 8192,
        "evaluation": asdict(Limits()),
    }
    assert {"GET /health", "POST /v1/tasks/start", "GET /v1/capabilities"} <= set(
        told["operations"]
    )
    assert [row.partition(" ")[2] for row in told["operations"]] == sorted(
        row.partition(" ")[2] for row in told["operations"]
    )


@pytest.mark.parametrize("path", ["/v1/schemas", "/v1/schemas/packet.v1", "/v1/capabilities"])
async def test_it_is_the_same_for_everyone_and_says_nothing_of_the_house(
    lanternquay: Estate, path: str
) -> None:
    answers = [await ask(lanternquay, path, secret) for secret in (None, SECRET, "ath_wrong")]
    assert {answer.content for answer in answers} == {answers[0].content}
    for inside in (FORGE, "sluicebook", "operator", str(lanternquay.house_id), "lanternquay"):
        assert inside not in answers[0].text.lower()


async def test_they_are_answered_without_a_database(lanternquay: Estate) -> None:
    without = replace(lanternquay.runtime, database=cast("Any", None))
    async with lanternquay.client(None, runtime=without) as client:
        for path in ("/v1/schemas", "/v1/schemas/packet.v1", "/v1/capabilities"):
            assert (await client.get(path)).status_code == 200


SENT = {
    "one sign": ("a", True),
    "the longest": ("x" * 128, True),
    "every visible sign": ("".join(map(chr, range(0x21, 0x7F))), True),
    "too long": ("x" * 129, False),
    "nothing": ("", False),
    "a blank inside": ("a b", False),
    "a tab": ("a\tb", False),
    "beyond ASCII": ("\u00e9", False),
    "delete": ("\x7f", False),
}
PATHS = ("/health", "/v1/harbour", "/v1/tasks/start", "/v1/packets/p", "/openapi/openapi.json")


@pytest.mark.parametrize("name", SENT)
@pytest.mark.parametrize("path", PATHS)
async def test_an_answer_has_the_id_of_its_request(
    lanternquay: Estate, path: str, name: str
) -> None:
    sent, kept = SENT[name]
    async with lanternquay.client(None) as client:
        answer = await client.get(path, headers=[(b"X-Request-ID", sent.encode())])
    ids = answer.headers.get_list("x-request-id")
    assert len(ids) == 1
    assert ids == [sent] if kept else OURS.fullmatch(ids[0])


async def test_requests_without_an_id_or_with_two_get_one_of_their_own(
    lanternquay: Estate,
) -> None:
    two = [(b"X-Request-ID", b"one"), (b"x-request-id", b"other")]
    async with lanternquay.client(None) as client:
        answers = [await client.get("/health", headers=rows) for rows in ([], [], two)]
    ids = [answer.headers["x-request-id"] for answer in answers]
    assert all(OURS.fullmatch(row) for row in ids)
    assert len(set(ids)) == 3


async def test_the_document_of_the_interface_needs_no_token(lanternquay: Estate) -> None:
    answer = await ask(lanternquay, "/openapi/openapi.json")
    assert json.loads(answer.content)["info"]["title"] == "Athanor"
