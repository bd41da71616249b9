"""What can be done in a House, one module a command.

A command takes what it works with, the caller's token and the time; it opens its own transaction,
lets the rules decide, and appends what it did together with the derivation that permitted it.
"""

from house.answers import (
    ForgottenError,
    NotFoundError,
    read_derivation,
    read_facts,
    read_packet,
    read_ruleset,
)
from house.authorization import (
    Answer,
    DeniedError,
    UnauthenticatedError,
    authenticate,
)
from house.commands import Call, ConflictError, KeyReusedError
from house.evaluation import BusyError, Evaluator, InvariantBrokenError
from house.founding import Founding, found_house, renew_operator_token
from house.imports import import_lessons
from house.left_out import ReasonCache, lessons_left_out, why_left_out
from house.packets import deliver_packet, list_packets, packet_for_worker, packet_state
from house.pages import CursorError, Page, Window
from house.rulesets import PACKS, RulesetBrokenError, scenario_files, shipped, shipped_sources
from house.runtime import Runtime
from house.tasks import (
    EpochNotReachedError,
    RoomNotNamedError,
    UndeclaredValueError,
    UnknownProjectError,
    start_task,
)

__all__ = [
    "PACKS",
    "Answer",
    "BusyError",
    "Call",
    "ConflictError",
    "CursorError",
    "DeniedError",
    "EpochNotReachedError",
    "Evaluator",
    "ForgottenError",
    "Founding",
    "InvariantBrokenError",
    "KeyReusedError",
    "NotFoundError",
    "Page",
    "ReasonCache",
    "RoomNotNamedError",
    "RulesetBrokenError",
    "Runtime",
    "UnauthenticatedError",
    "UndeclaredValueError",
    "UnknownProjectError",
    "Window",
    "authenticate",
    "deliver_packet",
    "found_house",
    "import_lessons",
    "lessons_left_out",
    "list_packets",
    "packet_for_worker",
    "packet_state",
    "read_derivation",
    "read_facts",
    "read_packet",
    "read_ruleset",
    "renew_operator_token",
    "scenario_files",
    "shipped",
    "shipped_sources",
    "start_task",
    "why_left_out",
]
