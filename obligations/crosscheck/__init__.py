"""The cross-check."""

from obligations.crosscheck.constructs import COMPUTED, INEXPRESSIBLE, UNSAFE, Finding
from obligations.crosscheck.outcomes import (
    Agrees,
    Difference,
    Diverges,
    Inexpressible,
    OutOfLimit,
    Unchecked,
    Vote,
    WorkerFailed,
)
from obligations.crosscheck.questions import Question
from obligations.crosscheck.voter import Voter

__all__ = [
    "COMPUTED",
    "INEXPRESSIBLE",
    "UNSAFE",
    "Agrees",
    "Difference",
    "Diverges",
    "Finding",
    "Inexpressible",
    "OutOfLimit",
    "Question",
    "Unchecked",
    "Vote",
    "Voter",
    "WorkerFailed",
]
