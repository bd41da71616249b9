"""`athanor lesson`: lists, shows and changes lessons over a House that is served."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_lines import Shell, one_line, packet, written
from houses import Json, lesson, pack

RULE = "Rinse the brass valve before the tide."
PACK = pack(
    [
        lesson("Rinse the brass", RULE),
        lesson("Polish brass", "Polish the brass after the tide.", scope="default"),
        lesson("Draft", "Rinse \x1b[31mbrass.", review="unreviewed"),
    ]
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("served")
    with Shell(home).serving() as (shell, _):
        yield shell


@pytest.fixture
def items(server: Shell, tmp_path: Path, request: pytest.FixtureRequest) -> Json:
    """The lessons of a pack of the test's own, by title."""
    name = str(request.node.name)
    rows = [row | {"title": f"{row['title']} for {name}"} for row in PACK["lessons"]]
    file = written(tmp_path / "pack.json", PACK | {"lessons": rows})
    assert server.ask("import", file, "--json").json["imported"] == 3
    listed = server.ask("lesson", "list", "--limit", "200", "--json").json["items"]
    mine = [item for item in listed if item["title"].endswith(f" for {name}")]
    return {item["title"].partition(" for ")[0]: item for item in mine}


def test_lessons_are_listed_and_shown_in_words_and_as_json(server: Shell, items: Json) -> None:
    said = server.ask("lesson", "list", "--limit", "200").out
    assert len(items) == 3
    for item in items.values():
        stands = item["disposition"] or "unreviewed"
        (line,) = [row for row in said.splitlines() if item["lesson_id"] in row]
        assert f"version 1 {stands}, {item['scope']}: {item['title']}" in line
        shown = server.ask("lesson", "show", item["lesson_id"])
        assert "\x1b" not in shown.out
        assert item["title"] in shown.out
        detail = server.ask("lesson", "show", item["lesson_id"], "--json").json
        assert {key: detail[key] for key in item} == item


def test_a_list_goes_on_where_its_page_ended(server: Shell, items: Json) -> None:
    first = server.ask("lesson", "list", "--limit", "2", "--scope", "shared").out.splitlines()
    cursor = first[-1].removeprefix("more: --cursor ")
    more = ["lesson", "list", "--limit", "2", "--scope", "shared", "--cursor", cursor]
    second = server.ask(*more).out.splitlines()
    assert len(first) == 3
    assert items
    assert second
    assert not set(first) & set(second)
    assert server.ask(*more[:4], "--cursor", cursor).code == 2


def test_a_lesson_is_reviewed_updated_superseded_and_forgotten(
    server: Shell, items: Json, tmp_path: Path
) -> None:
    draft = items["Draft"]["lesson_id"]
    why = ["--reason", "it proved itself"]
    told = server.ask("lesson", "review", draft, "promoted", "--version", "1", *why, "--json").json
    assert (told["lesson_id"], told["disposition"]) == (draft, "promoted")
    stale = server.ask("lesson", "review", draft, "archived", "--version", "1", *why)
    assert stale.code == 2
    assert told["record_id"] in " ".join(one_line(stale.err))
    said = server.ask(
        *("lesson", "review", draft, "archived", "--version", "1"),
        *("--previous", told["record_id"], *why),
    )
    assert said.out.startswith(f"{draft}: archived by record authority-")

    mine = items["Rinse the brass"]
    record = mine["record"] | {"lesson": "Rinse the brass valve twice before the tide."}
    file = written(tmp_path / "record.json", record)
    read = ["--title", mine["title"], "--baseline", "1"]
    update = ["lesson", "update", mine["lesson_id"], file, *read, "--idempotency-key", "up-1"]
    said = server.ask(*update)
    assert said.out == f"{mine['lesson_id']}: updated to version 2\n"
    assert server.ask(*update).out == said.out
    assert server.ask(*update[:-2]).code == 2
    again = server.ask(*update[:5], mine["title"], "--baseline", "2")
    assert again.out == f"{mine['lesson_id']}: unchanged, version 2\n"

    other = written(tmp_path / "other.json", record | {"title": f"New {mine['title']}"})
    supersede = ["lesson", "supersede", mine["lesson_id"], "--baseline", "2", *why]
    assert server.ask(*supersede).code == 2
    assert server.ask(*supersede, "--by", draft, "--record", other).code == 2
    told = server.ask(*supersede, "--record", other, "--evidence", "turn:1", "--json").json
    assert told["lesson_id"] == mine["lesson_id"]
    shown = server.ask("lesson", "show", mine["lesson_id"]).out
    assert f"superseded by {told['successor_id']}" in shown
    polish = items["Polish brass"]
    by = ["--by", told["successor_id"]]
    assert server.ask("lesson", "supersede", polish["lesson_id"], "--baseline", "1", *by, *why).out

    forget = ["lesson", "forget", mine["lesson_id"], *why, "--title"]
    assert server.ask(*forget, "Another").code == 2
    assert server.ask(*forget, mine["title"]).out == f"{mine['lesson_id']}: forgotten\n"
    assert server.ask(*forget, mine["title"]).out == f"{mine['lesson_id']}: forgotten already\n"
    gone = server.ask("lesson", "show", mine["lesson_id"])
    assert (gone.code, gone.out) == (2, "")
    assert "was forgotten" in gone.err


