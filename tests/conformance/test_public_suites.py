"""The record of a suite: which one it is, its commit and digest, and what becomes of its cases."""

import json
import subprocess
from pathlib import Path

import pytest
import suite_report
from public_suites import UnknownSuiteError, main, recognise, run
from suite_report import commit_of, digest_of

import engine

BOTH = """.decl A(x:number, y:number)
.input A
.input A(IO="file", filename="more.facts", delimiter=",")
.decl B(x:number, y:number)
.output B{output}
B(x, y) :- A(x, y).
"""


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


FACTS = {"t/c/facts/A.facts": "1\t2\n", "t/c/facts/more.facts": "3,4\n"}
CASES = {
    "every input of a relation is read": (
        {"t/c/c.dl": BOTH.format(output=""), **FACTS, "t/c/B.csv": "1\t2\n3\t4\n"},
        "agree",
        "relations: 1, rows: 2",
    ),
    "a row too few": (
        {"t/c/c.dl": BOTH.format(output=""), **FACTS, "t/c/B.csv": "1\t2\n"},
        "differ",
        "B: 2 rows, 1 expected",
    ),
    "an output by name and delimiter": (
        {
            "t/c/c.dl": BOTH.format(output='(filename="o.csv", delimiter="; ")'),
            **FACTS,
            "t/c/o.csv": "1; 2\n3; 4\n",
        },
        "agree",
        "relations: 1, rows: 2",
    ),
    "no answers": ({"t/c/c.dl": BOTH.format(output="")}, "no answers", ""),
    "an output in another form": (
        {"t/c/c.dl": BOTH.format(output="(headers=true)"), **FACTS, "t/c/B.csv": "x\ty\n"},
        "failed form",
        "B.csv: output parameter `headers`",
    ),
    "answers that are no rows": (
        {"t/c/c.dl": BOTH.format(output=""), **FACTS, "t/c/B.csv": "1\n"},
        "failed form",
        "B.csv: columns: 2, cells: 1",
    ),
    "no facts": (
        {"t/c/c.dl": BOTH.format(output=""), "t/c/B.csv": ""},
        "failed form",
        "no facts for given relation `A`: `facts/A.facts` is missing",
    ),
    "an input in another form": (
        {"t/c/c.dl": ".decl A(x:symbol)\n.input A(rfc4180=true)\n.output A", "t/c/A.csv": ""},
        "outside",
        "input of `A`: parameter `rfc4180` is not supported",
    ),
    "a rule that we refuse": (
        {"t/c/c.dl": ".decl A(x:number)\n.output A\nA(x + 1) :- A(x).\nA(1).", "t/c/A.csv": "1"},
        "outside",
        "R310",
    ),
    "text of another encoding": ({"t/c/c.dl": ""}, "outside", "not UTF-8"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_souffle_has_its_outcome(name: str, tmp_path: Path) -> None:
    files, outcome, detail = CASES[name]
    lay(tmp_path, files)
    if name == "text of another encoding":
        (tmp_path / "t/c/c.dl").write_bytes(b"\xff")
    (result,) = run(recognise(tmp_path), tmp_path)
    assert (result.case, result.outcome, result.detail) == ("t/c/c", outcome, detail)


def test_a_limit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        ".decl A(x:number)\nA(0). A(1). A(2).\n.decl B(x:number)\n.output B\nB(x) :- A(x), A(_).\n"
    )
    lay(tmp_path, {"c/c.dl": text, "c/B.csv": "0\n1\n2\n"})
    (result,) = run("souffle", tmp_path)
    assert result.outcome == "agree"
    monkeypatch.setattr(suite_report, "LIMITS", engine.Limits(join_rows=2))
    (result,) = run("souffle", tmp_path)
    assert result.outcome == "limit"
    assert "`join_rows` of 2 reached in relation `B`" in result.detail


def test_a_folder_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    lay(tmp_path / "s", {"x/a/a.dl": "", "x/a/other.dl": ""})
    lay(tmp_path / "n", {"x/a.rls": "", "x/a/p.csv": ""})
    lay(tmp_path / "none", {"x/a.dl": ""})
    assert (recognise(tmp_path / "s"), recognise(tmp_path / "n")) == ("souffle", "nemo")
    with pytest.raises(UnknownSuiteError, match="neither nemo nor souffle"):
        recognise(tmp_path / "none")
    with pytest.raises(UnknownSuiteError, match="nemo and souffle"):
        recognise(tmp_path)


def test_the_record_holds_commit_digest_limits_counts_and_every_case(tmp_path: Path) -> None:
    suite = lay(
        tmp_path / "suite",
        {
            "a.rls": "p(1). @export p :- csv {}.",
            "a/p.csv": "1",
            "b.rls": "p(!x). @export p :- csv {}.",
            "b/p.csv": "",
        },
    )
    git = ["git", "-C", str(suite), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    assert commit_of(suite) is None
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "suite"], check=True)
    main(suite, tmp_path)
    content = json.loads((tmp_path / "conformance-nemo.json").read_text("utf-8"))
    assert content["suite"] == "nemo"
    assert len(content["suite_commit"]) == 40
    assert content["suite_digest"] == digest_of(suite)
    assert content["limits"]["seconds"] == 60.0
    assert content["counts"] == {"agree": 1, "outside": 1}
    assert content["cases"] == [
        {"case": "a", "outcome": "agree", "detail": "relations: 1, rows: 1"},
        {"case": "b", "outcome": "outside", "detail": "existential variable"},
    ]


def test_a_digest_is_of_programs_facts_and_answers(tmp_path: Path) -> None:
    lay(tmp_path, {"a.rls": "p(1).", "a/p.csv": "1"})
    first = digest_of(tmp_path)
    lay(tmp_path, {".git/HEAD": "nothing of the suite"})
    assert digest_of(tmp_path) == first
    lay(tmp_path, {"a/p.csv": "2"})
    assert digest_of(tmp_path) != first


def test_a_suite_inside_another_repository_has_no_commit(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    lay(tmp_path, {"ours.txt": "ours", "suite/a.rls": "p(1)."})
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "ours.txt"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "ours"], check=True)
    assert commit_of(tmp_path) is not None
    assert commit_of(tmp_path / "suite") is None
