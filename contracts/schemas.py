"""The contracts by their published names, and the JSON Schema (2020-12) of each.

A schema refuses nothing that the service accepts. It accepts more in three ways, since JSON Schema
cannot say otherwise: it takes `1.0` for the integer 1, and it does not compare the fields of a
record with one another. A contract that was published is never narrowed: what it accepted once it
accepts for ever, and what cannot be accepted any more becomes a further version beside it.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import rfc8785

from contracts.bundles import Bundle
from contracts.imports import ImportReport
from contracts.left_out import Delivery, LeftOutPage, PacketState
from contracts.lesson_changes import (
    LessonForgetting,
    LessonReview,
    LessonUpdate,
    NewLesson,
)
from contracts.lessons import LessonPack, LessonRecord
from contracts.packets import Packet
from contracts.problems import Problem
from contracts.tasks import TaskStart
from contracts.texts import Contract

CONTRACTS: Final[Mapping[str, type[Contract]]] = MappingProxyType(
    {
        "bundle.v1": Bundle,
        "delivery.v1": Delivery,
        "import-report.v1": ImportReport,
        "left-out.v1": LeftOutPage,
        "lesson.v1": LessonRecord,
        "lesson-forgetting.v1": LessonForgetting,
        "lesson-pack.v1": LessonPack,
        "lesson-review.v1": LessonReview,
        "lesson-update.v1": LessonUpdate,
        "new-lesson.v1": NewLesson,
        "packet.v1": Packet,
        "packet-state.v1": PacketState,
        "problem.v1": Problem,
        "task-start.v1": TaskStart,
    }
)
"""Every published contract; one is added by adding a line here and golden bodies in the tests."""


@cache
def schema_text(name: str) -> bytes:
    """The schema of a contract as RFC 8785 JSON; raises `KeyError` for an unknown name."""
    schema: dict[str, Any] = CONTRACTS[name].model_json_schema()
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": schema_id(name)}
    return rfc8785.dumps(schema | head)


def schema_digest(name: str) -> str:
    """The SHA-256, in hexadecimal, of the text of a schema."""
    return hashlib.sha256(schema_text(name)).hexdigest()


def schema_id(name: str) -> str:
    """The URN of a schema, its `$id`."""
    return f"urn:athanor:schema:{name}"


def schema_version(name: str) -> int:
    """The version in the name of a contract."""
    return int(name.rpartition(".v")[2])
