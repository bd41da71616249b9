"""`athanor import`, `lesson check` and the writing of lesson files: folders of any kind."""

import json
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from command_lines import Shell, packet, written
from houses import Json, lesson, pack

from api.cli.lesson_files import fetch_lessons
from api.cli.lesson_folders import write_folder
from api.cli.outcome import CommandError
from contracts import LessonRecord, file_names, written_lesson

RINSE = "# Rinse the brass\n\nRinse the brass valve before the tide.\n"
SLEEP = "+++\nalways_on = true\n+++\n\n# Sleep\n\nSleep well.\n"
ATTIC = '+++\nproject = "attic"\n+++\n\n# Attic\n\nMind the attic.\n'


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with Shell(tmp_path_factory.mktemp("served")).serving() as (shell, _):
        yield shell


def folder(path: Path, **files: str) -> Path:
    path.mkdir(exist_ok=True)
    for name, text in files.items():
        (path / f"{name}.md").write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_imported_as_one_pack_and_a_second_time_changes_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    lessons = folder(tmp_path / "lessons", b_sleep=SLEEP, a_rinse=RINSE, README="# Not a lesson")
    (lessons / ".draft.md").write_text("nothing", encoding="utf-8")
    (lessons / "notes.txt").write_text("nothing", encoding="utf-8")
    first = shell.ask("import", str(lessons), "--json").json
    assert first == {"imported": 2, "unchanged": 0, "rejected": []}
    assert shell.ask("import", str(lessons)).out == "imported 0, unchanged 2\n"
    one = shell.ask("import", str(lessons / "a_rinse.md"), "--json").json
    assert (one["imported"], one["unchanged"]) == (0, 1)
    other = shell.ask("import", str(lessons / "a_rinse.md"), "--pack", "other", "--json").json
    assert (other["imported"], other["unchanged"]) == (1, 0)


def test_the_text_for_an_agent_is_printed_alone(shell: Shell, tmp_path: Path) -> None:
    shell.ask("import", str(folder(tmp_path / "lessons", a=SLEEP, b=RINSE)))
    said = shell.ask(*packet()[:-1], "--text")
    assert said.code == 0
    assert said.out.startswith("=== ATHANOR PACKET packet-")
    assert "| Rinse the brass\n" in said.out
    assert said.out.splitlines()[-1].startswith("=== END OF ATHANOR PACKET packet-")
    both = shell.ask(*packet(), "--text")
    assert (both.code, both.out) == (2, "")
    latin = shell.run(*packet()[:-1], "--text", PYTHONIOENCODING="ascii")
    assert (latin.code, latin.out) == (0, said.out)


def test_what_is_wrong_with_files_is_told_at_once_with_file_line_and_field(
    shell: Shell, tmp_path: Path
) -> None:
    lessons = folder(tmp_path / "lessons", a=RINSE, b="+++\ncolour = 1\n+++\n# B\n", c="words")
    (lessons / "d.md").write_bytes(b"# D\n\n\xff")
    ran = shell.ask("import", str(lessons))
    assert (ran.code, ran.out) == (2, "imported 0, unchanged 0\n")
    assert ran.err.splitlines() == [
        "b.md:2: colour: extra inputs are not permitted",
        "b.md:4: lesson: field required",
        "c.md:1: title: field required",
        "d.md:3: not UTF-8 at byte 5",
        "athanor: nothing was stored",
    ]
    report = json.loads(shell.ask("import", str(lessons), "--json").out)
    assert [(row["file"], row["record"], row["field"]) for row in report["rejected"]] == [
        ("b.md", 0, "colour"),
        ("b.md", 0, "lesson"),
        ("c.md", 0, "title"),
        ("d.md", 0, ""),
    ]


def test_what_a_house_rejects_is_told_with_the_file_too(shell: Shell, tmp_path: Path) -> None:
    lessons = folder(tmp_path / "lessons", a=RINSE, b=ATTIC)
    ran = shell.ask("import", str(lessons))
    assert ran.code == 2
    assert "b.md:2: project: project `attic` is not registered" in ran.err
    report = json.loads(shell.ask("import", str(lessons), "--json").out)
    (row,) = report["rejected"]
    assert (row["file"], row["record"], row["title"]) == ("b.md", 0, "Attic")
    wrong = shell.ask("import", str(lessons), "--pack", "two words")
    assert wrong.code == 2
    assert "lessons:1: pack.id: " in wrong.err


USAGE = {
    "a folder without lessons": (["import", "EMPTY"], "no lesson files in"),
    "a folder without lessons to check": (["lesson", "check", "EMPTY"], "no lesson files in"),
    "a folder that is not there": (["lesson", "check", "ABSENT"], "ABSENT"),
    "a pack that is named twice": (["import", "pack.json", "--pack", "a"], "in itself"),
    "a folder in the place of a file": (["import", "x.md"], "no lesson files in"),
    "no folder": (["lesson", "check"], "Missing argument"),
}


@pytest.mark.parametrize("name", USAGE)
def test_a_command_is_refused_for(tmp_path: Path, name: str) -> None:
    arguments, said = USAGE[name]
    written(tmp_path / "pack.json", pack([lesson("A")]))
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "x.md").mkdir()
    paths = {"EMPTY", "ABSENT", "pack.json", "x.md"}
    ran = Shell(tmp_path / "home").ask(
        *(str(tmp_path / word) if word in paths else word for word in arguments)
    )
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not (tmp_path / "home").exists()