REFUSED: dict[str, tuple[list[str], str]] = {
    "an unknown lesson": (["show", "lesson-0"], "no lesson `lesson-0`"),
    "an id that is a path": (["show", "../../health"], "no lesson"),
    "an id with a line break": (["show", "a\nb"], "no lesson"),
    "an unknown decision": (["review", "lesson-0", "burned"], "burned"),
    "no reason": (["review", "lesson-0", "promoted", "--version", "1"], "--reason"),
    "a scope that is none": (["list", "--scope", "attic"], "`scope`"),
    "a page that is too long": (["list", "--limit", "201"], "201"),
    "a cursor of no list": (["list", "--cursor", "zz"], "cursor"),
    "a key with a blank": (
        ["forget", "lesson-0", "--title", "A", "--reason", "b", "--idempotency-key", "a b"],
        "without blanks",
    ),
    "a file that is not there": (
        ["update", "lesson-0", "/nonexistent", "--title", "A", "--baseline", "1"],
        "/nonexistent",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_command_is_refused_with_exit_code_2_for(server: Shell, name: str) -> None:
    arguments, told = REFUSED[name]
    ran = server.ask("lesson", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff", b"[" * 50_000, b'{"title": "a", "title": "b"}']
)
def test_a_file_that_holds_no_record_is_named(
    server: Shell, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    read = ["--title", "A", "--baseline", "1"]
    ran = server.ask("lesson", "update", "lesson-0", str(file), *read)
    assert ran.code == 2
    assert "record.json: it holds no JSON" in " ".join(one_line(ran.err))


def test_a_record_that_is_no_lesson_is_refused_by_field(
    server: Shell, items: Json, tmp_path: Path
) -> None:
    mine = items["Draft"]
    file = written(tmp_path / "record.json", {"title": "A", "colour": "red"})
    read = ["--title", mine["title"], "--baseline", "1"]
    ran = server.ask("lesson", "update", mine["lesson_id"], file, *read)
    assert ran.code == 2
    assert "`record.lesson`" in ran.err
    assert "`record.colour`" in ran.err


def test_a_derivation_that_rests_on_a_forgotten_lesson_is_verified_no_more(
    server: Shell, items: Json, tmp_path: Path
) -> None:
    mine = items["Rinse the brass"]
    answer = server.ask(*packet(phase="forgetting")).json
    held = [row for row in answer["lessons"] if row["id"] == mine["lesson_id"]]
    assert held
    certificate = held[0]["derivation"]
    file = written(tmp_path / "certificate.json", certificate)
    assert server.ask("derivation", "verify", file).code == 0
    why = ["--reason", "its author asks", "--title", mine["title"]]
    assert server.ask("lesson", "forget", mine["lesson_id"], *why).code == 0
    shown = server.ask("derivation", "show", certificate["digest"])
    assert (shown.code, shown.out) == (2, "")
    assert "was forgotten" in shown.err
    ran = server.ask("derivation", "verify", file, "--json")
    assert ran.code == 3
    assert json.loads(ran.out)["verdict"] == "unchecked"
