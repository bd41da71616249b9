"""The definition: whole models against clingo, rounds against a second simulation, and a table."""

from collections import Counter

import pytest
from clingo_oracle import clingo_model
from engine_models import Case, all_rows
from engine_notation import case
from engine_programs import MODEST, SMALL, WIDE, cases, model_of
from engine_reference import components, rounds_of
from engine_rich_programs import rich_cases
from hypothesis import assume, given, settings

from engine import (
    ArithmeticFaultError,
    Atom,
    Comparison,
    Constant,
    LimitReachedError,
    Limits,
    Model,
    Negated,
    Row,
    Variable,
    evaluate,
    evaluate_by_definition,
)


@settings(max_examples=500, deadline=None)
@given(cases())
def test_both_evaluators_equal_clingo_for_every_relation(case: Case) -> None:
    expected = clingo_model(case.program, case.facts)
    for model in (model_of(case, MODEST), definition_of(case, MODEST)):
        assert {name: model.of(name) for name in case.program.relations} == expected


@settings(max_examples=300, deadline=None)
@given(rich_cases(is_wild=False))
def test_both_evaluators_equal_clingo_with_arithmetic_and_aggregates(case: Case) -> None:
    models = (definition_of(case, SMALL), evaluate(case.program, case.facts, [], Limits()))
    values = [v for ground in all_rows(models[0]) for v in ground[1] if isinstance(v, int)]
    assume(all(abs(number) < 1000 for number in values))  # clingo has 32 bits
    expected = clingo_model(case.program, case.facts)
    for model in models:
        assert {name: model.of(name) for name in case.program.relations} == expected


def definition_of(case: Case, limits: Limits) -> Model:
    """The model by the definition; a case that costs too much is set aside."""
    try:
        return evaluate_by_definition(case.program, case.facts, [], limits)
    except (LimitReachedError, ArithmeticFaultError):
        assume(False)
        raise


@settings(max_examples=400, deadline=None)
@given(cases())
def test_every_row_has_the_round_of_a_naive_evaluation_of_its_component(case: Case) -> None:
    model = model_of(case, SMALL)
    found = {ground: model.rows.round_of(*ground) for ground in all_rows(model)}
    assert found == rounds_of(case.program, case.facts)


def features(case: Case, model: Model) -> set[str]:
    """What a generated case has that an engine could get wrong."""
    literals = [literal for rule in case.program.rules for literal in rule.body]
    atoms = [literal for literal in literals if isinstance(literal, Atom)]
    found = {f"arity {len(r.columns)}" for r in case.program.relations.values()}
    found |= {f"round {model.rows.round_of(*ground)}" for ground in all_rows(model)}
    for atom in atoms:
        variables = [term for term in atom.terms if isinstance(term, Variable)]
        found |= {"repeated variable"} if len(variables) > len(set(variables)) else set()
        found |= {type(term).__name__ for term in atom.terms}
    for literal in literals:
        match literal:
            case Negated():
                found |= {f"negated {type(term).__name__}" for term in literal.atom.terms}
                found |= {"negation that bites"} if model.of(literal.atom.relation) else set()
            case Comparison():
                kinds = {
                    type(t.value).__name__
                    for t in (literal.left, literal.right)
                    if isinstance(t, Constant)
                }
                found |= {f"{literal.operator} {kind}" for kind in kinds}
            case Atom():
                found |= {"empty relation read"} if not model.of(literal.relation) else set()
    found |= {"mutual recursion"} if any(len(c) > 1 for c in components(case.program)) else set()
    values = {value for fact in case.facts for value in fact.values}
    return found | {"awkward text"} if values & {'"', "\\", "\n", "\0"} else found


def test_the_generator_reaches_what_an_engine_could_get_wrong() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=300, deadline=None, derandomize=True, database=None)
    @given(cases())
    def collect(case: Case) -> None:
        seen.update(features(case, model_of(case, MODEST)))

    collect()
    wanted = {
        *(f"arity {n}" for n in (0, 1, 2, 3, 4, WIDE)),
        *(f"round {n}" for n in (1, 2, 3)),
        *("Variable", "Constant", "Wildcard", "negated Variable", "negated Constant"),
        *("negated Wildcard", "negation that bites", "repeated variable", "empty relation read"),
        *("mutual recursion", "awkward text", "= str", "!= str", "!= int", "< int", ">= int"),
    }
    assert {name: seen[name] for name in wanted if seen[name] < 5} == {}


