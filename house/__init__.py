"""What can be done in a House, one module a command.

A command takes what it works with, the caller's token and the time; it opens its own transaction,
lets the rules decide, and appends what it did together with the derivation that permitted it.
"""

from house.acting import (
    UnknownPrincipalError,
)
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
from house.governors import (
    NotASpiritError,
    StaleAppointmentError,
    appoint_governor,
)
from house.grants import (
    NotGoverningError,
    PeriodError,
    give_grant,
    list_grants,
    revoke_grant,
)
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
from house.pages import MOST_ITEMS, USUAL_ITEMS, CursorError, Page, Window
from house.principals import (
    LastOperatorError,
    PrincipalExistsError,
    create_principal,
    list_principals,
    revoke_principal,
)
from house.projects import (
    ProjectRetiredError,
    list_projects,
    open_project,
    retire_project,
)
from house.reviews import StaleReviewError, TransitionRefusedError, review_lesson
from house.rooms import (
    create_room,
    list_rooms,
)
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
from house.tokens import (
    TokenExistsError,
    create_token,
    list_tokens,
    revoke_token,
)
from house.updates import IdentityError, update_lesson
from house.vocabularies import (
    VocabularyFullError,
    list_vocabulary,
    register_vocabulary,
)

__all__ = [
    "MOST_ITEMS",
    "PACKS",
    "USUAL_ITEMS",
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
    "LastOperatorError",
    "LessonExistsError",
    "LessonForgottenError",
    "NotASpiritError",
    "NotFoundError",
    "NotGoverningError",
    "Page",
    "PeriodError",
    "PrincipalExistsError",
    "ProjectRetiredError",
    "ReasonCache",
    "RoomNotNamedError",
    "RulesetBrokenError",
    "Runtime",
    "StaleAppointmentError",
    "StaleBaselineError",
    "StaleReviewError",
    "StaleTitleError",
    "SuccessorRefusedError",
    "SupersededError",
    "TokenExistsError",
    "TransitionRefusedError",
    "UnauthenticatedError",
    "UndeclaredValueError",
    "UnknownPrincipalError",
    "UnknownProjectError",
    "VocabularyFullError",
    "Window",
    "appoint_governor",
    "authenticate",
    "create_lesson",
    "create_principal",
    "create_room",
    "create_token",
    "deliver_packet",
    "forget_lesson",
    "forget_packet",
    "found_house",
    "give_grant",
    "import_lessons",
    "lessons_left_out",
    "list_grants",
    "list_lessons",
    "list_packets",
    "list_principals",
    "list_projects",
    "list_rooms",
    "list_tokens",
    "list_vocabulary",
    "open_project",
    "packet_for_worker",
    "packet_state",
    "read_derivation",
    "read_facts",
    "read_lesson",
    "read_packet",
    "read_ruleset",
    "register_vocabulary",
    "renew_operator_token",
    "retire_project",
    "review_lesson",
    "revoke_grant",
    "revoke_principal",
    "revoke_token",
    "scenario_files",
    "shipped",
    "shipped_sources",
    "start_task",
    "supersede_lesson",
    "update_lesson",
    "why_left_out",
]
