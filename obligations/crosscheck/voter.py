"""The voter: questions put to pyDatalog in a process of its own, and answers compared."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from engine import Row
from obligations.crosscheck.codes import UnknownCodeError
from obligations.crosscheck.jobs import Job, job_of
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
from obligations.crosscheck.questions import Question, unfolded
from obligations.crosscheck.worker import OUT_OF_MEMORY
from obligations.process import Completed, NotStartedError, ProcessTimeoutError, run

Theirs: TypeAlias = Sequence[set[Row]]
"""The rows of each asked relation, in the order in which they were asked for."""

_SCRIPT: Final = Path(__file__).with_name("worker.py")
_FLAGS: Final = ("-I", "-B", "-W", "ignore")
"""Nothing from the environment or the folder of the script, no files left, no warnings."""

_LONGEST_DETAIL: Final = 200


class Voter:
    """Votes by pyDatalog, one process a call and one call at a time.

    `python` is an interpreter that has pyDatalog. A process that takes longer than
    `timeout_seconds` is killed with its group; `memory_bytes` bounds its address space. Votes are
    for programs that our checks passed and that our evaluator answered without a fault: pyDatalog
    would refuse none of the others.
    """

    def __init__(
        self, python: Path, *, timeout_seconds: float, memory_bytes: int | None = None
    ) -> None:
        self._python = python
        self._timeout_seconds = timeout_seconds
        self._memory_bytes = memory_bytes
        self._lock = Lock()

    def vote(self, question: Question) -> Vote:
        """Whether pyDatalog has the same rows in every relation of the question."""
        return self.vote_all([question])[0]

    def vote_all(self, questions: Sequence[Question]) -> tuple[Vote, ...]:
        """The votes on some questions by one process: what ends it leaves all of them unchecked."""
        votes: dict[int, Vote] = {}
        jobs: dict[int, Job] = {}
        for place, question in enumerate(questions):
            rules = unfolded(question.program, question.ours, question.computed)
            if rules.findings:
                votes[place] = Unchecked(Inexpressible(rules.findings))
            else:
                jobs[place] = job_of(question, rules)
        answers = self._answers(list(jobs.values())) if jobs else ()
        for position, place in enumerate(jobs):
            votes[place] = (
                answers
                if isinstance(answers, Unchecked)
                else _compared(questions[place], answers[position])
            )
        return tuple(votes[place] for place in range(len(questions)))

    def _answers(self, jobs: Sequence[Job]) -> Sequence[Theirs] | Unchecked:
        # The limit on processor time is for a process that has lost us: nobody would stop it.
        limits = (self._memory_bytes or 0, math.ceil(self._timeout_seconds) + 1)
        try:
            with self._lock:
                done = run(
                    [str(self._python), *_FLAGS, str(_SCRIPT), *map(str, limits)],
                    env={},
                    cwd=Path("/"),
                    stdin=json.dumps([job.wire for job in jobs]).encode(),
                    timeout_seconds=self._timeout_seconds,
                )
        except ProcessTimeoutError:
            return Unchecked(OutOfLimit("seconds", self._timeout_seconds))
        except NotStartedError as error:
            return Unchecked(WorkerFailed(str(error)))
        # Compiled code that cannot raise complains and goes on, with whatever it has not done.
        if done.returncode or done.stderr:
            return Unchecked(self._failure(done))
        try:
            answers = zip(json.loads(done.stdout), jobs, strict=True)
            return [
                [
                    set(map(job.codes.decode, rows))
                    for rows, _ in zip(answer, job.asked, strict=True)
                ]
                for answer, job in answers
            ]
        except (ValueError, TypeError, UnknownCodeError):
            return Unchecked(WorkerFailed("its answer cannot be read"))

    def _failure(self, done: Completed) -> OutOfLimit | WorkerFailed:
        """Why a process ended early; what it says holds codes, never symbols."""
        if self._memory_bytes and (done.returncode == OUT_OF_MEMORY or b"bad_alloc" in done.stderr):
            return OutOfLimit("memory_bytes", self._memory_bytes)
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2][:_LONGEST_DETAIL]
        cause = f"signal {-done.returncode}" if done.returncode < 0 else f"code {done.returncode}"
        return WorkerFailed(f"it ended with {cause}{': ' if said else ''}{said}")


def _compared(question: Question, theirs: Theirs) -> Vote:
    pairs = zip(question.ours.items(), theirs, strict=True)
    found = [Difference.between(name, ours, rows) for (name, ours), rows in pairs]
    differences = tuple(difference for difference in found if difference is not None)
    return Diverges(differences) if differences else Agrees(tuple(question.ours))
