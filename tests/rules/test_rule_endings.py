"""What loads comes to an end: no recursion makes numbers without end."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from rules import Source, canonical, load

NAMES = "xyz"
RELATIONS = {"g": 2, "h": 1, "p": 1, "q": 2}

variables = st.sampled_from(NAMES).map(engine.Variable)
constants = st.integers(0, 2).map(engine.Constant)
leaves: st.SearchStrategy[engine.Term] = st.one_of(variables, variables, constants)
sums: st.SearchStrategy[engine.Term] = st.builds(
    engine.Arithmetic, st.sampled_from("+-*"), leaves, leaves
)


@st.composite
def atoms(draw: st.DrawFn, names: str, terms: st.SearchStrategy[engine.Term]) -> engine.Atom:
    name = draw(st.sampled_from(names))
    return engine.Atom(name, tuple(draw(terms) for _ in range(RELATIONS[name])))


equalities = st.builds(engine.Comparison, st.just("="), variables, st.one_of(leaves, sums))
local: st.SearchStrategy[engine.Term] = st.sampled_from("lm").map(engine.Variable)
inner = st.one_of(leaves, local)


@st.composite
def aggregates(draw: st.DrawFn) -> engine.Aggregate:
    """A sum or count over given rows, of what they hold or of what is calculated from it."""
    body: list[engine.Atom | engine.Negated | engine.Comparison] = [draw(atoms("gh", local))]
    target: engine.Term | None = draw(st.one_of(st.none(), local))
    if target is not None and draw(st.booleans()):
        body.append(
            engine.Comparison(
                "=", target, draw(st.builds(engine.Arithmetic, st.just("+"), inner, inner))
            )
        )
    return engine.Aggregate(
        draw(variables), "count" if target is None else "sum", target, tuple(body)
    )


literals = st.one_of(atoms("gh", leaves), atoms("pq", leaves), equalities, equalities, aggregates())


@st.composite
def rules(draw: st.DrawFn, rule_id: str) -> engine.Rule:
    head = draw(atoms("pq", st.one_of(leaves, leaves, sums)))
    recursive = draw(atoms("pq", variables))
    rest = draw(st.lists(literals, max_size=3))
    return engine.Rule(rule_id, head, (recursive, *rest))


@st.composite
def programs(draw: st.DrawFn) -> engine.Program:
    relations = {
        name: engine.Relation(
            name,
            tuple(engine.Column(f"c{i}", engine.NUMBER) for i in range(width)),
            given=name in "gh",
        )
        for name, width in RELATIONS.items()
    }
    begin = engine.Rule("begin", engine.Atom("p", (engine.Constant(1),)), ())
    pair = engine.Atom("g", (engine.Variable("x"), engine.Variable("y")))
    begin_q = engine.Rule("begin-q", engine.Atom("q", pair.terms), (pair,))
    made = [draw(rules(str(number))) for number in range(draw(st.integers(1, 3)))]
    return engine.Program({}, relations, (begin, begin_q, *made))


FACTS = [
    *(engine.Fact.of("g", row, "t") for row in ((0, 1), (1, 2), (2, 2))),
    *(engine.Fact.of("h", row, "t") for row in ((1,), (3,))),
]
LIMITS = engine.Limits(rounds=2_000, derived_rows=50_000)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(programs())
def test_what_loads_comes_to_an_end(program: engine.Program) -> None:
    ruleset = load([Source("r.dl", canonical(program))]).ruleset
    if ruleset is not None:
        engine.evaluate(ruleset.program, FACTS, [], LIMITS)
