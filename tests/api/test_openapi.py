"""The OpenAPI document: version 3.1, whole, and about every route that there is."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from houses import Estate
from test_problems import ERRANDS

from api.http import create_application
from api.http.conflicts import CONFLICTS
from api.http.problems import _FRAMEWORK, _KINDS
from contracts import schema_text

pytestmark = pytest.mark.anyio
METHODS = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
Document = dict[str, Any]


@pytest.fixture
async def document(lanternquay: Estate) -> Document:
    async with lanternquay.client(None) as client:
        answer = await client.get("/openapi/openapi.json")
    assert answer.status_code == 200
    found: Document = answer.json()
    return found


def operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method in METHODS:
                yield path, method, operation


def references(value: object) -> Iterator[str]:
    """Every `$ref` of a JSON value."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if isinstance(item.get("$ref"), str):
                yield item["$ref"]
            stack += item.values()
        elif isinstance(item, list):
            stack += item


async def test_it_names_its_version_title_and_licence(document: Document) -> None:
    assert document["openapi"].startswith("3.1.")
    assert {"title", "version", "license"} <= set(document["info"])
    assert not {"identifier", "url"} <= set(document["info"]["license"])  # one or the other
    assert document["components"]["securitySchemes"]["token"] == {
        "type": "http",
        "scheme": "bearer",
    }


async def test_it_lists_every_route_and_no_other(lanternquay: Estate, document: Document) -> None:
    application = create_application(lanternquay.runtime, lanternquay.clock)
    routes = {
        (route.path_format, method.lower())
        for route in application.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS" and not route.path.startswith("/openapi")
    }
    assert routes == {(path, method) for path, method, _ in operations(document)}
    assert {path for path, _ in routes} == {
        "/health",
        "/ready",
        "/v1/capabilities",
        "/v1/derivations/{digest}",
        "/v1/fact-sets/{digest}",
        "/v1/grants",
        "/v1/grants/{grant_id}/revoke",
        "/v1/lessons",
        "/v1/lessons/import",
        "/v1/lessons/{lesson_id}",
        "/v1/lessons/{lesson_id}/forget",
        "/v1/lessons/{lesson_id}/review",
        "/v1/lessons/{lesson_id}/supersede",
        "/v1/packets",
        "/v1/packets/{packet_id}",
        "/v1/packets/{packet_id}/deliveries",
        "/v1/packets/{packet_id}/forget",
        "/v1/packets/{packet_id}/left-out",
        "/v1/packets/{packet_id}/left-out/{lesson_id}",
        "/v1/packets/{packet_id}/state",
        "/v1/packets/{packet_id}/text",
        "/v1/principals",
        "/v1/principals/{principal}/revoke",
        "/v1/projects",
        "/v1/projects/{project}/retire",
        "/v1/rooms",
        "/v1/rooms/{room}/governor",
        "/v1/rulesets/{version}",
        "/v1/schemas",
        "/v1/schemas/{name}",
        "/v1/tasks/start",
        "/v1/tokens",
        "/v1/tokens/{token_id}/revoke",
        "/v1/vocabulary",
    }


async def test_every_reference_leads_somewhere(document: Document) -> None:
    found = set(references(document))
    assert found
    for reference in found:
        place: Any = document
        assert reference.startswith("#/")
        for part in reference.removeprefix("#/").split("/"):
            place = place[part.replace("~1", "/").replace("~0", "~")]
        assert isinstance(place, dict)


async def test_every_operation_has_a_name_of_its_own_a_summary_and_an_answer(
    document: Document,
) -> None:
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for _, _, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        assert "200" in operation["responses"]
        assert all(answer["description"] for answer in operation["responses"].values())


async def test_every_parameter_of_a_path_is_declared_and_required(document: Document) -> None:
    for path, _, operation in operations(document):
        declared = {
            parameter["name"]
            for parameter in operation.get("parameters", [])
            if parameter["in"] == "path" and parameter["required"]
        }
        assert declared == {part[1:-1] for part in path.split("/") if part.startswith("{")}


PUBLIC = {"/health", "/ready", "/v1/capabilities", "/v1/schemas", "/v1/schemas/{name}"}
KINDS = {kind.code: kind for kind in [*_KINDS.values(), *CONFLICTS.values(), *_FRAMEWORK.values()]}
OF_NO_ROUTE = {"no_route", "method"}


async def test_what_needs_a_token_says_so_and_nothing_else_does(document: Document) -> None:
    assert "security" not in document
    for path, _, operation in operations(document):
        wanted: list[dict[str, list[str]]] | None = None if path in PUBLIC else [{"token": []}]
        assert operation.get("security") == wanted, path
        assert ("401" in operation["responses"]) == (path not in PUBLIC), path


def codes_of(answer: Document) -> list[str]:
    return re.findall(r"`(\w+)`:", answer["description"])


async def test_every_refusal_of_a_route_is_a_problem_with_codes_of_the_table(
    document: Document,
) -> None:
    seen: set[str] = set()
    for path, _, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status == "200" or (path, status) == ("/ready", "503"):
                continue
            assert list(answer["content"]) == ["application/problem+json"], (path, status)
            reference = answer["content"]["application/problem+json"]["schema"]["$ref"]
            assert reference == "#/components/schemas/Problem"
            assert codes_of(answer), (path, status)
            for code in codes_of(answer):
                assert KINDS[code].status == int(status)
                assert KINDS[code].title in answer["description"]
            seen |= set(codes_of(answer))
    assert seen == set(KINDS) - OF_NO_ROUTE


async def test_every_refusal_that_is_provoked_somewhere_is_documented(document: Document) -> None:
    routes = [(re.sub(r"\{\w+\}", "[^/]+", p), m, o) for p, m, o in operations(document)]
    met: set[str] = set()
    for name, errand in ERRANDS.items():
        for pattern, method, operation in routes:
            if method == errand.method.lower() and re.fullmatch(
                pattern, errand.path.partition("?")[0]
            ):
                met.add(name)
                assert errand.code in codes_of(operation["responses"][str(errand.status)]), name
    assert {name for name in ERRANDS if ERRANDS[name].code not in OF_NO_ROUTE} == met


async def test_a_problem_is_described_as_the_contract_has_it(document: Document) -> None:
    described = document["components"]["schemas"]["Problem"]
    published = json.loads(schema_text("problem.v1"))
    assert set(described["properties"]) == set(published["properties"])
    assert set(described["required"]) == set(published["required"])


async def test_the_body_of_a_task_start_is_described_with_its_nine_fields(
    document: Document,
) -> None:
    content = document["paths"]["/v1/tasks/start"]["post"]["requestBody"]["content"]
    reference = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
    schema = document["components"]["schemas"][reference]
    assert len(schema["required"]) == 9
    assert {"minimum_epoch", "room", "state"} == set(schema["properties"]) - set(schema["required"])
