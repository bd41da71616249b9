"""Seeded faults: each small fault in the engine is noticed by `engine_self_check.py`."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from engine_faults import FAULTS
from engine_faults_rich import RICH_FAULTS

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"
TIMEOUT_SECONDS = 60

EVERY_FAULT = {**FAULTS, **RICH_FAULTS}


def self_check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the check on the engine in a folder."""
    return subprocess.run(
        [sys.executable, "-S", "-B", str(HERE / "engine_self_check.py")],
        env={**os.environ, "PYTHONPATH": f"{folder}:{HERE}"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    copytree(ENGINE, tmp_path / "engine")  # with its bytecode, so that only one file is compiled
    return tmp_path


def test_no_two_faults_have_one_name() -> None:
    assert len(EVERY_FAULT) == len(FAULTS) + len(RICH_FAULTS)


def test_without_a_fault_the_check_finds_no_flaw(copied: Path) -> None:
    done = self_check(copied)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{copied}/engine/__init__.py\nno flaw\n"


@pytest.mark.parametrize("name", EVERY_FAULT)
def test_a_fault_is_noticed(name: str, copied: Path) -> None:
    file, old, new = EVERY_FAULT[name]
    path = copied / "engine" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    done = self_check(copied)
    assert done.stdout.startswith(f"{copied}/engine/__init__.py\n"), done.stderr
    assert (done.returncode, "no flaw" in done.stdout) == (1, False)
