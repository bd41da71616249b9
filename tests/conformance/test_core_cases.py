"""The 114 core cases of `datalog-conformance`, through an adapter; every exception is explained."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import datalog_conformance
import pytest
import yaml
from core_adapter import LIMITS, RefusedProgramError, model_of

from engine import LimitReachedError, Limits

CASES = Path(datalog_conformance.__file__).parent / "_tests"
CORE = ("basic", "errors", "negation", "recursion")

FREE_IN_NEGATION = (
    "a variable stands in a negated atom only; we refuse it, since the suite itself takes it once "
    "as an error (`unsafe_negation_variable_only_in_negative_literal`) and once as `_`"
)
REFUSED = {
    "nemo_negation_projectedX": FREE_IN_NEGATION,
    "nemo_negation_projectedXY": FREE_IN_NEGATION,
    "nemo_negation_projectedXZ": FREE_IN_NEGATION,
    "nemo_negation_projectedY": FREE_IN_NEGATION,
    "nemo_negation_projectedYZ": FREE_IN_NEGATION,
    "nemo_negation_projectedZ": FREE_IN_NEGATION,
    "souffle_equal_isEqual": "one column holds numbers and symbols; our types never meet",
}
LARGE = {
    "souffle_hmmer_CPtrLoad": "it derives more than 1,000,000 rows, which is our default limit",
    "souffle_hmmer_CPtrStore": "it derives more than 1,000,000 rows, which is our default limit",
}
SMALL = Limits(join_rows=300_000, derived_rows=100_000)


def cases() -> Iterator[dict[str, Any]]:
    for folder in CORE:
        for file in sorted((CASES / folder).rglob("*.yaml")):
            content = yaml.safe_load(file.read_text(encoding="utf-8"))
            tests = content.get("tests", [content])
            yield from (test for test in tests if "program" in test)


ALL = {case["name"]: case for case in cases()}


def program_key(case: dict[str, Any]) -> str:
    return json.dumps(case["program"], sort_keys=True)


@cache
def shared_model(key: str) -> dict[str, set[tuple[str | int, ...]]]:
    """One model for all cases of one program: everything that some of them expects."""
    alike = [c for name, c in ALL.items() if name not in REFUSED and program_key(c) == key]
    wanted = sorted({relation for case in alike for relation in case.get("expect") or {}})
    program = alike[0]["program"]
    return model_of(program.get("facts") or {}, program.get("rules") or [], wanted, LIMITS)


def test_the_suite_has_the_cases_that_we_know() -> None:
    assert len(ALL) == 114
    assert {*REFUSED, *LARGE} <= set(ALL)


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_core_case_is_answered_as_the_suite_says(name: str) -> None:
    case = ALL[name]
    facts, rules = case["program"].get("facts") or {}, case["program"].get("rules") or []
    expected = case.get("expect") or {}
    if name in LARGE:
        with pytest.raises(LimitReachedError):
            model_of(facts, rules, list(expected), SMALL)
    elif name in REFUSED or case.get("expect_error"):
        with pytest.raises(RefusedProgramError):
            model_of(facts, rules, list(expected), LIMITS)
    else:
        found = shared_model(program_key(case))
        wanted = {relation: {tuple(row) for row in rows} for relation, rows in expected.items()}
        assert {relation: found.get(relation, set()) for relation in wanted} == wanted
