"""The process behind a vote: it ends within its limits, leaves nothing, and fails in words."""

import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from test_crosscheck import CASES, facts_of, program_of, question

from engine import (
    NUMBER,
    Arithmetic,
    Atom,
    Column,
    Comparison,
    Constant,
    Program,
    Relation,
    Row,
    Rule,
    Variable,
)
from obligations.crosscheck import (
    Agrees,
    OutOfLimit,
    Question,
    Unchecked,
    Voter,
    WorkerFailed,
)

PYTHON = Path(sys.executable)
JOIN = CASES["a join"][0]


def endless() -> Question:
    """Counting without an end, which our evaluator stops by a limit (BUGS.md row 32)."""
    n, m = Variable("n"), Variable("m")
    step = Comparison("=", m, Arithmetic("+", n, Constant(1)))
    rules = (
        Rule("start", Atom("p", (Constant(0),)), ()),
        Rule("step", Atom("p", (m,)), (Atom("p", (n,)), step)),
    )
    program = Program({}, {"p": Relation("p", (Column("n", NUMBER),))}, rules)
    return Question(program, (), {"p": {(0,)}})


def stand_in(path: Path, script: str) -> Path:
    """An interpreter that is a shell script; `$0.pid` will hold its process, `$PYTHON` is ours."""
    path.write_text(f'#!/bin/sh\necho $$ > "$0.pid"\nPYTHON="{PYTHON}"\n{script}\n')
    path.chmod(0o755)
    return path


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def test_a_worker_that_does_not_end_is_killed_within_its_limit(tmp_path: Path) -> None:
    python = stand_in(tmp_path / "python", 'exec "$PYTHON" "$@"')
    began = time.monotonic()
    vote = Voter(python, timeout_seconds=0.5).vote(endless())
    assert time.monotonic() - began < 3
    assert vote == Unchecked(OutOfLimit("seconds", 0.5))
    assert str(vote) == "unchecked: limit `seconds` of 0.5 reached by the second evaluator"
    assert is_gone(int((tmp_path / "python.pid").read_text()))


def test_a_worker_whose_service_is_gone_ends_by_its_own_clock(tmp_path: Path) -> None:
    python = stand_in(tmp_path / "python", 'shift 6; exec "$PYTHON" -I "$0.py" 0 1')
    worker = Path(sys.modules[Voter.__module__].__file__ or "").with_name("worker.py")
    (tmp_path / "python.py").write_text(worker.read_text())
    vote = Voter(python, timeout_seconds=30).vote(endless())
    assert vote == Unchecked(WorkerFailed("it ended with signal 9"))


def test_a_worker_that_needs_too_much_memory_ends_by_itself() -> None:
    voter = Voter(PYTHON, timeout_seconds=60, memory_bytes=64 * 2**20)
    vote = voter.vote(endless())
    assert vote == Unchecked(OutOfLimit("memory_bytes", 64 * 2**20))


def test_memory_that_is_enough_changes_nothing() -> None:
    voter = Voter(PYTHON, timeout_seconds=60, memory_bytes=512 * 2**20)
    assert voter.vote(question(JOIN)) == Agrees(("p",))


FAILURES = {
    "a crash": (
        "echo 'Traceback' >&2; echo 'Error: 7' >&2; exit 1",
        "it ended with code 1: Error: 7",
    ),
    "a signal": ("kill -SEGV $$", "it ended with signal 11"),
    "no answer": ("exit 0", "its answer cannot be read"),
    "no list": ("echo '{}'", "its answer cannot be read"),
    "too few answers": ("echo '[]'", "its answer cannot be read"),
    "too few relations": ("echo '[[]]'", "its answer cannot be read"),
    "no rows": ("echo '[[7]]'", "its answer cannot be read"),
    "an unknown code": ("echo '[[[[\"s9\", 1]]]]'", "its answer cannot be read"),
    "a fraction": ("echo '[[[[1.0, \"s0\"]]]]'", "its answer cannot be read"),
    "a truth value": ("echo '[[[[true, \"s0\"]]]]'", "its answer cannot be read"),
    "a complaint": ("echo '[[[]]]'; echo 'ignored' >&2", "it ended with code 0: ignored"),
    "no pyDatalog": (
        'exec "$PYTHON" -S "$@"',
        "it ended with code 1: ModuleNotFoundError: No module named 'pyDatalog'",
    ),
}


@pytest.mark.parametrize(("script", "problem"), FAILURES.values(), ids=FAILURES)
def test_a_worker_that_fails_leaves_the_vote_unchecked(
    script: str, problem: str, tmp_path: Path
) -> None:
    python = stand_in(tmp_path / "python", script)
    vote = Voter(python, timeout_seconds=20).vote(question(JOIN))
    assert vote == Unchecked(WorkerFailed(problem))


def test_an_interpreter_that_is_missing_is_named(tmp_path: Path) -> None:
    vote = Voter(tmp_path / "gone", timeout_seconds=20).vote(question(JOIN))
    assert isinstance(vote, Unchecked)
    assert str(vote.reason).startswith("the second evaluator failed: the program `")


def test_what_ends_the_process_leaves_every_question_in_it_unchecked() -> None:
    votes = Voter(PYTHON, timeout_seconds=0.5).vote_all([question(JOIN), endless()])
    assert votes == (Unchecked(OutOfLimit("seconds", 0.5)),) * 2


def test_no_question_starts_no_process(tmp_path: Path) -> None:
    assert Voter(tmp_path / "gone", timeout_seconds=1).vote_all([]) == ()


def test_one_process_runs_at_a_time(tmp_path: Path) -> None:
    script = f'mkdir "{tmp_path}/lock" || exit 9\n"$PYTHON" "$@"; rmdir "{tmp_path}/lock"'
    voter = Voter(stand_in(tmp_path / "python", script), timeout_seconds=60)
    votes: list[object] = []
    callers = [Thread(target=lambda: votes.append(voter.vote(question(JOIN)))) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert votes == [Agrees(("p",))] * 4


def test_the_worker_sees_no_symbol_no_name_and_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_CALLER", "1")
    script = 'env > "$0.env"; tee "$0.stdin" | "$PYTHON" "$@"'
    voter = Voter(stand_in(tmp_path / "python", script), timeout_seconds=60)
    text = '.decl shown(a:symbol) @[id = "quiet"] shown(who) :- node(who), who != "secret-a".'
    facts = facts_of({"node": [("secret-b",), ("secret-c",)]})
    shown: set[Row] = {("secret-b",), ("secret-c",)}
    vote = voter.vote(Question(program_of(text), tuple(facts), {"shown": shown}))
    assert vote == Agrees(("shown",))
    told = (tmp_path / "python.stdin").read_text()
    assert not any(word in told for word in ("secret", "shown", "quiet", "who", "node"))
    assert "SECRET" not in (tmp_path / "python.env").read_text()
