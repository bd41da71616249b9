"""Which lessons of a standing packet are withdrawn, told from the facts of those few alone."""

import pytest

from engine import Atom, Constant, Fact, Limits, evaluate, restrict
from house import PACKS, scenario_files, shipped
from rules import Scenario, read_scenarios

CASES = {
    scenario.name: scenario
    for file in scenario_files(PACKS)
    for scenario in read_scenarios(*file)
    if any(fact.relation == "held" for fact in scenario.facts)
}
GIVEN = {
    "held",
    "lesson",
    "lesson_authority",
    "lesson_order",
    "lesson_project",
    "lesson_scope",
    "lesson_superseded",
    "lesson_version",
    "task_project",
    "task_scope",
}


def read_by_withdrawal() -> set[str]:
    """The given relations that decide what is withdrawn."""
    program = restrict(shipped().program, ["withdrawn"])
    atoms = [literal for rule in program.rules for literal in rule.body]
    names = {
        getattr(literal, "relation", None)
        or getattr(getattr(literal, "atom", None), "relation", "")
        for literal in atoms
    }
    return {name for name in names if name and program.relations[name].given}


def concerned(facts: tuple[Fact, ...]) -> list[Fact]:
    """The facts of the task, of the lessons held, and of what these have given way to."""
    lessons = {fact.values[0] for fact in facts if fact.relation == "held"}
    while True:
        successors = {
            fact.values[1]
            for fact in facts
            if fact.relation == "lesson_superseded" and fact.values[0] in lessons
        }
        if successors <= lessons:
            break
        lessons |= successors
    return [
        fact
        for fact in facts
        if fact.relation in GIVEN
        and (fact.relation.startswith("task") or fact.values[0] in lessons)
    ]


def test_no_match_and_no_state_decides_what_is_withdrawn() -> None:
    assert read_by_withdrawal() == GIVEN - {"lesson_order"}


@pytest.mark.parametrize("name", CASES)
def test_the_facts_of_the_lessons_held_are_enough(name: str) -> None:
    scenario: Scenario = CASES[name]
    few = concerned(scenario.facts)
    assert len(few) < len(scenario.facts)
    model = evaluate(restrict(shipped().program, ["withdrawn"]), few, [], Limits())
    assert model.of("withdrawn") == {
        tuple(term.value for term in atom.terms if isinstance(term, Constant))
        for atom in scenario.holds
        if isinstance(atom, Atom) and atom.relation == "withdrawn"
    }
