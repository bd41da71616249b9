"""Pages whose blocks make files, run commands, and show what these print.

A block ` ```KIND NAME ` is written to the file NAME. In a block ` ```console `, a line `$ COMMAND`
is run, the lines behind it are what it prints, and a line `? CODE` is an exit code other than 0.
`python tests/docs/pages.py PAGE…` writes a page anew with what the commands print now.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\S+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a page with what the page says of it."""

    text: str
    printed: str
    code: int


def environment(home: Path) -> dict[str, str]:
    """What a command of a page gets from outside."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    inside = {"PATH": path, "HOME": str(home), "ATHANOR_HOME": str(home / ".state")}
    return inside | {k: v for k, v in os.environ.items() if k == "PYTHONPATH"}


def commands(block: str) -> Iterator[Command]:
    """The commands of a console block in order."""
    for part in block.split("$ ")[1:] if block.startswith("$ ") else []:
        text, _, rest = part.partition("\n")
        lines = rest.splitlines()
        codes = [int(line[2:]) for line in lines if re.fullmatch(r"\? \d+", line)]
        shown = [line for line in lines if not re.fullmatch(r"\? \d+", line)]
        yield Command(text, "\n".join(shown).rstrip(), codes[0] if codes else 0)


def run(command: str, folder: Path) -> tuple[str, int]:
    """What a command prints, on both channels, and its exit code."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec 2>&1; {command}"],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines()), done.returncode


def renewed(page: str, folder: Path) -> str:
    """The page with what its commands print when run in order in a folder."""

    def block(found: re.Match[str]) -> str:
        kind, name, body = found.groups()
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(body, encoding="utf-8")
        if kind != "console":
            return found.group()
        parts: list[str] = []
        for command in commands(body):
            printed, code = run(command.text, folder)
            parts.append(f"$ {command.text}")
            parts += [f"? {code}"] if code else []
            parts += [printed] if printed else []
        return "```console\n" + "\n".join(parts) + "\n```"

    return _BLOCK.sub(block, page)


def main() -> None:
    """Write the named pages anew."""
    for name in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            path = ROOT / name
            path.write_text(renewed(path.read_text(encoding="utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
