"""Contracts at the boundary: strict types, no unknown fields, bounds, and text as it was sent."""

from typing import Any

import pytest
from pydantic import ValidationError

from contracts import LessonPack, LessonRecord, TaskStart
from contracts.lessons import LessonTrigger

TASK: dict[str, Any] = {
    "worker_id": "worker-1",
    "worker_role": "builder",
    "phase": "build",
    "project_key": "sluicebook",
    "task_kind": "feature",
    "risk": "low",
    "target": "t",
    "change": "c",
    "proof_contract": ["p"],
}
REFUSED: dict[str, tuple[str, Any]] = {
    "an unknown field": ("colour", 1),
    "a number for a worker": ("worker_id", 7),
    "an empty worker": ("worker_id", ""),
    "a worker of two lines": ("worker_id", "a\nb"),
    "a worker with NUL": ("worker_id", "a\0"),
    "a worker with a lone surrogate": ("worker_id", "\ud800"),
    "a worker that is too long": ("worker_id", "x" * 201),
    "a project in capitals": ("project_key", "Sluicebook"),
    "a project with a line break": ("project_key", "sluicebook\n"),
    "an unknown risk": ("risk", "none"),
    "a blank change": ("change", " \t"),
    "a change with NUL": ("change", "a\0b"),
    "a change with a lone surrogate": ("change", "\udfff"),
    "a change that is too long": ("change", "x" * 8001),
    "no proof": ("proof_contract", []),
    "a text for proofs": ("proof_contract", "p"),
    "a blank proof": ("proof_contract", ["p", " "]),
    "too many proofs": ("proof_contract", ["p"] * 51),
    "a room with a blank": ("room", "the forge"),
    "a state that is no object": ("state", []),
    "an unknown part of the state": ("state", {"mood": ["calm"]}),
    "a stage with a blank": ("state", {"stages": ["two words"]}),
    "a null for a list": ("state", {"stages": None}),
}
ADMITTED: dict[str, tuple[str, Any]] = {
    "the longest worker": ("worker_id", "x" * 200),
    "the longest change": ("change", "x" * 8000),
    "fifty proofs": ("proof_contract", ["p"] * 50),
    "text beyond ASCII": ("change", "\u00e9 e\u0301 \u202e \U0001f6f6"),
    "no room": ("room", None),
    "C++ and C#": ("state", {"languages": ["c++", "c#", ".net".removeprefix(".")]}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_task_start_is_refused_with_its_field_named(name: str) -> None:
    field, value = REFUSED[name]
    with pytest.raises(ValidationError) as caught:
        TaskStart.model_validate(TASK | {field: value})
    assert {error["loc"][0] for error in caught.value.errors()} == {field}


@pytest.mark.parametrize("name", ADMITTED)
def test_a_task_start_is_admitted_as_it_was_sent(name: str) -> None:
    field, value = ADMITTED[name]
    admitted = TaskStart.model_validate(TASK | {field: value})
    sent = admitted.model_dump(mode="json")[field]
    assert sent == value or sent == admitted.state.model_dump(mode="json")


@pytest.mark.parametrize("field", TASK)
def test_a_task_start_needs_each_of_the_nine_fields(field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        TaskStart.model_validate({k: v for k, v in TASK.items() if k != field})
    assert [error["loc"] for error in caught.value.errors()] == [(field,)]


@pytest.mark.parametrize("version", [True, 1.0, "1", 2, 0, None])
def test_a_pack_of_another_schema_is_refused(version: object) -> None:
    body = {"schema_version": version, "pack": {"id": "a"}, "lessons": []}
    with pytest.raises(ValidationError):
        LessonPack.model_validate(body)


@pytest.mark.parametrize("scope", ["text", "tool", "tool:shell", "tool:a b"])
def test_a_trigger_scope_of_the_three_kinds_is_admitted(scope: str) -> None:
    assert LessonTrigger.model_validate({"scope": scope}).scope == scope


@pytest.mark.parametrize("scope", ["", "tools", "tool:", "texts", "tool:a\0", "tool:" + "x" * 101])
def test_any_other_trigger_scope_is_refused(scope: str) -> None:
    with pytest.raises(ValidationError):
        LessonTrigger.model_validate({"scope": scope})


def test_a_lesson_needs_title_and_rule_and_no_more() -> None:
    record = LessonRecord.model_validate({"title": "t", "lesson": "l"})
    assert (record.kind, record.scope, record.review, record.version) == (
        "coding_lesson",
        "shared",
        "promoted",
        1,
    )


def test_a_contract_cannot_be_changed_once_it_was_read() -> None:
    record = LessonRecord.model_validate({"title": "t", "lesson": "l"})
    with pytest.raises(ValidationError):
        record.title = "other"
