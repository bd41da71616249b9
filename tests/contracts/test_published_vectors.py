"""The published vectors of the intent digest, computed by canonicalisers that share nothing."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from contracts import TaskStart, intent_digest

PAGE = Path(__file__).parents[2] / "docs" / "intent-digest-vectors.json"
FIELDS = {
    "worker_id",
    "worker_role",
    "phase",
    "project_key",
    "task_kind",
    "risk",
    "target",
    "change",
    "proof_contract",
}
ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}
PUBLISHED = json.loads(PAGE.read_text(encoding="ascii"))
VECTORS: dict[str, dict[str, Any]] = {row["name"]: row for row in PUBLISHED["vectors"]}
ALIKE = {"plain", "keys in another order", "room and state left beside", "empty lists beside"}


def canonical(value: object) -> str:
    """RFC 8785 for texts, lists and objects, which is all that an intent consists of."""
    if isinstance(value, str):
        return '"' + "".join(ESCAPES.get(sign, _sign(sign)) for sign in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    assert isinstance(value, dict)
    rows = sorted(value.items(), key=lambda row: row[0].encode("utf-16-be"))
    return "{" + ",".join(f"{canonical(key)}:{canonical(item)}" for key, item in rows) + "}"


def _sign(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if sign < " " else sign


@pytest.mark.parametrize("name", VECTORS)
def test_a_published_vector_is_right(name: str) -> None:
    vector = VECTORS[name]
    intent = {key: value for key, value in vector["task"].items() if key in FIELDS}
    assert set(intent) == FIELDS
    encoded = vector["canonical"].encode()
    assert len(encoded) == vector["canonical_bytes"]
    assert canonical(intent).encode() == encoded
    assert rfc8785.dumps(intent) == encoded
    plain = json.dumps(intent, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert plain.encode() == encoded  # enough in Python, since an intent holds no number
    assert hashlib.sha256(encoded).hexdigest() == vector["sha256"]
    assert intent_digest(TaskStart.model_validate(vector["task"])) == vector["sha256"]
    assert json.loads(vector["canonical"]) == intent


def test_the_vectors_say_what_is_alike_and_what_is_not() -> None:
    assert len(VECTORS) == len(PUBLISHED["vectors"]) >= 12
    digests = {name: vector["sha256"] for name, vector in VECTORS.items()}
    assert {digests[name] for name in ALIKE} == {digests["plain"]}
    others = [digest for name, digest in digests.items() if name not in ALIKE]
    assert len({*others, digests["plain"]}) == len(others) + 1
    assert all(row["note"] for row in VECTORS.values())
