"""The cross-check: a second evaluation by pyDatalog, and whether it has the same rows as ours.

A `Voter` takes `Question`s, our rows of some relations of a program over given facts, and answers
with a `Vote`: `Agrees`, `Diverges` with the rows that one side alone has, or `Unchecked` with the
reason. It is no part of an answer and comes after one: a program that our checks refuse, or that
our evaluator ends with a fault or a limit, has no vote. pyDatalog runs in a process of its own
(`worker`, which shares no code with the engine), one at a time, behind hard limits, and is told
numbers and codes only, nothing of a rule's text. `INEXPRESSIBLE` and `ASSISTED` list what it cannot
be told, and what it is not left to do by itself.
"""

from obligations.crosscheck.constructs import ASSISTED, COMPUTED, INEXPRESSIBLE, UNSAFE, Finding
from obligations.crosscheck.outcomes import (
    SHOWN,
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
    "ASSISTED",
    "COMPUTED",
    "INEXPRESSIBLE",
    "SHOWN",
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
