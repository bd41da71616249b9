"""The intent digest: SHA-256 of the RFC 8785 JSON of nine fields, by published vectors.

The canonical JSON of each vector is written by hand: keys sorted, no blanks, text as it is but for
quotation mark, backslash and control characters.
"""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import TaskStart, intent_digest

PLAIN: dict[str, Any] = {
    "worker_id": "worker-1",
    "worker_role": "builder",
    "phase": "build",
    "project_key": "sluicebook",
    "task_kind": "feature",
    "risk": "low",
    "target": "the sluice register",
    "change": "Rinse the brass valve.",
    "proof_contract": ["the brass stays bright"],
}
VECTORS = {
    "plain": (
        PLAIN,
        (
            b'{"change":"Rinse the brass valve.","phase":"build","project_key":"sluicebook",'
            b'"proof_contract":["the brass stays bright"],"risk":"low",'
            b'"target":"the sluice register","task_kind":"feature","worker_id":"worker-1",'
            b'"worker_role":"builder"}'
        ),
        "e93d0ef0816384259fd51f9dcc34a66a3e0df7824279b6be774f392dd7619c74",
    ),
    "every character that is written otherwise": (
        PLAIN
        | {
            "target": 'a "quoted" \\ path/with\ttab',
            "change": "two\nlines\r and \u0001, \u001f, \u007f, \u2028",
            "proof_contract": ["one", "two", "one"],
            "risk": "high",
        },
        (
            b'{"change":"two\\nlines\\r and \\u0001, \\u001f, \x7f, \xe2\x80\xa8","phase":"build",'
            b'"project_key":"sluicebook","proof_contract":["one","two","one"],"risk":"high",'
            b'"target":"a \\"quoted\\" \\\\ path/with\\ttab","task_kind":"feature",'
            b'"worker_id":"worker-1","worker_role":"builder"}'
        ),
        "fac023d1b8b541163021f9dbe3eb0fd2687b5eba9e838b7fd3760563a791c8e0",
    ),
    "text beyond ASCII, composed and not": (
        PLAIN
        | {
            "worker_id": "\u00e9",
            "worker_role": "e\u0301",
            "target": "\U0001f6f6 \u65e5\u672c",
            "change": "\u202eright to left",
            "risk": "medium",
            "project_key": "a.b_c-9",
        },
        (
            b'{"change":"\xe2\x80\xaeright to left","phase":"build","project_key":"a.b_c-9",'
            b'"proof_contract":["the brass stays bright"],"risk":"medium",'
            b'"target":"\xf0\x9f\x9b\xb6 \xe6\x97\xa5\xe6\x9c\xac","task_kind":"feature",'
            b'"worker_id":"\xc3\xa9","worker_role":"e\xcc\x81"}'
        ),
        "09e9bffd8fb6b2ee81a5ffee5867b1cb6e16bdda43eaf7552009d9acdb5cc367",
    ),
}
CHANGED = {
    "worker_id": "worker-2",
    "worker_role": "reviewer",
    "phase": "review",
    "project_key": "quaygauge",
    "task_kind": "bugfix",
    "risk": "medium",
    "target": "the sluice registers",
    "change": "Rinse the brass valve. ",
    "proof_contract": ["the brass stays bright", "the brass stays bright"],
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_has_its_published_digest(name: str) -> None:
    fields, canonical, published = VECTORS[name]
    assert hashlib.sha256(canonical).hexdigest() == published
    assert intent_digest(TaskStart.model_validate(fields)) == published


@pytest.mark.parametrize("field", CHANGED)
def test_each_of_the_nine_fields_alone_makes_another_intent(field: str) -> None:
    assert set(CHANGED) == set(PLAIN)
    changed = TaskStart.model_validate(PLAIN | {field: CHANGED[field]})
    assert intent_digest(changed) != intent_digest(TaskStart.model_validate(PLAIN))


def test_the_order_of_proofs_is_part_of_the_intent() -> None:
    one, other = (
        TaskStart.model_validate(PLAIN | {"proof_contract": proofs})
        for proofs in (["first", "second"], ["second", "first"])
    )
    assert intent_digest(one) != intent_digest(other)


def test_room_and_state_vector_are_no_part_of_the_intent() -> None:
    state = {
        "stages": ["build"],
        "registers": ["operations"],
        "languages": ["python"],
        "technologies": ["redis"],
    }
    known = TaskStart.model_validate(PLAIN | {"room": "forge", "state": state})
    assert intent_digest(known) == intent_digest(TaskStart.model_validate(PLAIN))


NAMES = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=6
).filter(lambda text: bool(text.strip()))


@given(NAMES, NAMES, NAMES)
def test_text_that_moves_from_one_field_to_the_next_is_another_intent(
    one: str, two: str, three: str
) -> None:
    left = TaskStart.model_validate(PLAIN | {"target": one + two, "change": three})
    right = TaskStart.model_validate(PLAIN | {"target": one, "change": two + three})
    assert intent_digest(left) != intent_digest(right)
    joined = TaskStart.model_validate(PLAIN | {"proof_contract": [one + two]})
    parted = TaskStart.model_validate(PLAIN | {"proof_contract": [one, two]})
    assert intent_digest(joined) != intent_digest(parted)
