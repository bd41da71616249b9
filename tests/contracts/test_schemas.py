"""The published contracts: golden bodies for ever, and schemas that say what the models do."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError as SchemaError
from jsonschema.validators import extend
from pydantic import ValidationError
from refused_bodies import GOLDEN, GONE, REFUSED, Place, changed, golden

from contracts import CONTRACTS, schema_digest, schema_id, schema_text, schema_version

BODIES = sorted(path.relative_to(GOLDEN) for path in GOLDEN.glob("*/*.json"))
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 10**9, 10**30, 0.5, "", " ", "a", "A b", "a\nb", "a\0", "\u2028",
    "\u0085a", "\x1c", "\x85", "\u00a0", "\u200b", "\U0001f6f6", "shared", "x" * 301, "y" * 8001,
    [], {}, [1], ["a"], ["a b"], [None], {"a": 1}, ["k"] * 65, {"path": "p"}, {"id": "a"}, GONE,
]  # fmt: skip
NOT_IN_SCHEMAS = ("refer to itself", "needs a project key", "comes before")


def _pattern(_: object, pattern: str, instance: object, __: object) -> Iterator[SchemaError]:
    """`pattern` as ECMA 262 has it: there `$` is the end, in Python also a line feed before it."""
    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield SchemaError(f"does not match {pattern}")


EcmaValidator: Any = extend(Draft202012Validator, {"pattern": _pattern})


def schema(contract: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(schema_text(contract))
    return found


def fits_schema(contract: str, body: object) -> bool:
    return bool(EcmaValidator(schema(contract)).is_valid(body))


def refusals(contract: str, text: str) -> list[str]:
    """What the model has against a body, read as JSON; nothing if it accepts it."""
    try:
        CONTRACTS[contract].model_validate_json(text)
    except ValidationError as cause:
        return [error["msg"] for error in cause.errors()]
    return []


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_schema_is_one_by_its_metaschema_and_has_a_name_of_its_own(contract: str) -> None:
    found = schema(contract)
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$id"] == schema_id(contract) == f"urn:athanor:schema:{contract}"
    assert found["description"]
    assert contract.endswith(f".v{schema_version(contract)}")
    assert schema_digest(contract) == hashlib.sha256(schema_text(contract)).hexdigest()


def test_contracts_stand_in_order() -> None:
    assert re.fullmatch(r"([a-z]+(-[a-z]+)*\.v[1-9]\d* ?)+", " ".join(CONTRACTS))
    assert sorted(CONTRACTS, key=lambda name: name.replace(".", " ")) == list(CONTRACTS)


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_a_golden_body_is_accepted_by_model_and_schema(body: Path) -> None:
    text = (GOLDEN / body).read_text(encoding="utf-8")
    contract = str(body.parent)
    assert refusals(contract, text) == []
    assert fits_schema(contract, json.loads(text))


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_what_was_read_from_a_golden_body_is_written_as_one_that_both_accept(body: Path) -> None:
    contract = str(body.parent)
    record = CONTRACTS[contract].model_validate_json((GOLDEN / body).read_bytes())
    text = record.model_dump_json()
    assert fits_schema(contract, json.loads(text))
    assert CONTRACTS[contract].model_validate_json(text) == record


def test_no_golden_body_was_changed_or_removed_and_every_contract_has_several() -> None:
    lines = (GOLDEN / "digests.txt").read_text(encoding="ascii").splitlines()
    kept = {Path(name): digest for digest, name in (line.split("  ") for line in lines)}
    found = {b: hashlib.sha256((GOLDEN / b).read_bytes()).hexdigest() for b in BODIES}
    assert found == kept
    for contract in CONTRACTS:
        assert len([body for body in BODIES if str(body.parent) == contract]) >= 3, contract
    assert {str(body.parent) for body in BODIES} == set(CONTRACTS)


CASES = [(contract, *case) for contract, cases in REFUSED.items() for case in cases]


@pytest.mark.parametrize(("contract", "name", "place", "value"), CASES)
def test_a_body_is_refused_by_model_and_schema(
    contract: str, name: str, place: Place, value: object
) -> None:
    body = changed(golden(contract, name), place, value)
    assert refusals(contract, json.dumps(body))
    assert not fits_schema(contract, body)


def test_every_contract_has_bodies_that_it_refuses() -> None:
    assert set(REFUSED) == set(CONTRACTS)


def places(body: Any, way: Place = ()) -> Iterator[Place]:
    """Every place inside a body, and one more of each object and list."""
    if isinstance(body, dict):
        for key, value in [*body.items(), ("more", None)]:
            yield (*way, key)
            yield from places(value, (*way, key))
    elif isinstance(body, list):
        for number, value in [*enumerate(body), (len(body), None)]:
            yield (*way, number)
            yield from places(value, (*way, number))


def variants(body: Any) -> Iterator[Any]:
    for place in places(body):
        for value in ODD:
            try:
                yield changed(body, place, value)
            except (KeyError, IndexError):
                continue


@pytest.mark.parametrize("body", BODIES, ids=str)
def test_model_and_schema_agree_on_what_a_golden_body_may_become(body: Path) -> None:
    contract = str(body.parent)
    validator = EcmaValidator(schema(contract))
    for variant in variants(json.loads((GOLDEN / body).read_text(encoding="utf-8"))):
        against = refusals(contract, json.dumps(variant))
        if against and all(any(said in told for said in NOT_IN_SCHEMAS) for told in against):
            continue
        assert validator.is_valid(variant) == (not against), (variant, against)


def test_what_schemas_cannot_say_is_said_by_the_models_alone() -> None:
    whole = golden("task-start.v1", "whole")
    report = changed(golden("import-report.v1", "imported"), ("imported",), 43.0)
    assert fits_schema("import-report.v1", report)
    assert refusals("import-report.v1", json.dumps(report))
    assert fits_schema("task-start.v1", whole)
    for place, value in ((("project",), None), (("negation_of_title",), "t")):
        body = changed(golden("lesson.v1", "least"), place, value)
        body["kind"] = "project_lesson" if value is None else "coding_lesson"
        assert fits_schema("lesson.v1", body)
        assert refusals("lesson.v1", json.dumps(body))
