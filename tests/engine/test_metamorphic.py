"""Changes that must change nothing: to bodies, names, rules and facts of random programs."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from engine_bodies import names_of, terms
from engine_models import Case, derived_rows
from engine_programs import SMALL, cases, model_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    SYMBOL,
    Atom,
    Column,
    Comparison,
    Constant,
    Limits,
    Literal,
    Model,
    Negated,
    Program,
    Relation,
    Row,
    Rule,
    Term,
    Variable,
    Wildcard,
    evaluate,
    prove,
)
from engine.derivations import Inference

ROOMY = Limits(join_rows=10**7)
Rounds = dict[tuple[str, Row], int]
Body = tuple[Literal, ...]


def rounds_in(model: Model, case: Case) -> Rounds:
    """Rows and rounds of the relations of a case; a changed program may have more of them."""
    return {
        (name, row): model.rows.round_of(name, row) or 0
        for name in case.program.relations
        for row in model.rows.of(name)
    }


def atoms_of(body: Body) -> list[Atom]:
    return [literal for literal in body if isinstance(literal, Atom)]


def reorder(random: Random, found: Rule) -> Body:
    return tuple(random.sample(found.body, len(found.body)))


def duplicate(random: Random, found: Rule) -> Body:
    """A literal twice, the second time anywhere."""
    body = list(found.body)
    for literal in random.choices(found.body, k=2) if found.body else ():
        body.insert(random.randint(0, len(body)), literal)
    return tuple(body)


def weaken(random: Random, found: Rule) -> Body:
    """An atom that another one implies: the same with some of its terms left open."""
    body = list(found.body)
    for atom in atoms_of(found.body)[:2]:
        open_terms = (Wildcard() if random.random() < 0.5 else term for term in atom.terms)
        body.insert(random.randint(0, len(body)), Atom(atom.relation, tuple(open_terms)))
    return tuple(body)


def rejoin(random: Random, found: Rule) -> Body:
    """An atom that another one implies: the same with fresh variables, used nowhere else."""
    body = list(found.body)
    for number, atom in enumerate(atoms_of(found.body)[:2]):
        fresh = (Variable(f"u{number}_{i}") for i in range(len(atom.terms)))
        terms = (f if random.random() < 0.6 else t for f, t in zip(fresh, atom.terms, strict=True))
        body.insert(random.randint(0, len(body)), Atom(atom.relation, tuple(terms)))
    return tuple(body)


def close(_: Random, found: Rule) -> Body:
    """`_` in place of variables that stand once."""
    names = [t.name for x in (found.head, *found.body) for t in terms(x) if isinstance(t, Variable)]

    def closed(term: Term) -> Term:
        once = isinstance(term, Variable) and names.count(term.name) == 1
        return Wildcard() if once else term

    return tuple(
        Atom(x.relation, tuple(map(closed, x.terms))) if isinstance(x, Atom) else x
        for x in found.body
    )


def open_wildcards(_: Random, found: Rule) -> Body:
    """Fresh variables in place of `_` in positive atoms."""
    body: list[Literal] = []
    for number, x in enumerate(found.body):
        if isinstance(x, Atom):
            fresh = (
                Variable(f"u{number}_{i}") if isinstance(term, Wildcard) else term
                for i, term in enumerate(x.terms)
            )
            body.append(Atom(x.relation, tuple(fresh)))
        else:
            body.append(x)
    return tuple(body)


def state_the_obvious(random: Random, found: Rule) -> Body:
    """Comparisons that are true of everything."""
    bound = [t for atom in atoms_of(found.body) for t in atom.terms if isinstance(t, Variable)]
    obvious: list[Literal] = [Comparison(random.choice(("=", "<=", ">=")), t, t) for t in bound[:2]]
    obvious.append(Comparison("!=", Constant(1), Constant(2)))
    body = [*found.body, *obvious]
    return tuple(random.sample(body, len(body)))


BODIES: dict[str, Callable[[Random, Rule], Body]] = {
    "reordered": reorder,
    "with a literal twice": duplicate,
    "with an atom that another one implies": weaken,
    "with an atom over variables used nowhere else": rejoin,
    "with wildcards for variables that stand once": close,
    "with variables for wildcards": open_wildcards,
    "with comparisons that are always true": state_the_obvious,
}


@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=100, deadline=None)
@given(case=cases(), random=st.randoms(use_true_random=True))
def test_rows_and_rounds_stay_the_same_for_bodies(name: str, case: Case, random: Random) -> None:
    model = model_of(case, SMALL)
    rules = tuple(replace(r, body=BODIES[name](random, r)) for r in case.program.rules)
    changed = evaluate(replace(case.program, rules=rules), case.facts, [], ROOMY)
    assert rounds_in(changed, case) == rounds_in(model, case)


@settings(max_examples=150, deadline=None)
@given(cases(), st.randoms(use_true_random=True))
def test_other_names_for_variables_change_names_in_proofs_and_nothing_else(
    case: Case, random: Random
) -> None:
    model = model_of(case, SMALL)
    rules, renamings = [], {}
    for found in case.program.rules:
        names = names_of(found)
        fresh = random.sample([*names, *(f"n{i}" for i in range(5))], len(names))
        renamings[found.id] = dict(zip(names, fresh, strict=True))
        rules.append(renamed(found, renamings[found.id]))
    changed = evaluate(replace(case.program, rules=tuple(rules)), case.facts, [], ROOMY)
    assert rounds_in(changed, case) == rounds_in(model, case)
    for ground in derived_rows(model)[:10]:
        steps = [s for s in prove(model, *ground).steps if isinstance(s, Inference)]
        others = [s for s in prove(changed, *ground).steps if isinstance(s, Inference)]
        assert [(s.rule_id, s.values, translated(s, renamings)) for s in steps] == [
            (s.rule_id, s.values, dict(s.binding)) for s in others
        ]


def translated(step: Inference, renamings: dict[str, dict[str, str]]) -> dict[str, str | int]:
    return {renamings[step.rule_id][name]: value for name, value in step.binding}


def renamed(found: Rule, names: dict[str, str]) -> Rule:
    def other(term: Term) -> Term:
        return Variable(names[term.name]) if isinstance(term, Variable) else term

    def atom(old: Atom) -> Atom:
        return Atom(old.relation, tuple(map(other, old.terms)))

    body: list[Literal] = []
    for x in found.body:
        match x:
            case Atom():
                body.append(atom(x))
            case Negated():
                body.append(Negated(atom(x.atom)))
            case Comparison():
                body.append(Comparison(x.operator, other(x.left), other(x.right)))
    return Rule(found.id, atom(found.head), tuple(body))


def never(case: Case) -> list[Rule]:
    """Rules without any instance: an atom and its denial; a value both small and great."""
    rules: list[Rule] = []
    for name in (n for n, found in case.program.relations.items() if found.given):
        arity = len(case.program.relations[name].columns)
        x, y = (tuple(Variable(f"{v}{i}") for i in range(arity)) for v in "xy")
        rules.append(Rule(f"{name} denied", NEVER, (Atom(name, x), Negated(Atom(name, x)))))
        if arity:
            clash = (Comparison("<=", x[0], y[0]), Comparison(">", x[0], y[0]))
            rules.append(Rule(f"{name} clashes", NEVER, (Atom(name, x), Atom(name, y), *clash)))
    return rules


NEVER = Atom("never", ())


def extended(program: Program, rules: Iterable[Rule], name: str, arity: int) -> Program:
    """A program with one more relation; of the columns of derived ones only the number is read."""
    relation = Relation(name, tuple(Column(f"c{i}", SYMBOL) for i in range(arity)))
    return Program({}, {**program.relations, name: relation}, tuple(rules))


@settings(max_examples=150, deadline=None)
@given(cases())
def test_what_is_always_empty_changes_nothing_where_it_is_denied(case: Case) -> None:
    model = model_of(case, SMALL)
    rules = [replace(r, body=(*r.body, Negated(NEVER))) for r in case.program.rules]
    program = extended(case.program, [*rules, *never(case)], "never", 0)
    changed = evaluate(program, case.facts, [], ROOMY)
    assert changed.of("never") == frozenset()
    assert rounds_in(changed, case) == rounds_in(model, case)


@settings(max_examples=150, deadline=None)
@given(cases(), st.integers(0, 20))
def test_a_body_moved_into_a_relation_of_its_own_gives_the_same_rows(case: Case, n: int) -> None:
    model = model_of(case, SMALL)
    rules = list(case.program.rules)
    found = rules[n % len(rules)]
    row = tuple(Variable(name) for name in names_of(found))
    moved = Rule("moved", Atom("moved", row), found.body)
    rules[n % len(rules)] = replace(found, body=(Atom("moved", row),))
    program = extended(case.program, [*rules, moved], "moved", len(row))
    changed = evaluate(program, case.facts, [], ROOMY)
    assert set(rounds_in(changed, case)) == set(rounds_in(model, case))
