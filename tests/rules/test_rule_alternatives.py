"""`;`, parentheses and several heads stand for the rules that one would write out by hand."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from rules import Diagnostic, Source, load
from rules.alternatives import ALTERNATIVES_LIMIT, size, spell_out
from rules.bodies import Bodies
from rules.cursor import Cursor
from rules.tokens import Scanner

WORLD = "@[given] .decl a, b, c, d(x:number)\n.decl p, q(x:number)\n"


def ruled(text: str) -> tuple[engine.Rule, ...]:
    loaded = load([Source("t.dl", WORLD + text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset.program.rules


def found(text: str) -> list[Diagnostic]:
    return [d for d in load([Source("t.dl", WORLD + text)]).diagnostics if d.severity == "error"]


BY_HAND = {
    "at the top": ("p(x) :- a(x) ; b(x).", ["a(x)", "b(x)"]),
    "inside": ("p(x) :- a(x), (b(x) ; c(x)), d(x).", ["a(x), b(x), d(x)", "a(x), c(x), d(x)"]),
    "two beside one another": (
        "p(x) :- (a(x) ; b(x)), (c(x) ; d(x)).",
        ["a(x), c(x)", "a(x), d(x)", "b(x), c(x)", "b(x), d(x)"],
    ),
    "one in the other": (
        "p(x) :- a(x), (b(x) ; (c(x) ; d(x)), b(x)).",
        ["a(x), b(x)", "a(x), c(x), b(x)", "a(x), d(x), b(x)"],
    ),
    "comma binds closer": ("p(x) :- a(x), b(x) ; c(x).", ["a(x), b(x)", "c(x)"]),
    "parentheses alone": ("p(x) :- ((a(x), (b(x)))).", ["a(x), b(x)"]),
    "parentheses of terms": (
        "p(x) :- (a(x)), ((x) + 1) * 2 > (3), (x < 9 ; (x) = 10).",
        ["a(x), (x + 1) * 2 > 3, x < 9", "a(x), (x + 1) * 2 > 3, x = 10"],
    ),
    "a negated atom and an aggregate": (
        "p(n) :- n = count : a(_), (!b(n) ; c(n)).",
        ["n = count : { a(_) }, !b(n)", "n = count : { a(_) }, c(n)"],
    ),
}


@pytest.mark.parametrize(("text", "bodies"), BY_HAND.values(), ids=BY_HAND)
def test_alternatives_are_the_rules_that_one_writes_by_hand(text: str, bodies: list[str]) -> None:
    head = text.split(" :- ", maxsplit=1)[0]
    by_hand = [
        f'@[id = "x{f"#{i}" if len(bodies) > 1 else ""}"]\n{head} :- {body}.\n'
        for i, body in enumerate(bodies, 1)
    ]
    assert ruled(f'@[id = "x"]\n{text}') == ruled("".join(by_hand))


def test_several_heads_multiply_with_the_alternatives() -> None:
    rules = ruled("p(x), q(x) :- a(x) ; b(x).\nq(1).\np(2).")
    assert [(rule.head.relation, rule.id) for rule in rules] == [
        ("p", "p-1#1"),
        ("p", "p-1#2"),
        ("p", "p-2"),
        ("q", "p-1#3"),
        ("q", "p-1#4"),
        ("q", "q-1"),
    ]


parts = st.recursive(
    st.sampled_from(["a(x)", "b(x)", "!c(x)", "x < 3", "d(x)"]),
    lambda inner: st.tuples(
        st.sampled_from([", ", " ; "]), st.lists(inner, min_size=1, max_size=3)
    ).map(lambda node: f"({node[0].join(node[1])})"),
    max_leaves=8,
)


def models(text: str, facts: dict[str, set[int]]) -> frozenset[engine.Row]:
    given_facts = [
        engine.Fact.of(name, (value,), "t") for name, values in facts.items() for value in values
    ]
    loaded = load([Source("t.dl", WORLD + text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    return engine.evaluate(loaded.ruleset.program, given_facts, [], engine.Limits()).of("p")


@settings(max_examples=60)
@given(parts, st.fixed_dictionaries({n: st.sets(st.integers(0, 4)) for n in "abcd"}))
def test_a_body_holds_iff_it_holds_as_a_logical_formula(
    body: str, facts: dict[str, set[int]]
) -> None:
    domain = "@[given] .decl all(x:number)\n"
    rows = models(f"{domain}p(x) :- all(x), {body}.", facts | {"all": set(range(5))})
    formula = body.replace(",", " and ").replace(";", " or ").replace("!", " not ")
    for value in range(5):
        names = {name: facts[name].__contains__ for name in "abcd"}
        expected = eval(formula, {"__builtins__": {}}, {"x": value, **names})  # noqa: S307
        assert ((value,) in rows) == expected


@given(parts)
def test_the_size_of_a_body_is_what_its_alternatives_come_to(text: str) -> None:
    tree = Bodies(Cursor(Scanner(Source("t", text), []), [])).body()
    written = list(spell_out(tree))
    assert size(tree) == (len(written), sum(map(len, written)))


@pytest.mark.parametrize("groups", [9, 10, 63, 64, 65, 4_000])
def test_the_limit_is_counted_in_numbers_that_do_not_overflow(groups: int) -> None:
    text = f"p(x) :- a(x), {', '.join(['(b(x) ; c(x))'] * groups)}."
    codes = [d.code for d in found(text)]
    assert codes == (["R116"] if 2**groups > ALTERNATIVES_LIMIT else [])


def test_the_limit_is_exact() -> None:
    tens = ", ".join(f"({' ; '.join(['b(x)'] * 10)})" for _ in range(3))
    assert len(ruled(f"p(x) :- a(x), {tens}.")) == ALTERNATIVES_LIMIT
    assert [d.code for d in found(f"p(x), q(x) :- a(x), {tens}.")] == ["R116"]


def test_all_rules_together_have_a_limit_too() -> None:
    group = ", ".join(["(b(x) ; c(x))"] * 9)
    codes = [d.code for d in found(f"p(x) :- a(x), {group}.\n" * 30)]
    assert set(codes) == {"R116"}
    assert 0 < len(codes) < 30


def test_a_relation_of_an_oversized_rule_is_not_said_to_be_empty() -> None:
    group = ", ".join(["(b(x) ; c(x))"] * 64)
    loaded = load([Source("t.dl", f"{WORLD}p(x) :- {group}.\nq(x) :- p(x).")])
    assert [d.code for d in loaded.diagnostics] == ["R116"]


def test_alternatives_come_in_the_order_of_souffle() -> None:
    rules = ruled("p(x) :- (a(x) ; b(x)), (c(x) ; d(x)).")
    pairs = [tuple(atom.relation for atom, _ in engine.atoms_of(rule.body)) for rule in rules]
    assert pairs == list(product("ab", "cd"))
