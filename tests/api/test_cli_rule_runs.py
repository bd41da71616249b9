"""`athanor rules run`, `explain`, `test` and `crosscheck`: rows, outcomes and exit codes."""

import json
from pathlib import Path

import pytest
from command_lines import Ran, Shell

REACH = """.decl edge(x:symbol, y:symbol)
.input edge{input}
.decl reach(x:symbol, y:symbol)
.output reach
@[id = "step"] reach(x, y) :- edge(x, y).
@[id = "further"] reach(x, z) :- reach(x, y), edge(y, z).
"""
QUOTIENT = """@[given] .decl amount(n:number)
.decl share(n:number)
.output share
@[id = "share"] share(x) :- amount(n), x = 10 / n.
"""


def rules(folder: Path, *arguments: str) -> Ran:
    return Shell(folder / "home").ask("rules", *arguments)


def laid(folder: Path, program: str, **facts: str) -> tuple[str, str]:
    """A program and a folder of facts."""
    (folder / "facts").mkdir(exist_ok=True)
    (folder / "p.dl").write_text(program, encoding="utf-8")
    for name, text in facts.items():
        (folder / "facts" / f"{name}.facts").write_text(text, encoding="utf-8")
    return str(folder / "p.dl"), str(folder / "facts")


def test_a_run_answers_with_the_rows_of_the_outputs(tmp_path: Path) -> None:
    program, facts = laid(tmp_path, REACH.format(input=""), edge='a\tb\nb\t"c"\n')
    ran = rules(tmp_path, "run", program, "--facts", facts, "--json")
    assert ran.json == {"reach": [["a", '"c"'], ["a", "b"], ["b", '"c"']]}
    shown = rules(tmp_path, "run", program, "--facts", facts)
    assert shown.out.splitlines()[1:4] == ["reach", "===============", 'a\t"c"']


def test_an_input_names_its_file_and_its_delimiter(tmp_path: Path) -> None:
    given = '(IO="file", filename="other.facts", delimiter=",")'
    program, facts = laid(tmp_path, REACH.format(input=given), other="a,b\n")
    assert rules(tmp_path, "run", program, "--facts", facts, "--json").json == {
        "reach": [["a", "b"]]
    }


WRONG = {
    "a parameter that would be read otherwise": ("(rfc4180=true)", "a\tb\n", "rfc4180"),
    "another kind of input": ('(IO="sqlite")', "a\tb\n", "`IO`"),
    "a file outside": ('(filename="../edge.facts")', "a\tb\n", "outside the folder"),
    "no file": ('(filename="none.facts")', "a\tb\n", "none.facts"),
    "a column too few": ("", "a\tb\na\n", "edge.facts:2: 2 columns declared, 1 found"),
}


@pytest.mark.parametrize("name", WRONG)
def test_facts_are_refused_with_exit_code_2_for(name: str, tmp_path: Path) -> None:
    given, text, told = WRONG[name]
    program, facts = laid(tmp_path, REACH.format(input=given), edge=text)
    ran = rules(tmp_path, "run", program, "--facts", facts)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def test_a_relation_of_one_column_has_one_column(tmp_path: Path) -> None:
    program, facts = laid(tmp_path, QUOTIENT, amount="1\t2\n")
    told = rules(tmp_path, "run", program, "--facts", facts).err
    assert "amount.facts:1: 1 column declared, 2 found" in told


