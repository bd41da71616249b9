"""The shape of the tree: file lengths, names, and what the packages say of themselves."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ["engine", "rules", "contracts", "obligations", "store", "house", "api"]
MOST_LINES = 300
MOST_LINES_OF_THE_DEFINITION = 80
EMPTY_NAMES = re.compile(r"^(utils?|helpers?|common|misc|manager|base|core)$")


def python_files() -> list[Path]:
    folders = [*PACKAGES, "tests", "benchmarks"]
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def test_no_file_is_longer_than_300_lines() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in python_files()}
    assert {str(p): n for p, n in lengths.items() if n > MOST_LINES} == {}


def test_the_definition_fits_in_80_lines() -> None:
    text = (ROOT / "engine" / "naive.py").read_text()
    assert len(text.splitlines()) <= MOST_LINES_OF_THE_DEFINITION


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [str(path) for path in python_files() if EMPTY_NAMES.match(path.stem)] == []


def test_no_function_bears_the_name_of_its_module() -> None:
    named = [
        str(path)
        for path in python_files()
        if re.search(rf"^(async )?def {re.escape(path.stem)}\(", path.read_text(), re.MULTILINE)
    ]
    assert named == []


def test_every_package_states_its_contract_and_its_public_face() -> None:
    for package in PACKAGES:
        text = (ROOT / package / "__init__.py").read_text()
        assert text.startswith('"""'), package


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not path.read_text().startswith('"""')
    ]
    assert silent == []
