"""Seeded faults: each small fault in `rules` is noticed by `rule_self_check.py`."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from rule_faults import FAULTS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def self_check(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-B", str(HERE / "rule_self_check.py")],
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    copytree(ROOT / "rules", tmp_path / "rules")
    return tmp_path


def test_there_are_thirty_faults_and_each_is_another_one() -> None:
    assert len(set(FAULTS)) == len(FAULTS) >= 30


def test_without_a_fault_the_check_finds_no_flaw(copied: Path) -> None:
    done = self_check(copied)
    assert done.stdout == f"{copied}/rules/__init__.py\nno flaw\n", done.stderr


@pytest.mark.parametrize("fault", FAULTS, ids=[f"{file}: {new}" for file, _, new in FAULTS])
def test_a_fault_in_rules_is_noticed(fault: tuple[str, str, str], copied: Path) -> None:
    file, old, new = fault
    path = copied / "rules" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    done = self_check(copied)
    assert done.stdout.startswith(f"{copied}/rules/__init__.py\nflaw: "), done.stderr
    assert done.returncode == 1
