"""A body is safe to the rules iff it is safe to the engine."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine
from rules import Source, canonical, load

NAMES = "vwxyz"
UNBOUND = {"R301", "R302", "R303", "R307", "R311", "R313"}
STRICTER = {"R309", "R315"}

variables = st.sampled_from(NAMES).map(engine.Variable)
leaves: st.SearchStrategy[engine.Term] = st.one_of(
    variables, variables, st.just(engine.Constant(1))
)
terms: st.SearchStrategy[engine.Term] = st.one_of(
    leaves, leaves, st.builds(engine.Arithmetic, st.sampled_from("+*"), leaves, leaves)
)
relations = st.sampled_from(["g", "h"])
atoms = st.builds(engine.Atom, relations, st.tuples(terms, terms))
negated = st.builds(engine.Negated, atoms)
comparisons = st.builds(engine.Comparison, st.sampled_from(["=", "=", "<", "<="]), terms, terms)
ranged = st.lists(st.one_of(atoms, atoms, negated, comparisons), min_size=1, max_size=3).map(tuple)


def aggregate(
    result: engine.Variable,
    target: engine.Term | None,
    body: tuple[engine.Atom | engine.Negated | engine.Comparison, ...],
) -> engine.Aggregate:
    return engine.Aggregate(result, "count" if target is None else "sum", target, body)


aggregates = st.builds(aggregate, variables, st.one_of(st.none(), terms), ranged)
plain = st.builds(engine.Atom, relations, st.tuples(variables, variables))
others = st.one_of(atoms, negated, comparisons, comparisons, aggregates)
bodies = st.tuples(st.lists(plain, max_size=1), st.lists(others, min_size=1, max_size=3)).map(
    lambda parts: [*parts[0], *parts[1]]
)
heads = st.lists(terms, max_size=2)


def program_of(head: Sequence[engine.Term], body: Sequence[engine.Literal]) -> engine.Program:
    def relation(name: str, width: int, *, given: bool) -> engine.Relation:
        columns = tuple(engine.Column(f"c{i}", engine.NUMBER) for i in range(width))
        return engine.Relation(name, columns, given=given)

    return engine.Program(
        {},
        {
            "g": relation("g", 2, given=True),
            "h": relation("h", 2, given=True),
            "p": relation("p", len(head), given=False),
        },
        (engine.Rule("r", engine.Atom("p", tuple(head)), tuple(body)),),
    )


def is_safe_to_the_engine(program: engine.Program) -> bool:
    try:
        engine.evaluate_by_definition(program, [], [], engine.Limits())
    except engine.UnsafeBodyError:
        return False
    except engine.ArithmeticFaultError:
        return True
    return True


@settings(max_examples=300)
@given(heads, bodies)
def test_a_rule_is_refused_as_unsafe_iff_the_engine_cannot_plan_it(
    head: list[engine.Term], body: list[engine.Literal]
) -> None:
    program = program_of(head, body)
    codes = {d.code for d in load([Source("r.dl", canonical(program))]).diagnostics}
    assume(not codes & STRICTER)
    assert (not codes & UNBOUND) == is_safe_to_the_engine(program)


@settings(max_examples=100)
@given(heads, bodies, st.data())
def test_the_order_of_literals_does_not_make_a_rule_safe(
    head: list[engine.Term], body: list[engine.Literal], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(body))
    found = [
        {
            d.code
            for d in load([Source("r.dl", canonical(program_of(head, order)))]).diagnostics
            if d.severity == "error"
        }
        for order in (body, shuffled)
    ]
    assert bool(found[0]) == bool(found[1])


BOUND = {
    "either side of `=`": "p(x) :- g(y, _), y + 1 = x.",
    "through a chain against the order": "p(x) :- x = y, y = z * 2, z = v - 1, g(v, _).",
    "a constant": "p(x) :- x = 3, g(x, _).",
    "an aggregate and then `=`": "p(x) :- x = n + 1, n = count : g(_, _).",
    "an aggregate over what `=` binds": "p(n) :- g(y, _), x = y + 1, n = count : { g(x, _) }.",
    "arithmetic in an atom": "p(x) :- g(x, y), h(x + y, y * 2).",
    "arithmetic over what `=` binds": "p(x) :- g(y, _), x = y + 1, h(x + 1, _), !h(_, x - 1).",
    "a local name used twice": "p(n) :- n = count : { g(x, _) }, m = count : { h(x, _) }, m > 0.",
}


@pytest.mark.parametrize("text", BOUND.values(), ids=BOUND)
def test_what_gets_its_value_in_some_order_is_bound(text: str) -> None:
    given_text = "@[given] .decl g, h(a:number, b:number)\n.decl p(x:number)\n"
    loaded = load([Source("t.dl", given_text + text)])
    assert [d.code for d in loaded.diagnostics] == []
    assert loaded.ruleset is not None
    assert is_safe_to_the_engine(loaded.ruleset.program)


def test_a_chain_of_ten_thousand_equations_is_bound_in_linear_time() -> None:
    links = ", ".join(f"x{i} = x{i + 1} + 1" for i in range(10_000))
    text = f"@[given] .decl g(a:number)\n.decl p(x:number)\np(x0) :- {links}, g(x10000)."
    assert load([Source("t.dl", text)]).diagnostics == ()