def test_files_are_checked_without_a_house(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "home")
    lessons = folder(tmp_path / "lessons", a=RINSE, b=SLEEP)
    assert shell.ask("lesson", "check", str(lessons)).out == "2 lessons, nothing wrong\n"
    folder(lessons, c=RINSE, d='+++\nnegation_of_title = "Nothing"\n+++\n\n# D\n\nd\n')
    ran = shell.ask("lesson", "check", str(lessons))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        "c.md:1: title: the title stands in `a.md` already",
        "d.md:2: negation_of_title: no lesson of the folder has the title `Nothing`",
    ]
    told = json.loads(shell.ask("lesson", "check", str(lessons), "--json").out)
    assert told["lessons"] == 4
    assert [(row["file"], row["line"]) for row in told["findings"]] == [("c.md", 1), ("d.md", 2)]
    assert not (tmp_path / "home").exists()


def test_findings_hold_nothing_that_a_terminal_would_act_on(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\x1b[2J.md")
    lessons = folder(tmp_path / "lessons", a=RINSE)
    (lessons / name).write_text('+++\n"\\u001b[2J" = 1\n+++\n# a\n\nb\n', encoding="utf-8")
    ran = Shell(tmp_path / "home").run("lesson", "check", str(lessons))
    assert ran.code == 2
    assert "\x1b" not in ran.err
    assert ran.err.count("\n") == 1


FILES = {"a-1.md": RINSE, "b-2.md": SLEEP}


def read_all(path: Path) -> dict[str, str]:
    return {entry.name: entry.read_text(encoding="utf-8") for entry in path.iterdir()}


def test_files_are_written_once_and_others_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lessons"
    assert write_folder(path, FILES, force=False) == 2
    (path / "mine.md").write_text("mine", encoding="utf-8")
    assert write_folder(path, FILES, force=False) == 0
    assert read_all(path) == FILES | {"mine.md": "mine"}
    assert stat.S_IMODE((path / "a-1.md").stat().st_mode) == 0o666 & ~umask()


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_changed_file_keeps_all_from_being_written_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "b-2.md").write_text("changed", encoding="utf-8")
    with pytest.raises(CommandError, match=r"`b-2.md`; `--force` overwrites"):
        write_folder(tmp_path, FILES, force=False)
    assert read_all(tmp_path) == {"b-2.md": "changed"}
    assert write_folder(tmp_path, FILES, force=True) == 2
    assert read_all(tmp_path) == FILES


def test_nothing_is_written_through_a_link_or_into_what_is_no_file(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.write_text("theirs", encoding="utf-8")
    inside.mkdir()
    (inside / "a-1.md").symlink_to(outside)
    with pytest.raises(CommandError, match=r"`a-1.md`"):
        write_folder(inside, FILES, force=False)
    write_folder(inside, FILES, force=True)
    assert outside.read_text(encoding="utf-8") == "theirs"
    assert not (inside / "a-1.md").is_symlink()
    (inside / "a-1.md").unlink()
    os.mkfifo(inside / "a-1.md")
    with pytest.raises(CommandError, match=r"`a-1.md`$"):
        write_folder(inside, FILES, force=True)
    with pytest.raises(CommandError, match="cannot be written"):
        write_folder(outside, FILES, force=True)


def test_a_file_that_cannot_be_written_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CommandError, match="no space left"):
        write_folder(tmp_path, FILES, force=False)
    assert list(tmp_path.iterdir()) == []


def listing(pages: Mapping[str, Json], asked: list[str]) -> httpx.AsyncClient:
    """A client of a server that has these pages of lessons, by cursor."""

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(200, json=pages[request.url.params.get("cursor", "")])

    return httpx.AsyncClient(base_url="http://house.test", transport=httpx.MockTransport(answer))


def item(key: str, version: int = 1, **changes: object) -> Json:
    record = LessonRecord.model_validate(lesson(f"Title of {key}") | changes)
    row = {"lesson_id": key, "version": version, "record": record.model_dump(mode="json")}
    return cast("Json", json.loads(json.dumps(row)))


@pytest.mark.anyio
async def test_every_page_of_lessons_is_fetched_and_the_last_version_wins(tmp_path: Path) -> None:
    pages: dict[str, Json] = {
        "": {"items": [item("a", 2, tags=["new"]), item("b")], "next_cursor": "x&y=1"},
        "x&y=1": {"items": [item("a", 1), item("c")], "next_cursor": None},
    }
    asked: list[str] = []
    async with listing(pages, asked) as client:
        found = await fetch_lessons(client)
    assert asked == ["/v1/lessons?limit=200", "/v1/lessons?limit=200&cursor=x%26y%3D1"]
    assert (set(found), found["a"].tags) == ({"a", "b", "c"}, ("new",))
    names = file_names(found)
    files = {names[key]: written_lesson(record) for key, record in found.items()}
    assert write_folder(tmp_path / "lessons", files, force=False) == 3
    checked = Shell(tmp_path / "home").ask("lesson", "check", str(tmp_path / "lessons"))
    assert checked.out == "3 lessons, nothing wrong\n"


PAGES: dict[str, Any] = {
    "no object": [],
    "no items": {"next_cursor": None},
    "no cursor": {"items": []},
    "no version": {"items": [{"lesson_id": "a", "record": {}}], "next_cursor": None},
    "no lesson": {"items": [{"lesson_id": "a", "version": 1, "record": {}}], "next_cursor": None},
    "no end": {"items": [], "next_cursor": ""},
}


@pytest.mark.anyio
@pytest.mark.parametrize("name", PAGES)
async def test_a_listing_is_refused_that_has(name: str) -> None:
    async with listing({"": PAGES[name]}, []) as client:
        with pytest.raises(CommandError) as caught:
            await fetch_lessons(client)
    assert caught.value.code == 4
