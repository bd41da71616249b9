"""Versioned records that cross a boundary, as strict pydantic models.

Unknown fields are refused by name, never stripped. Nothing here reaches out: no clock, no
environment, no database.
"""

from contracts.bundles import Bundle, FactRow
from contracts.imports import ImportReport, Rejection
from contracts.lessons import LessonPack, LessonRecord, LessonSource, LessonTrigger, PackIdentity
from contracts.packets import Packet, PacketLesson, Replacement, ReplacementReason
from contracts.tasks import StateVector, TaskStart, intent_digest

__all__ = [
    "Bundle",
    "FactRow",
    "ImportReport",
    "LessonPack",
    "LessonRecord",
    "LessonSource",
    "LessonTrigger",
    "PackIdentity",
    "Packet",
    "PacketLesson",
    "Rejection",
    "Replacement",
    "ReplacementReason",
    "StateVector",
    "TaskStart",
    "intent_digest",
]
