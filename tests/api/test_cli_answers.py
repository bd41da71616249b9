"""`athanor import`, `packet` and `derivation` over a House that is served."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_lines import Ran, Shell, one_line, packet, written
from houses import Json, lesson, pack

PACK = pack(
    [
        lesson("Rinse the brass", "Rinse the brass valve before the tide."),
        lesson("Brass first", "Brass before tide.", scope="default"),
        lesson("Sleep", "Sleep well.", always_on=True),
    ]
)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    home = tmp_path_factory.mktemp("served")
    with Shell(home).serving() as (shell, _):
        ran = shell.run("import", written(home / "pack.json", PACK), "--json")
        assert ran.json == {"imported": 3, "unchanged": 0, "rejected": []}
        yield shell


@pytest.fixture(scope="module")
def answer(shell: Shell) -> Json:
    found: Json = shell.run(*packet()).json
    return found


@pytest.fixture
def certificate(answer: Json) -> Json:
    found: Json = json.loads(json.dumps(answer["lessons"][0]["derivation"]))
    return found


def test_the_second_import_of_a_file_reports_that_nothing_changed(
    shell: Shell, tmp_path: Path
) -> None:
    file = written(tmp_path / "pack.json", PACK)
    assert shell.run("import", file, "--json").json == {
        "imported": 0,
        "unchanged": 3,
        "rejected": [],
    }
    assert shell.ask("import", file).out == "imported 0, unchanged 3\n"


def test_a_bad_record_is_named_by_file_record_and_field_with_exit_code_2(
    shell: Shell, tmp_path: Path
) -> None:
    file = written(tmp_path / "mine.json", pack([lesson("A"), lesson("B", version=True)]))
    ran = shell.run("import", file, "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["imported"], report["unchanged"]) == (2, 0, 0)
    (rejected,) = report["rejected"]
    assert (rejected["file"], rejected["record"], rejected["field"]) == ("mine.json", 1, "version")
    said = shell.ask("import", file)
    assert said.code == 2
    assert "mine.json: record 1: version: " in said.err


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 50_000, b'{"a": NaN}', b"[]"])
def test_a_file_that_holds_no_pack_is_named_with_exit_code_2(
    shell: Shell, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(content)
    ran = shell.ask("import", str(file), "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["rejected"][0]["file"] == "mine.json"
    assert json.loads(ran.out)["rejected"][0]["record"] == -1


def test_a_file_that_is_not_there_is_a_usage_error(shell: Shell, tmp_path: Path) -> None:
    ran = shell.ask("import", str(tmp_path / "absent.json"))
    assert ran.code == 2
    assert "absent.json" in ran.err


def test_a_file_may_have_any_name(shell: Shell, tmp_path: Path) -> None:
    file = bytes(tmp_path) + b"/\xff\xfe \xc3\xa9&file=x.json"
    Path(file.decode(errors="surrogateescape")).write_text(json.dumps(pack([])), encoding="utf-8")
    assert shell.run("import", file, "--json").json["imported"] == 0


def test_a_packet_has_the_keys_that_scripts_ask_for(answer: Json) -> None:
    asked = {"packet_id", "intent_digest", "visible_epoch", "ruleset_version", "lessons"}
    assert asked <= set(answer)
    assert [row["title"] for row in answer["lessons"]][-1] == "Sleep"  # it is always on
    assert len(answer["lessons"]) > 1
    for row in answer["lessons"]:
        assert {"id", "title", "derivation"} <= set(row)
        assert row["derivation"]["conclusion"]["values"][0] == row["id"]


def test_the_same_packet_comes_again_and_another_intent_gets_another(
    shell: Shell, answer: Json
) -> None:
    assert shell.run(*packet()).json == answer
    other = shell.ask(*packet(risk="high"), "--proof", "nobody slips").json
    assert other["intent_digest"] != answer["intent_digest"]


def test_a_packet_in_words_tells_each_lesson_and_why(shell: Shell, answer: Json) -> None:
    said = shell.ask(*packet()[:-1]).out
    for row in answer["lessons"]:
        assert row["title"] in said
        assert row["lesson"] in said
    assert answer["packet_id"] in said
    assert "why:" in said


REFUSED = {
    "an unknown project": (packet(project="attic"), "`attic`"),
    "a blank change": (packet(change=" "), "`change`"),
    "an unknown risk": (packet(risk="some"), "some"),
    "an unknown room": ([*packet(), "--room", "cellar"], "not permitted"),
    "a missing option": (packet()[:5], "--phase"),
    "an unknown option": ([*packet(), "--colour", "red"], "--colour"),
    "no command": (["sail"], "sail"),
    "an unknown digest": (["derivation", "show", "0" * 64], "0000"),
    "a digest that is a path": (["derivation", "show", "../../health"], ""),
    "a digest with a line break": (["derivation", "show", "a\nb"], ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_command_is_refused_with_exit_code_2_for(shell: Shell, name: str) -> None:
    arguments, named = REFUSED[name]
    ran = shell.ask(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert named in ran.err


def test_an_argument_that_is_no_text_is_refused_by_name(shell: Shell) -> None:
    arguments = [word.encode() for word in packet(change="CHANGE")]
    ran = shell.run(*(b"\xff" if word == b"CHANGE" else word for word in arguments))
    assert ran.code == 2
    assert "`change`" in " ".join(one_line(ran.err))


def test_a_derivation_is_shown_from_the_house_and_from_a_file(
    shell: Shell, certificate: Json, tmp_path: Path
) -> None:
    file = written(tmp_path / "c.json", certificate)
    shown = [shell.ask("derivation", "show", which).out for which in (certificate["digest"], file)]
    assert shown[0] == shown[1]
    assert shown[0].startswith("selected(")
    assert "given by" in shown[0]
    again = shell.ask("derivation", "show", certificate["digest"], "--json").json
    assert again == certificate


def verify(shell: Shell, file: str, *options: str, **env: str) -> tuple[Ran, Json]:
    ran = shell.ask("derivation", "verify", file, "--json", *options, **env)
    told: Json = json.loads(ran.out)
    assert set(told) >= {"verdict", "reason"}
    return ran, told


def test_a_certificate_is_verified_with_the_facts_of_the_house(
    shell: Shell, answer: Json, tmp_path: Path
) -> None:
    for row in answer["lessons"]:
        file = written(tmp_path / "c.json", row["derivation"])
        ran, told = verify(shell, file)
        assert (ran.code, told["verdict"]) == (0, "verified")


def test_a_certificate_without_the_facts_is_unchecked(
    shell: Shell, certificate: Json, tmp_path: Path
) -> None:
    file = written(tmp_path / "c.json", certificate)
    ran, told = verify(shell, file, "--offline")
    assert (ran.code, told["verdict"]) == (3, "unchecked")
    gone = {"ATHANOR_URL": "http://127.0.0.1:1"}
    ran, told = verify(shell, file, **gone)
    assert (ran.code, told["verdict"]) == (3, "unchecked")


def edited(certificate: Json, place: str) -> Any:
    """A certificate with one place of it changed."""
    if place == "digest":
        return {**certificate, "digest": "0" * 64}
    if place == "ruleset":
        return {**certificate, "ruleset_version": "a\nb/../c?d#e"}
    if place == "sets":
        return {**certificate, "given_digests": ["../x", "a\nb", 7]}
    if place == "trace":
        return {**certificate, "derivation_trace": []}
    if place == "fields":
        return {"format": certificate["format"]}
    certificate["conclusion"]["values"][1] = 4
    return certificate


@pytest.mark.parametrize("place", ["digest", "ruleset", "sets", "trace", "fields", "values"])
def test_an_edited_certificate_is_refused(
    shell: Shell, certificate: Json, tmp_path: Path, place: str
) -> None:
    file = written(tmp_path / "c.json", edited(certificate, place))
    ran, told = verify(shell, file)
    assert (ran.code, told["verdict"]) == (1, "refused")
    shown = shell.ask("derivation", "show", file)
    assert shown.code in {0, 2}


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"\xff", b'{"a": 1, "a": 2}'])
def test_what_is_no_certificate_is_refused(shell: Shell, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "c.json"
    file.write_bytes(content)
    ran, told = verify(shell, str(file), "--offline")
    assert (ran.code, told["verdict"]) == (1, "refused")


def test_a_bundle_is_verified_offline_and_refused_once_its_facts_are_altered(
    shell: Shell, certificate: Json, tmp_path: Path
) -> None:
    file = tmp_path / "bundle.json"
    assert shell.run("derivation", "export", certificate["digest"], str(file)).code == 0
    nowhere = Shell(tmp_path / "nowhere")
    assert nowhere.run("derivation", "verify", str(file), "--offline").code == 0
    bundle = json.loads(file.read_text())
    name, facts = next((n, rows) for n, rows in bundle["fact_sets"].items() if len(rows) > 5)
    for altered in (facts[:-1], [*facts, ["lesson", ["x", "memory"], "s"]]):
        bundle["fact_sets"][name] = altered
        ran, told = verify(nowhere, written(tmp_path / "altered.json", bundle), "--offline")
        assert (ran.code, told["verdict"]) == (1, "refused")
    assert not (tmp_path / "nowhere").exists()
