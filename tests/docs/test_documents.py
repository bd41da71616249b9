"""Every command in the documents runs, in the order in which a page gives them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import renewed
from wrong_programs import PAGE, SHOWN, written_page

from api.http.conflicts import CONFLICTS
from api.http.problems import _FRAMEWORK, _KINDS
from contracts import (
    CONTRACTS,
    LessonRecord,
    Packet,
    PacketLesson,
    TaskStart,
    read_lesson,
    rendered,
    written_lesson,
)

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/adapter.md",
    "docs/ci.md",
    "docs/conformance.md",
    "docs/operator.md",
]
SHELL = ("athanor", "python")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[str]:
    joined = "".join(blocks(page, "sh")).replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip()]


def environment(home: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    inside = {"PATH": path, "HOME": str(home), "ATHANOR_HOME": str(home / "state")}
    return inside | {k: v for k, v in os.environ.items() if k == "PYTHONPATH"}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run_in_order(page: str, tmp_path: Path) -> None:
    for name in ("corpus", "rules", "Makefile", "requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("pyproject.toml",):
        (tmp_path / name).symlink_to(ROOT / name)
    for command in commands(page):
        word = next(word for word in command.split() if not word.startswith("ATHANOR_"))
        shown = f"make --dry-run {command.split(maxsplit=1)[1]}" if word == "make" else command
        assert word in {"make", *SHELL}, f"{page}: `{command}` is run by no test"
        done = subprocess.run(
            ["/bin/sh", "-ec", shown],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, f"{page}: `{command}`\n{done.stdout}\n{done.stderr}"


def test_the_first_command_gives_the_lesson_that_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "corpus").symlink_to(ROOT / "corpus")
    asked = [line for line in commands("README.md") if line.startswith("athanor")][:2]
    done = subprocess.run(
        ["/bin/sh", "-ec", "\n".join(asked)],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "L1. Give each payment request an idempotency key" in done.stdout


def test_the_task_of_the_adapter_page_fits_the_contract() -> None:
    (body,) = blocks("docs/adapter.md", "json")
    assert TaskStart.model_validate_json(body).risk == "medium"


def test_the_adapter_page_shows_a_packet_that_a_reader_reads() -> None:
    shown = next(text for text in blocks("docs/adapter.md", "text") if text.startswith("==="))
    lesson = PacketLesson(
        id="lesson-1",
        version=1,
        title="Title 1",
        lesson="Rule 1.",
        trigger_context="retries",
        proof_pattern="one line\nand <!-- another",
        place=1,
        basis="match",
        derivation={"digest": f"{1:064x}"},
    )
    packet = Packet(
        packet_id="packet-1",
        task_id="task-1",
        worker_id="worker-1",
        room="forge",
        project_key="sluicebook",
        intent_digest="",
        visible_epoch=1,
        ruleset_version="",
        lessons=(lesson,),
    )
    assert rendered(packet) == shown


def test_the_lesson_file_of_the_operator_page_is_one() -> None:
    shown = next(text for text in blocks("docs/operator.md", "text") if text.startswith("+++"))
    found = read_lesson(shown)
    assert isinstance(found, LessonRecord)
    assert written_lesson(found) == shown


def test_every_code_of_a_problem_stands_on_the_adapter_page() -> None:
    page = (ROOT / "docs/adapter.md").read_text(encoding="utf-8")
    rows = {
        (k.status, k.code) for k in [*_KINDS.values(), *CONFLICTS.values(), *_FRAMEWORK.values()]
    }
    told = {
        (int(status), code)
        for status, codes in re.findall(r"^\| (\d{3}) \| (.*?) \|", page, re.MULTILINE)
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert told == rows
    contracts = re.findall(r"`([a-z-]+\.v\d+)`", page)
    assert set(contracts) == set(CONTRACTS)


def test_the_commands_of_the_tutorial_print_what_it_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert renewed(page, tmp_path) == page


def test_the_page_of_wrong_programs_shows_what_the_corpus_holds() -> None:
    assert len(SHOWN) >= 20
    assert PAGE.read_text(encoding="utf-8") == written_page()


def test_every_page_that_a_document_links_to_exists() -> None:
    for page in [*PAGES, "docs/rules.md", "ARCHITECTURE.md", "GLOSSARY.md", "CHANGELOG.md"]:
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"
