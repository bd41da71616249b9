"""What the shipped packs grant because a given fact is not there.

A missing row of a relation that a granting rule negates, directly or through other relations, opens
something. So a projection that forgets one of these relations fails open; each has a case here
that takes one row away and says what is granted then. The list is computed from the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from engine import (
    Atom,
    Fact,
    FactRefusedError,
    Limits,
    Negated,
    Program,
    Row,
    atoms_of,
    evaluate,
    restrict,
)
from house import shipped
from rules import parse_atoms

GRANTING = ("permitted", "readable", "eligible", "selected")


def opened_by_absence(program: Program, conclusion: str) -> set[str]:
    """The given relations of which fewer rows can give the conclusion more rows.

    An atom is met with the sign that its way from the conclusion has; a negation turns it, and an
    aggregate lets a row count either way.
    """
    seen: set[tuple[str, bool]] = set()
    stack = [(conclusion, True)]
    while stack:
        relation, sign = stack.pop()
        if (relation, sign) in seen:
            continue
        seen.add((relation, sign))
        for rule in program.rules:
            if rule.head.relation != relation:
                continue
            for literal in rule.body:
                match literal:
                    case Atom():
                        stack.append((literal.relation, sign))
                    case Negated():
                        stack.append((literal.atom.relation, not sign))
                    case _:
                        inside = [atom.relation for atom, _ in atoms_of([literal])]
                        stack += [(name, either) for name in inside for either in (True, False)]
    return {name for name, sign in seen if not sign and program.relations[name].given}


@dataclass(frozen=True, slots=True)
class Case:
    """Facts, the one that is taken away, and the row that is concluded only without it.

    Without a conclusion: references of `facts.dl` refuse the facts once it is away.
    """

    facts: str
    taken: str
    conclusion: str = ""


GRANT = """
now(1000). caller("ada"). token_operation("read"). token_scope("room:forge").
grant("g", "ada", "read"). grant_scope("g", "room:forge"). grant_from("g", 900).
"""
READ = 'permitted("read", "room:forge")'
LESSON = """
task_scope("room:forge"). lesson_order("l", 1). lesson("l", "coding_lesson").
lesson_scope("l", "shared"). lesson_authority("l", "a", "promoted").
"""
OTHER = """
lesson_order("m", 2). lesson("m", "coding_lesson"). lesson_scope("m", "shared").
lesson_authority("m", "b", "promoted").
"""
MATCH = 'unique_word(1000). task_words(20). relevance("l", 900, 3, 2000).'
RIVAL = 'relevance("m", 9000, 3, 9000).'
HERE = 'eligible("l")'

CASES: Mapping[str, Case] = {
    "now": Case(
        GRANT.replace("now(1000).", "now(940).") + 'grant_until("g", 950).', "now(1000)", READ
    ),
    "token_until": Case(GRANT, "token_until(1000)", READ),
    "grant_until": Case(GRANT, 'grant_until("g", 1000)', READ),
    "grant_revoked": Case(GRANT, 'grant_revoked("g")', READ),
    "grant_delegated": Case(GRANT, 'grant_delegated("g", "bob")', READ),
    "grant_scope": Case(
        GRANT + 'grant_delegated("g", "bob"). governs("bob", "room:forge").',
        'grant_scope("g", "room:attic")',
        READ,
    ),
    "lesson": Case(
        LESSON.replace('lesson("l", "coding_lesson").', ""), 'lesson("l", "coding_lesson")'
    ),
    "lesson_scope": Case(
        LESSON.replace('lesson_scope("l", "shared").', ""), 'lesson_scope("l", "shared")'
    ),
    "lesson_order": Case(LESSON.replace('lesson_order("l", 1).', ""), 'lesson_order("l", 1)'),
    "lesson_project": Case(
        LESSON
        + OTHER.replace("coding_lesson", "project_lesson")
        + MATCH
        + RIVAL
        + 'task_project("loom").',
        'lesson_project("m", "loom")',
        'selected("l", 1, "match")',
    ),
    "lesson_stage": Case(LESSON, 'lesson_stage("l", "ship")', HERE),
    "lesson_register": Case(LESSON, 'lesson_register("l", "formal")', HERE),
    "lesson_language": Case(LESSON, 'lesson_language("l", "rust")', HERE),
    "lesson_technology": Case(LESSON, 'lesson_technology("l", "react")', HERE),
    "lesson_authority": Case(
        LESSON
        + OTHER.replace('lesson_authority("m", "b", "promoted").', "")
        + 'lesson_superseded("l", "m").',
        'lesson_authority("m", "b", "promoted")',
        HERE,
    ),
    "lesson_superseded": Case(LESSON + OTHER, 'lesson_superseded("l", "m")', HERE),
    "task_scope": Case(
        LESSON + OTHER.replace("shared", "room:attic") + 'lesson_superseded("l", "m").',
        'task_scope("room:attic")',
        HERE,
    ),
    "task_project": Case(
        LESSON
        + OTHER.replace("coding_lesson", "project_lesson")
        + 'lesson_project("m", "kiln"). lesson_superseded("l", "m").',
        'task_project("kiln")',
        HERE,
    ),
    "task_stage": Case(
        LESSON + OTHER + MATCH + RIVAL + 'lesson_stage("m", "ship").',
        'task_stage("ship")',
        'selected("l", 1, "match")',
    ),
    "task_register": Case(
        LESSON + OTHER + MATCH + RIVAL + 'lesson_register("m", "formal").',
        'task_register("formal")',
        'selected("l", 1, "match")',
    ),
    "task_language": Case(
        LESSON + OTHER + MATCH + RIVAL + 'lesson_language("m", "rust").',
        'task_language("rust")',
        'selected("l", 1, "match")',
    ),
    "task_technology": Case(
        LESSON + OTHER + MATCH + RIVAL + 'lesson_technology("m", "react").',
        'task_technology("react")',
        'selected("l", 1, "match")',
    ),
    "lesson_negation": Case(
        LESSON + OTHER + MATCH + 'relevance("m", 950, 3, 2000).',
        'lesson_negation("l", "m")',
        'selected("l", 2, "match")',
    ),
    "lesson_always_on": Case(
        LESSON + OTHER + 'lesson_always_on("m").',
        'lesson_always_on("l")',
        'selected("m", 1, "always_on")',
    ),
    "relevance": Case(
        LESSON + OTHER + MATCH, 'relevance("m", 9000, 3, 9000)', 'selected("l", 1, "match")'
    ),
    "unique_word": Case(
        LESSON
        + OTHER
        + 'task_words(20). relevance("l", 900, 5, 100). relevance("m", 990, 3, 2000).',
        "unique_word(1000)",
        'selected("l", 1, "match")',
    ),
    "task_words": Case(
        LESSON
        + OTHER
        + 'unique_word(1000). relevance("l", 900, 3, 2000). relevance("m", 990, 5, 0).',
        "task_words(20)",
        'selected("l", 1, "match")',
    ),
}


def facts(text: str) -> list[Fact]:
    """The facts in a text."""
    found: list[Fact] = []
    for atom in parse_atoms(text, "case"):
        assert isinstance(atom, Atom), atom
        found.append(Fact.of(*row_of(atom), "case"))
    return found


def row_of(atom: Atom) -> tuple[str, Row]:
    """The relation and row of an atom without variables."""
    return atom.relation, tuple(term.value for term in atom.terms)  # type: ignore[union-attr]


def concluded(given: list[Fact], conclusion: str) -> bool:
    """Whether the conclusion follows from the facts."""
    (atom,) = parse_atoms(conclusion + ".", "case")
    assert isinstance(atom, Atom)
    relation, row = row_of(atom)
    model = evaluate(restrict(shipped().program, [relation]), given, [], Limits())
    return row in model.of(relation)


def test_every_given_relation_whose_absence_grants_something_has_a_case() -> None:
    program = shipped().program
    found = {name: opened_by_absence(program, name) for name in GRANTING}
    assert set.union(*found.values()) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_the_row_that_is_taken_away_had_kept_something_back(name: str) -> None:
    case = CASES[name]
    given, taken = facts(case.facts), facts(case.taken + ".")
    assert [fact.relation for fact in taken] == [name]
    if not case.conclusion:
        evaluate(shipped().program, [*given, *taken], [], Limits())
        with pytest.raises(FactRefusedError):
            evaluate(shipped().program, given, [], Limits())
        return
    assert not concluded([*given, *taken], case.conclusion)
    assert concluded(given, case.conclusion)
