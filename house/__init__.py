"""What can be done in a House, one module a command.

A command takes what it works with, the caller's token and the time; it opens its own transaction,
lets the rules decide, and appends what it did together with the derivation that permitted it.
"""

from house.answers import NotFoundError, read_derivation, read_facts, read_packet, read_ruleset
from house.authorization import (
    DeniedError,
    UnauthenticatedError,
    authenticate,
)
from house.evaluation import BusyError, Evaluator, InvariantBrokenError
from house.founding import Founding, found_house, renew_operator_token
from house.imports import import_lessons
from house.rulesets import PACKS, RulesetBrokenError, scenario_files, shipped, shipped_sources
from house.runtime import Runtime
from house.tasks import RoomNotNamedError, UnknownProjectError, start_task

__all__ = [
    "PACKS",
    "BusyError",
    "DeniedError",
    "Evaluator",
    "Founding",
    "InvariantBrokenError",
    "NotFoundError",
    "RoomNotNamedError",
    "RulesetBrokenError",
    "Runtime",
    "UnauthenticatedError",
    "UnknownProjectError",
    "authenticate",
    "found_house",
    "import_lessons",
    "read_derivation",
    "read_facts",
    "read_packet",
    "read_ruleset",
    "renew_operator_token",
    "scenario_files",
    "shipped",
    "shipped_sources",
    "start_task",
]
