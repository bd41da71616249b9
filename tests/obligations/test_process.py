"""Real processes: each test starts some, and looks for them in the system."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from obligations.process import (
    Completed,
    NotStartedError,
    ProcessTimeoutError,
    User,
    run,
    start,
)

ENV = {"PATH": "/usr/bin:/bin"}
NOBODY = User(65534, 65534)


def shell(
    script: str,
    *arguments: str,
    stdin: bytes = b"",
    timeout_seconds: float = 20,
    keep: tuple[int, ...] = (),
    user: User | None = None,
) -> Completed:
    return run(
        ["sh", "-c", script, "sh", *arguments],
        env=ENV,
        cwd=Path("/"),
        stdin=stdin,
        timeout_seconds=timeout_seconds,
        keep=keep,
        user=user,
    )


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_process_leaves_its_code_and_both_streams() -> None:
    assert shell("echo out; echo err >&2; exit 3") == Completed(3, b"out\n", b"err\n")


def test_the_number_of_a_signal_that_ended_a_process_is_negative() -> None:
    assert shell("kill -TERM $$").returncode == -signal.SIGTERM


def test_a_process_reads_what_it_is_given_and_else_nothing() -> None:
    assert shell("cat", stdin=b"given").stdout == b"given"
    assert shell("cat").stdout == b""


def test_more_output_than_a_pipe_holds_is_returned_whole() -> None:
    big = b"x" * 3_000_000
    done = shell("cat; head -c 1000000 /dev/zero >&2", stdin=big)
    assert done.stdout == big
    assert done.stderr == bytes(1_000_000)


def test_nothing_of_the_callers_environment_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_CALLER", "1")
    done = run(["/usr/bin/env"], env={"GIVEN": "2"}, cwd=Path("/"), timeout_seconds=20)
    assert done.stdout == b"GIVEN=2\n"


def test_a_program_is_looked_up_in_the_given_path_only(tmp_path: Path) -> None:
    program = tmp_path / "only-here"
    program.write_text("#!/bin/sh\necho found\n")
    program.chmod(0o755)
    found = run(["only-here"], env={"PATH": str(tmp_path)}, cwd=Path("/"), timeout_seconds=20)
    assert found.stdout == b"found\n"
    with pytest.raises(
        NotStartedError, match=r"^the program `only-here` cannot be started: no such file"
    ):
        run(["only-here"], env=ENV, cwd=Path("/"), timeout_seconds=20)


def test_a_working_directory_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotStartedError, match=r"`sh` cannot be started \(`.*/gone`\): no such"):
        run(["sh"], env=ENV, cwd=tmp_path / "gone", timeout_seconds=20)


def test_a_process_works_where_it_is_told(tmp_path: Path) -> None:
    done = run(["pwd"], env=ENV, cwd=tmp_path, timeout_seconds=20)
    assert done.stdout.decode().strip() == str(tmp_path.resolve())


def test_at_the_timeout_the_whole_group_is_killed(tmp_path: Path) -> None:
    script = 'sleep 60 & echo $! > "$1"; wait'
    began = time.monotonic()
    with pytest.raises(ProcessTimeoutError, match=r"^the program `sh` did not end within 0.3 s$"):
        shell(script, str(tmp_path / "pid"), timeout_seconds=0.3)
    assert time.monotonic() - began < 5
    grandchild = int((tmp_path / "pid").read_text())
    assert within(5, lambda: not runs(grandchild))


def test_a_caller_who_is_interrupted_leaves_no_process(tmp_path: Path) -> None:
    class Interruption(BaseException):
        pass

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise Interruption

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Interruption):
            shell('echo $$ > "$1"; sleep 60', str(tmp_path / "pid"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert not runs(int((tmp_path / "pid").read_text()))


def test_a_daemon_that_keeps_the_streams_open_holds_up_no_one() -> None:
    began = time.monotonic()
    done = shell("sleep 30 & echo $!")
    daemon = int(done.stdout)
    try:
        assert time.monotonic() - began < 5
        assert runs(daemon)
    finally:
        os.kill(daemon, signal.SIGKILL)


def test_only_named_descriptors_are_inherited(tmp_path: Path) -> None:
    opened = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT, 0o600)
    os.set_inheritable(opened, True)  # even one that would pass by itself
    try:
        script = '[ -e "/proc/self/fd/$1" ] && echo open || echo closed'
        assert shell(script, str(opened)).stdout == b"closed\n"
        assert shell(script, str(opened), keep=(opened,)).stdout == b"open\n"
    finally:
        os.close(opened)


def test_a_process_has_a_session_of_its_own_and_makes_private_files(tmp_path: Path) -> None:
    done = shell('cut -d" " -f6 /proc/self/stat; : > "$1"', str(tmp_path / "made"))
    assert int(done.stdout) != os.getsid(0)
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o600


def test_root_becomes_another_user_and_others_may_not() -> None:
    if os.geteuid() == 0:
        done = shell("id -u; id -g; id -G", user=NOBODY)
        assert done.stdout == b"65534\n65534\n65534\n"
    else:
        with pytest.raises(NotStartedError, match="not permitted"):
            shell("id -u", user=NOBODY)


def test_a_started_process_runs_on_writes_to_its_output_and_is_reaped(tmp_path: Path) -> None:
    with (tmp_path / "output").open("wb") as output:
        started = start(
            ["sh", "-c", "echo out; echo err >&2; sleep 0.3"],
            env=ENV,
            cwd=Path("/"),
            output=output.fileno(),
        )
    assert runs(started.pid)
    assert not started.finished()
    assert within(5, started.finished)
    assert not Path(f"/proc/{started.pid}").exists()  # not even as a zombie
    assert started.finished()
    assert (tmp_path / "output").read_bytes() == b"out\nerr\n"


def test_a_started_process_outlives_its_starter(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from obligations.process import start
with open(sys.argv[1], "wb") as output:
    print(start(["sleep", "30"], env={}, cwd=Path("/"), output=output.fileno()).pid)
"""
    done = run(
        [sys.executable, "-W", "error", "-c", script, str(tmp_path / "output")],
        env={"PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        cwd=Path("/"),
        timeout_seconds=20,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    pid = int(done.stdout)
    assert runs(pid)
    os.kill(pid, signal.SIGKILL)