def test_the_four_outcomes_have_four_exit_codes(tmp_path: Path) -> None:
    program, facts = laid(tmp_path, QUOTIENT, amount="5\n")
    ask = ("explain", program, "--facts", facts, "--atom")
    derived = rules(tmp_path, *ask, "share(2)")
    assert (derived.code, derived.out.splitlines()[0]) == (0, "share(2)  by rule share")
    assert rules(tmp_path, *ask, "share(3)").code == 1
    laid(tmp_path, QUOTIENT, amount="5\n0\n")
    failed = rules(tmp_path, *ask, "share(2)")
    assert (failed.code, "division by zero in rule `share`" in failed.err) == (4, True)
    cross = QUOTIENT.replace("amount(n), x = 10 / n", "amount(x), amount(a), amount(b), a < b")
    laid(tmp_path, cross, amount="".join(f"{n}\n" for n in range(400)))
    reached = rules(tmp_path, *ask, "share(2)")
    assert (reached.code, "limit `join_rows`" in reached.err) == (3, True)


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, []), (2, ["(1 more row fits)"]), (3, ["(2 more rows fit)"])],
)
def test_rows_that_fit_a_question_too_are_counted(
    count: int, told: list[str], tmp_path: Path
) -> None:
    edges = "".join(f"a\tb{n}\n" for n in range(count))
    program, facts = laid(tmp_path, REACH.format(input=""), edge=edges)
    ran = rules(tmp_path, "explain", program, "--facts", facts, "--atom", 'reach("a", _)')
    assert [line for line in ran.out.splitlines() if line.startswith("(")] == told


def test_a_failing_scenario_is_told_and_fails(tmp_path: Path) -> None:
    program, _ = laid(tmp_path, REACH.format(input=""))
    scenario = """[[scenario]]
name = "two steps"
facts = 'edge("a", "b"). edge("b", "c").'
holds = 'reach("a", "d").'
absent = 'reach("a", "c").'
exactly = ["reach"]
"""
    (tmp_path / "s.toml").write_text(scenario, encoding="utf-8")
    ran = rules(tmp_path, "test", program)
    assert ran.code == 1
    told = ["does not hold: reach", "holds: reach", "holds as well: reach"]
    assert all(line in ran.out for line in told)


def test_rules_that_no_scenario_applies_are_named_and_fail_when_asked(tmp_path: Path) -> None:
    program, _ = laid(tmp_path, REACH.format(input=""))
    scenario = (
        "[[scenario]]\nname = 'one'\nfacts = 'edge(\"a\", \"b\").'\nholds = 'reach(\"a\", _).'\n"
    )
    (tmp_path / "s.toml").write_text(scenario, encoding="utf-8")
    ran = rules(tmp_path, "test", program)
    assert (ran.code, "not covered: rule further" in ran.out) == (0, True)
    assert rules(tmp_path, "test", program, "--cover").code == 1


BROKEN = {
    "no scenario at all": "",
    "an unknown field": "[[scenario]]\nname = 'x'\nhold = 'reach(_, _).'\n",
    "nothing expected": "[[scenario]]\nname = 'x'\n",
    "a name twice": "[[scenario]]\nname='x'\nholds='reach(_, _).'\n" * 2,
    "a variable": "[[scenario]]\nname='x'\nholds='reach(x, _).'\n",
    "no TOML": "[[scenario\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_scenario_file_is_refused_for(name: str, tmp_path: Path) -> None:
    program, _ = laid(tmp_path, REACH.format(input=""))
    (tmp_path / "s.toml").write_text(BROKEN[name], encoding="utf-8")
    assert rules(tmp_path, "test", program).code == 2


def test_the_second_evaluator_agrees_on_the_scenarios_of_a_shipped_pack(tmp_path: Path) -> None:
    ran = rules(tmp_path, "crosscheck", "routing", "--json")
    votes = json.loads(ran.out)["votes"]
    assert (ran.code, {vote["vote"] for vote in votes}) == (0, {"agrees"})


@pytest.mark.parametrize(
    ("count", "told"), [(1, "1 of 1 scenario agrees"), (2, "2 of 2 scenarios agree")]
)
def test_scenarios_that_agree_are_counted(count: int, told: str, tmp_path: Path) -> None:
    program, _ = laid(tmp_path, REACH.format(input=""))
    scenarios = (f"[[scenario]]\nname = '{n}'\nabsent = 'reach(_, _).'\n" for n in range(count))
    (tmp_path / "s.toml").write_text("".join(scenarios), encoding="utf-8")
    assert rules(tmp_path, "crosscheck", program).out.splitlines()[-1] == told


def test_what_the_second_evaluator_cannot_say_in_time_is_inconclusive(tmp_path: Path) -> None:
    ran = rules(tmp_path, "crosscheck", "routing", "--seconds", "0.01")
    assert ran.code == 3
    assert "unchecked" in ran.out
