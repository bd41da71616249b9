"""Every invariant of the shipped packs is more than words: some small fault of a pack breaks it."""

import re
from dataclasses import replace

import pytest
from pack_mutations import MUTATIONS, Fault

from engine import Limits, Program, applied_rules, evaluate, restrict
from house import PACKS, scenario_files, shipped, shipped_sources
from rules import MATCHERS, Scenario, Source, load, read_scenarios

SCENARIOS: tuple[Scenario, ...] = tuple(
    scenario for file in scenario_files(PACKS) for scenario in read_scenarios(*file)
)


def mutated(faults: tuple[Fault, ...]) -> Program:
    """The shipped packs with faults in them."""
    sources = shipped_sources()
    for rule_id, old, new in faults:
        sources = [replace(source, text=_changed(source, rule_id, old, new)) for source in sources]
    loaded = load(sources)
    assert loaded.ruleset is not None, loaded.diagnostics
    program = loaded.ruleset.program
    assert program != shipped().program
    return program


def _changed(source: Source, rule_id: str, old: str, new: str) -> str:
    """The text of a source with one replacement in the rule of that id, if it stands there."""
    found = re.search(rf'@\[id = "{re.escape(rule_id)}"\]\n(?:.|\n)*?\.\n', source.text)
    if found is None:
        return source.text
    rule = found.group()
    if old:
        assert rule.count(old) == 1, (rule, old)
    changed = rule.replace(old, new) if old else ""
    return source.text[: found.start()] + changed + source.text[found.end() :]


def is_broken(program: Program, rule_id: str) -> bool:
    """Whether a rule of an invariant speaks in some scenario."""
    relation = next(rule.head.relation for rule in program.rules if rule.id == rule_id)
    behind = restrict(program, [relation])
    for scenario in SCENARIOS:
        model = evaluate(behind, scenario.facts, [], Limits(), MATCHERS)
        if model.of(relation) and rule_id in applied_rules(model):
            return True
    return False


def test_every_rule_of_every_invariant_has_a_fault_that_breaks_it() -> None:
    program = shipped().program
    rules = {rule.id for rule in program.rules if program.relations[rule.head.relation].never}
    assert set(MUTATIONS) == rules
    changes = [fault for faults in MUTATIONS.values() for fault in faults]
    assert not {rule_id for rule_id, _, _ in changes} & rules


@pytest.mark.parametrize("rule_id", MUTATIONS)
def test_an_invariant_notices_the_fault(rule_id: str) -> None:
    assert is_broken(mutated(MUTATIONS[rule_id]), rule_id)


@pytest.mark.parametrize(
    "rule_id", [rule_id for rule_id, faults in MUTATIONS.items() if len(faults) > 1]
)
def test_either_of_two_guards_is_enough(rule_id: str) -> None:
    for fault in MUTATIONS[rule_id]:
        assert not is_broken(mutated((fault,)), rule_id)
