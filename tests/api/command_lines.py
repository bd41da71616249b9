"""Commands of `athanor` as a shell runs them, and a look at what they leave behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from api.cli import main

PROGRAM = Path(sys.executable).with_name("athanor")
PACKET_OPTIONS = {
    "--worker": "worker-1",
    "--role": "builder",
    "--phase": "build",
    "--project": "demo",
    "--task-kind": "feature",
    "--risk": "low",
    "--target": "the sluice register",
    "--change": "Rinse the brass valve before the tide turns.",
    "--proof": "the brass stays bright",
}
SECONDS = 60


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left: its exit code and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell with a home of its own; nothing of the tests' environment but the code gets in."""

    home: Path
    env: Mapping[str, str] = field(default_factory=dict)

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        plain = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8"}
        path = {k: v for k, v in os.environ.items() if k == "PYTHONPATH"}
        return {**plain, **path, "ATHANOR_HOME": str(self.home), **self.env, **more}

    def start(self, *arguments: str | bytes, **more: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [os.fsencode(PROGRAM), *(os.fsencode(argument) for argument in arguments)],
            cwd="/",
            env=self.environment(more),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str | bytes, **more: str) -> Ran:
        return finished(self.start(*arguments, **more))

    def ask(self, *arguments: str, **more: str) -> Ran:
        """Run a command in this process: quicker by far, and the same to the command."""
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        words, code = sys.argv, 0
        env = {**self.environment(more), "DATABASE_URL": None}
        with CliRunner().isolation(env=env) as (out, err, _):
            sys.argv = ["athanor", *arguments]
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
            finally:
                sys.argv = words
                for number, handler in handlers.items():
                    signal.signal(number, handler)
            return Ran(code, out.getvalue().decode(), err.getvalue().decode())

    @contextmanager
    def serving(self, **more: str) -> Generator["tuple[Shell, subprocess.Popen[str]]"]:
        """A shell that talks to `athanor up`, and the process of that; stopped at the end."""
        process = self.start("up", ATHANOR_PORT="0", **more)
        try:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(3)]
            found = dict(re.findall(r"(ATHANOR_\w+)=(\S+)", said[2]))
            assert set(found) == {"ATHANOR_URL", "ATHANOR_TOKEN_FILE"}, (said, process.poll())
            yield Shell(self.home, {**self.env, **found}), process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=SECONDS)


def finished(process: "subprocess.Popen[str]") -> Ran:
    """What the process left; none of it is a traceback."""
    out, err = process.communicate(timeout=SECONDS)
    assert "Traceback" not in err, err
    return Ran(process.returncode, out, err)


def packet(**changes: str) -> list[str]:
    """The arguments of `athanor packet --json`; `task_kind="x"` changes `--task-kind`."""
    options = PACKET_OPTIONS | {f"--{k.replace('_', '-')}": v for k, v in changes.items()}
    return ["packet", *(word for option in options.items() for word in option), "--json"]


def living(home: Path) -> list[str]:
    """The processes that stand in a home or name it, by their command lines."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            place = str((entry / "cwd").readlink())
        except OSError:
            continue
        if str(home) in words or place.startswith(str(home)):
            found.append(words)
    return found


def written(path: Path, content: object) -> str:
    """The name of a file with this JSON in it."""
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def one_line(said: str) -> Sequence[str]:
    """What a command said on one line, in words; it said no more than that."""
    lines = said.strip().splitlines()
    assert len(lines) == 1, said
    return lines[0].split()
