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
from house.creations import LessonExistsError, create_lesson
from house.evaluation import BusyError, Evaluator, InvariantBrokenError
from house.forgetting import forget_lesson, forget_packet
from house.founding import Founding, found_house, renew_operator_token
from house.imports import import_lessons
from house.left_out import ReasonCache, lessons_left_out, why_left_out
from house.lesson_lookup import (
    LessonForgottenError,
    StaleBaselineError,
    StaleTitleError,
    SupersededError,
)
from house.lesson_reading import list_lessons, read_lesson
from house.lesson_writing import FieldRefusedError
from house.packets import deliver_packet, list_packets, packet_for_worker, packet_state
from house.pages import CursorError, Page, Window
from house.reviews import StaleReviewError, TransitionRefusedError, review_lesson
from house.rulesets import PACKS, RulesetBrokenError, scenario_files, shipped, shipped_sources
from house.runtime import Runtime
from house.supersession import CircleError, SuccessorRefusedError, supersede_lesson
from house.tasks import (
    EpochNotReachedError,
    RoomNotNamedError,
    UndeclaredValueError,
    UnknownProjectError,
    start_task,
)
from house.updates import IdentityError, update_lesson

__all__ = [
    "PACKS",
    "Answer",
    "BusyError",
    "Call",
    "CircleError",
    "ConflictError",
    "CursorError",
    "DeniedError",
    "EpochNotReachedError",
    "Evaluator",
    "FieldRefusedError",
    "ForgottenError",
    "Founding",
    "IdentityError",
    "InvariantBrokenError",
    "KeyReusedError",
    "LessonExistsError",
    "LessonForgottenError",
    "NotFoundError",
    "Page",
    "ReasonCache",
    "RoomNotNamedError",
    "RulesetBrokenError",
    "Runtime",
    "StaleBaselineError",
    "StaleReviewError",
    "StaleTitleError",
    "SuccessorRefusedError",
    "SupersededError",
    "TransitionRefusedError",
    "UnauthenticatedError",
    "UndeclaredValueError",
    "UnknownProjectError",
    "Window",
    "authenticate",
    "create_lesson",
    "deliver_packet",
    "forget_lesson",
    "forget_packet",
    "found_house",
    "import_lessons",
    "lessons_left_out",
    "list_lessons",
    "list_packets",
    "packet_for_worker",
    "packet_state",
    "read_derivation",
    "read_facts",
    "read_lesson",
    "read_packet",
    "read_ruleset",
    "renew_operator_token",
    "review_lesson",
    "scenario_files",
    "shipped",
    "shipped_sources",
    "start_task",
    "supersede_lesson",
    "update_lesson",
    "why_left_out",
]