WIDE_TERMS = " ".join(f"x{i}" for i in range(20))
WIDE_ROWS: list[Row] = [(*range(19), 0), (*range(19), 1)]

MODELS: dict[str, tuple[Case, dict[str, set[Row]]]] = {
    "a rule without a body is a fact": (case("p 1 'a' :-"), {"p": {(1, "a")}}),
    "recursion on both sides reaches every pair": (
        case("t x y :- e x y\nt x z :- t x y, t y z", e=[(i, i + 1) for i in range(7)]),
        {"t": {(i, j) for i in range(8) for j in range(i + 1, 8)}},
    ),
    "a variable that stands twice in an atom is one value": (
        case("p x :- e x x", e=[(1, 1), (1, 2), (2, 1)]),
        {"p": {(1,)}},
    ),
    "a self-join on a projected column gives one row for one fact": (
        case("p x y :- e x _, e y _", e=[(1, 2)]),
        {"p": {(1, 1)}},
    ),
    "a negation that shares no variable still decides": (
        case("p x :- a x, !flag\nflag :- a 9", a=[(1,), (2,)]),
        {"p": {(1,), (2,)}},
    ),
    "a negation that shares no variable denies every row": (
        case("p x :- a x, !flag\nflag :- a 2", a=[(1,), (2,)]),
        {"p": set(), "flag": {()}},
    ),
    "a wildcard in a negated atom says for no value": (
        case("p x :- a x, !b x _", a=[(1,), (2,)], b=[(1, 5), (1, 6)]),
        {"p": {(2,)}},
    ),
    "a wildcard in a negated atom of an empty relation denies nothing": (
        case("p x :- a x, !b x _", a=[(1,), (2,)]),
        {"p": {(1,), (2,)}},
    ),
    "a symbol never equals the number that looks the same": (
        case("p x :- a x, b x\nq x :- a x, !b x", a=[("5",), ("-1",)], b=[(5,), (-1,)]),
        {"p": set(), "q": {("5",), ("-1",)}},
    ),
    "symbols are ordered by their bytes": (
        case(
            "p x y :- a x, a y, x < y",
            a=[("Z",), ("a",), ("\xe9",), ("\uffff",), ("\U0001f600",)],
        ),
        {
            "p": {
                (x, y)
                for x in ("Z", "a", "\xe9", "\uffff", "\U0001f600")
                for y in ("Z", "a", "\xe9", "\uffff", "\U0001f600")
                if x.encode() < y.encode()
            }
        },
    ),
    "rows of twenty columns are told apart by the last one": (
        case(f"p {WIDE_TERMS} :- a {WIDE_TERMS}, !b {WIDE_TERMS}", a=WIDE_ROWS, b=WIDE_ROWS[:1]),
        {"p": {WIDE_ROWS[1]}},
    ),
    "text is not normalised": (
        case("p x :- a x, b x", a=[("\xe9",)], b=[("e\u0301",)]),
        {"p": set()},
    ),
    "numbers at both ends of 64 bits stay apart": (
        case("p x y :- a x, a y, x < y", a=[(2**63 - 1,), (2**63 - 2,), (-(2**63),)]),
        {
            "p": {
                (-(2**63), 2**63 - 2),
                (-(2**63), 2**63 - 1),
                (2**63 - 2, 2**63 - 1),
            }
        },
    ),
    "comparisons that contradict each other give nothing": (
        case("p x y :- a x, a y, x <= y, x > y", a=[(1,), (2,), (3,)]),
        {"p": set()},
    ),
    "an atom with its own negation gives nothing, and nothing is missing behind it": (
        case("p x :- a x, !a x\nq x :- a x, !p x", a=[(1,), (2,)]),
        {"p": set(), "q": {(1,), (2,)}},
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_program_of_the_table_has_the_model(name: str) -> None:
    case, expected = MODELS[name]
    model = evaluate(case.program, case.facts, [], Limits())
    assert {relation: set(model.of(relation)) for relation in expected} == expected
