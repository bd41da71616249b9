"""What the public suites share: a case, its outcome, and the record of a run.

`agree` iff every relation that has answers holds exactly their rows; `differ` names the relations
that do not, or the fault of a rule; `outside` says what our subset leaves out; `limit` which limit
was reached; `failed form` what could not be read as facts or answers; `no answers` iff none are
kept beside the program.
"""

import hashlib
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Literal, TypeAlias

import engine
from rules import MATCHERS, Loaded

LIMITS = engine.Limits(base_facts=2_000_000, derived_rows=2_000_000, join_rows=20_000_000)
SECONDS = 60.0

Outcome: TypeAlias = Literal["agree", "differ", "outside", "no answers", "limit", "failed form"]
Record: TypeAlias = dict[str, object]


class OutsideError(Exception):
    """A program or its files ask for something that our subset leaves out."""


class FormError(Exception):
    """Facts or answers are not written in a form that is read here."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows that a relation must hold; `name` is what the suite calls the relation."""

    relation: str
    name: str
    rows: frozenset[engine.Row]


@dataclass(frozen=True, slots=True)
class Case:
    """A program, its facts, and the answers kept beside it."""

    program: engine.Program
    facts: Iterable[engine.Fact]
    answers: Sequence[Answer]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case."""

    case: str
    outcome: Outcome
    detail: str


def judge(name: str, prepare: Callable[[], Case]) -> Result:
    """The result of a case that `prepare` reads; it raises `OutsideError` or `FormError`."""
    try:
        case = prepare()
        return _compared(name, case) if case.answers else Result(name, "no answers", "")
    except OutsideError as cause:
        return Result(name, "outside", str(cause))
    except FormError as cause:
        return Result(name, "failed form", str(cause))


def program_of(loaded: Loaded) -> engine.Program:
    """The program that was loaded; raises `OutsideError` with the codes that refuse it."""
    if loaded.ruleset is None:
        codes = {d.code for d in loaded.diagnostics if d.severity == "error"}
        raise OutsideError(" ".join(sorted(codes)))
    return loaded.ruleset.program


def record(suite: str, root: Path, results: Sequence[Result]) -> Record:
    """What is stored of a run: which suite at which commit and digest, limits, counts, results."""
    counts = Counter(result.outcome for result in results)
    return {
        "suite": suite,
        "suite_commit": commit_of(root),
        "suite_digest": digest_of(root),
        "limits": {**asdict(LIMITS), "seconds": SECONDS},
        "counts": dict(sorted(counts.items())),
        "cases": [asdict(result) for result in results],
    }


def digest_of(root: Path) -> str:
    """A digest of all files of a suite, programs, facts and answers, by path."""
    state = hashlib.sha256()
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root)
        if file.is_file() and ".git" not in path.parts:
            content = hashlib.sha256(file.read_bytes()).digest()
            state.update(str(path).encode() + b"\0" + content)
    return state.hexdigest()


def commit_of(root: Path) -> str | None:
    """The commit that a suite is checked out at, None iff nothing in its folder is tracked."""
    tracked = _git(root, "ls-files", "--", ".")
    return _git(root, "rev-parse", "HEAD") or None if tracked else None


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _compared(name: str, case: Case) -> Result:
    end = monotonic() + SECONDS
    try:
        model = engine.evaluate(
            case.program, case.facts, [], LIMITS, MATCHERS, expired=lambda: monotonic() > end
        )
    except engine.LimitReachedError as cause:
        return Result(name, "limit", str(cause))
    except engine.FactRefusedError as cause:
        return Result(name, "failed form", str(cause))
    except (engine.ArithmeticFaultError, engine.MatcherFaultError) as cause:
        return Result(name, "differ", f"a rule failed: {cause}")
    wrong = [
        f"{answer.name}: {len(found)} rows, {len(answer.rows)} expected"
        for answer in case.answers
        if (found := model.of(answer.relation)) != answer.rows
    ]
    if wrong:
        return Result(name, "differ", "; ".join(wrong))
    rows = sum(len(answer.rows) for answer in case.answers)
    return Result(name, "agree", f"relations: {len(case.answers)}, rows: {rows}")
