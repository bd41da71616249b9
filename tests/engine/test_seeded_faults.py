"""Seeded faults: each small fault in the engine is noticed by `engine_self_check.py`."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

HERE = Path(__file__).parent
ENGINE = HERE.parents[1] / "engine"
TIMEOUT_SECONDS = 60

FAULTS: dict[str, tuple[str, str, str]] = {
    "every row appears in round one": ("naive.py", "number += 1", "number = 1"),
    "rows appear one round early": (
        "naive.py",
        "rows.add(relation, row, number)",
        "rows.add(relation, row, number - 1)",
    ),
    "the greatest fact id is kept": ("naive.py", "min(facts.get", "max(facts.get"),
    "a row counts for each rule that gives it": (
        "naive.py",
        "(relation, row) not in fresh and ",
        "",
    ),
    "request facts count as base facts": (
        "naive.py",
        '("request_facts", list',
        '("base_facts", list',
    ),
    "facts are not admitted": ("naive.py", "        admit(program, given)\n", ""),
    "a round is not counted": ("naive.py", 'meter.count("rounds", 1', 'meter.count("rounds", 0'),
    "a negation always holds": ("joins.py", "return not rows.matching(", "return True or ("),
    "constants in atoms are not compared": ("joins.py", "if term.value != value:", "if False:"),
    "a variable that stands twice is two": (
        "joins.py",
        "extended.setdefault(term.name, value) != value",
        "extended.update({term.name: value})",
    ),
    "`<=` is `<`": ("joins.py", '"<=": operator.le', '"<=": operator.lt'),
    "`!=` is always true": ("joins.py", '"!=": operator.ne', '"!=": lambda left, right: True'),
    "a join counts one row": ("joins.py", "count(len(found))", "count(1)"),
    "an index is not kept up to date": (
        "rows.py",
        "self._index.get(relation, {}).items()",
        "{}.items()",
    ),
    "whole patterns always match": (
        "rows.py",
        "return (pattern,) if pattern in known else ()",
        "return (pattern,)",
    ),
    "only the first rule of a stratum is looked at": (
        "strata.py",
        "for rule in mine:",
        "for rule in mine[:1]:",
    ),
    "negated atoms make no dependency": (
        "strata.py",
        "literal.atom if isinstance(literal, Negated) else literal",
        "literal",
    ),
    "rules of a stratum are not sorted": (
        "strata.py",
        "        mine.sort(key=lambda rule: rule.id)\n",
        "",
    ),
    "low links stay with the child": (
        "strata.py",
        "self.low[parent] = min(self.low[parent], self.low[node])",
        "pass",
    ),
    "a slice leaves out what it rests on": (
        "strata.py",
        "stack.extend(graph.get(relation, ()))",
        "pass",
    ),
    "symbols come before numbers": ("terms.py", "else (2, 0, value)", "else (0, 1, value)"),
    "a truth value is a number in a fact": (
        "facts.py",
        "isinstance(value, bool) or not isinstance(value, int)",
        "not isinstance(value, int)",
    ),
    "numbers have any size": ("facts.py", "NUMBER_MIN <= value <= NUMBER_MAX", "True"),
    "derived rows may be given": ("facts.py", "if not relation.given:", "if False:"),
    "any number of columns will do": (
        "facts.py",
        "if len(fact.values) != len(relation.columns):",
        "if False:",
    ),
    "a set has an order": (
        "facts.py",
        "sorted({fact.id for fact in facts})",
        "[fact.id for fact in facts]",
    ),
    "texts are not prefixed by their length": (
        "digests.py",
        'b"s%d:%b" % (len(encoded), encoded)',
        'b"s%b" % encoded',
    ),
    "lists are not prefixed by their length": ("digests.py", 'b"l%d:" % len(item)', 'b"l"'),
    "a rule step does not name its binding": (
        "derivations.py",
        "values, binding, premises])",
        "values, premises])",
    ),
    "the conclusion is no fact id": (
        "derivations.py",
        "{s.fact_id for s in self.steps if isinstance(s, Given)}",
        "{s.fact_id for s in self.steps[:-1] if isinstance(s, Given)}",
    ),
    "a proof stands on rows of its own round": ("applications.py", "< limit", "<= limit"),
    "the greatest value is tried first": (
        "applications.py",
        "order_key((value,)))",
        "order_key((value,)), reverse=True)",
    ),
    "choices in the own stratum are kept": (
        "applications.py",
        "if size >= _MANY and not self._is_mutual(goal, atom.relation):",
        "if size >= _MANY:",
    ),
    "rows for `_` in the own stratum are kept": (
        "applications.py",
        "if self._is_mutual(goal, atom.relation) or len",
        "if len",
    ),
    "the greatest row stands for `_`": (
        "applications.py",
        "row = min(self._earlier",
        "row = max(self._earlier",
    ),
    "tests are forgotten in a proof": (
        "applications.py",
        "tuple(test for test in tests if last(test) == variable)",
        "()",
    ),
    "variables are taken by name": (
        "program.py",
        "tuple(dict.fromkeys(named()))",
        "tuple(sorted(set(named())))",
    ),
    "an absence is no premise": ("proofs.py", "                premises.append(absence.id)\n", ""),
    "absences are believed": (
        "checker.py",
        "        _check_absences(steps, program, facts, limits)\n",
        "",
    ),
    "given facts are believed": ("checker.py", "        _check_given(steps, facts)\n", ""),
    "facts at hand are believed": ("checker.py", "if set_digest(named) != name:", "if False:"),
    "a step may stand for nothing": (
        "checker.py",
        "if used != set(steps) - {last.id}:",
        "if False:",
    ),
    "a step may stand twice": ("checker.py", "if step.id in steps:", "if False:"),
    "comparisons are believed": ("checker.py", "return holds(comparison, binding)", "return True"),
    "a premise too many is allowed": ("checker.py", "next(premises, None) is None", "True"),
    "a variable too many is allowed": (
        "checker.py",
        "set(binding) == names",
        "set(binding) >= names",
    ),
    "a fact id is believed": ("checker.py", "step.fact_id == fact_id(*content)", "True"),
    "any rules will do": ("checker.py", "parsed.ruleset_version == ruleset_version", "True"),
    "any conclusion will do": (
        "checker.py",
        "(last.relation, last.values) != parsed.conclusion",
        "False",
    ),
    "the digest is believed": ("checker.py", "certificate_digest(body) == parsed.digest", "True"),
    "input facts are believed": (
        "checker.py",
        "parsed.input_fact_ids == derivation.input_fact_ids",
        "True",
    ),
    "any absence of the relation will do": (
        "checker.py",
        "(premise.relation, premise.pattern) == wanted",
        "premise.relation == wanted[0]",
    ),
    "the bounds are outside the digest": (
        "certificates.py",
        'if name != "digest"',
        'if name not in ("digest", "execution_bounds")',
    ),
    "a truth value is a number in a certificate": (
        "certificates.py",
        "isinstance(value, bool) or not isinstance(value, int)",
        "not isinstance(value, int)",
    ),
    "unknown fields are let through": (
        "certificates.py",
        "set(found) != names",
        "not names <= set(found)",
    ),
    "a limit stops one early": ("limits.py", "if total > allowed:", "if total >= allowed:"),
    "what was used is forgotten": (
        "limits.py",
        "self.used[limit] = total",
        "self.used[limit] = amount",
    ),
}


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


def test_without_a_fault_the_check_finds_no_flaw(copied: Path) -> None:
    done = self_check(copied)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{copied}/engine/__init__.py\nno flaw\n"


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed(name: str, copied: Path) -> None:
    file, old, new = FAULTS[name]
    path = copied / "engine" / file
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    done = self_check(copied)
    assert done.stdout.startswith(f"{copied}/engine/__init__.py\n"), done.stderr
    assert (done.returncode, "no flaw" in done.stdout) == (1, False)
