"""`athanor rules check`: 0 when the files load as one program, 2 with every finding otherwise."""

import json
from pathlib import Path

import pytest
from command_lines import Ran, Shell

from house import shipped, shipped_sources

RULES = Path(__file__).parents[2] / "rules"
FACTS = RULES / "facts.dl"
PACKS = sorted((RULES / "packs").rglob("*.dl"))
BAD = """.decl brass(name:symbol)
brass(n) :- copper(n).
brass(m) :- tin(m), !brass(x).
"""


def check(tmp_path: Path, *arguments: object) -> Ran:
    return Shell(tmp_path).ask("rules", "check", *map(str, arguments))


def test_the_shipped_packs_pass_and_are_counted(tmp_path: Path) -> None:
    ran = check(tmp_path, *(RULES.parent / source.name for source in shipped_sources()))
    assert (ran.code, ran.err) == (0, "")
    count = len(shipped().program.rules)
    assert ran.out.splitlines()[-1] == f"{count} rules, ruleset {shipped().version}"
    assert {source.name for source in shipped_sources()} == {
        str(file.relative_to(RULES.parent)) for file in (FACTS, *PACKS)
    }


@pytest.mark.parametrize(("rules", "told"), [(0, "0 rules"), (1, "1 rule"), (2, "2 rules")])
def test_rules_are_counted_in_words(tmp_path: Path, rules: int, told: str) -> None:
    file = tmp_path / "good.dl"
    file.write_text(".decl a(x:number)\n.output a\n" + "a(1).\n" * rules, encoding="utf-8")
    assert check(tmp_path, file).out.splitlines()[-1].startswith(f"{told}, ruleset ")


def test_every_finding_is_listed_with_its_place_and_exit_code_2(tmp_path: Path) -> None:
    file = tmp_path / "bad.dl"
    file.write_text(BAD, encoding="utf-8")
    ran = check(tmp_path, file)
    assert ran.code == 2
    assert f"{file}:2:13" in ran.out
    assert f"{file}:3:" in ran.out
    listed = check(tmp_path, "--json", file)
    report = json.loads(listed.out)
    assert (listed.code, report["ruleset_version"]) == (2, None)
    assert {finding["line"] for finding in report["findings"]} == {2, 3}
    assert all(finding["code"].startswith("R") for finding in report["findings"])


def test_a_pack_without_its_facts_does_not_pass(tmp_path: Path) -> None:
    assert check(tmp_path, PACKS[0]).code == 2


@pytest.mark.parametrize("content", [b"\xff\xfe", b"brass(\x00)."])
def test_a_file_that_is_no_rule_text_is_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.dl"
    file.write_bytes(content)
    ran = check(tmp_path, file)
    assert ran.code == 2
    assert "odd.dl" in ran.out + ran.err


def test_no_file_and_a_file_that_is_not_there_are_usage_errors(tmp_path: Path) -> None:
    assert check(tmp_path).code == 2
    assert check(tmp_path, tmp_path / "absent.dl").code == 2
    assert not (tmp_path / "postgresql").exists()
