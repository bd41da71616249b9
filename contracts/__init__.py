"""Versioned records that cross a boundary, as strict pydantic models.

Unknown fields are refused by name, never stripped. Nothing here reaches out: no clock, no
environment, no database.
"""

from contracts.bundles import Bundle, FactRow
from contracts.imports import ImportReport, Rejection
from contracts.left_out import (
    Delivered,
    Delivery,
    LeftOut,
    LeftOutPage,
    PacketPage,
    PacketState,
    PacketSummary,
)
from contracts.lesson_changes import (
    TRANSITIONS,
    Decision,
    LessonForgetting,
    LessonForgotten,
    LessonReview,
    LessonReviewed,
    LessonSuperseded,
    LessonSupersession,
    LessonUpdate,
    LessonWritten,
    NewLesson,
    PacketForgetting,
    PacketForgotten,
    Successor,
)
from contracts.lesson_files import field_line, file_names, read_lesson, written_lesson
from contracts.lesson_texts import Finding
from contracts.lesson_views import (
    LessonDetail,
    LessonDisposition,
    LessonGivenWay,
    LessonItem,
    LessonLink,
    LessonPage,
    LessonVersion,
)
from contracts.lessons import (
    Disposition,
    LessonPack,
    LessonRecord,
    LessonSource,
    LessonTrigger,
    PackIdentity,
)
from contracts.packets import PACKET_LESSONS, Packet, PacketLesson, Replacement, ReplacementReason
from contracts.problems import FieldError, Problem
from contracts.rendering import RENDERED_BYTES, rendered
from contracts.schemas import CONTRACTS, schema_digest, schema_id, schema_text, schema_version
from contracts.tasks import StateVector, TaskStart, intent_digest
from contracts.texts import Title

__all__ = [
    "CONTRACTS",
    "PACKET_LESSONS",
    "RENDERED_BYTES",
    "TRANSITIONS",
    "Bundle",
    "Decision",
    "Delivered",
    "Delivery",
    "Disposition",
    "FactRow",
    "FieldError",
    "Finding",
    "ImportReport",
    "LeftOut",
    "LeftOutPage",
    "LessonDetail",
    "LessonDisposition",
    "LessonForgetting",
    "LessonForgotten",
    "LessonGivenWay",
    "LessonItem",
    "LessonLink",
    "LessonPack",
    "LessonPage",
    "LessonRecord",
    "LessonReview",
    "LessonReviewed",
    "LessonSource",
    "LessonSuperseded",
    "LessonSupersession",
    "LessonTrigger",
    "LessonUpdate",
    "LessonVersion",
    "LessonWritten",
    "NewLesson",
    "PackIdentity",
    "Packet",
    "PacketForgetting",
    "PacketForgotten",
    "PacketLesson",
    "PacketPage",
    "PacketState",
    "PacketSummary",
    "Problem",
    "Rejection",
    "Replacement",
    "ReplacementReason",
    "StateVector",
    "Successor",
    "TaskStart",
    "Title",
    "field_line",
    "file_names",
    "intent_digest",
    "read_lesson",
    "rendered",
    "schema_digest",
    "schema_id",
    "schema_text",
    "schema_version",
    "written_lesson",
]
