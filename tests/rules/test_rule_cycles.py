"""Negation and aggregation through recursion are refused whatever the order of the rules."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from rules import Diagnostic, Source, load
from rules.components import find_components

DECLARATIONS = "".join(f".decl {name}(x:symbol)\n" for name in "abcde") + (
    "@[given]\n.decl g(x:symbol)\n"
)
RULES = (
    '@[id = "a"]\na(x) :- b(x), g(x).\n',
    '@[id = "b"]\nb(x) :- c(x).\n',
    '@[id = "also-b"]\nb(x) :- c(x), g(x).\n',
    '@[id = "c"]\nc(x) :- g(x), !a(x), !d(x).\n',
    '@[id = "d"]\nd(x) :- g(x), !e(x).\n',
    '@[id = "e"]\ne(x) :- g(x).\n',
)


def cycles(text: str) -> list[Diagnostic]:
    return [d for d in load([Source("r.dl", text)]).diagnostics if d.code == "R306"]


def said(rules: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Messages and notes without the places, which move with the rules."""
    return [
        (found.message, *(note.split(" at ")[0] for note in found.notes))
        for found in cycles(DECLARATIONS + "".join(rules))
    ]


def test_every_order_of_the_rules_is_refused_with_the_same_finding() -> None:
    message = "negation through recursion: `c -> !a -> b -> c`"
    law = "what a relation holds cannot rest on what it does not hold"
    rules = ("rule `c`", "rule `a`", "rule `also-b`", "rule `b`")
    for order in permutations(RULES):
        assert said(order) == [(message, law, *rules)]


AGGREGATED = (
    *(".decl sum_of(x:symbol, n:number)\n", ".decl large(x:symbol)\n"),
    "@[given]\n.decl part(x:symbol, y:symbol)\n",
    '@[id = "large"]\nlarge(x) :- sum_of(x, n), n > 2.\n',
    '@[id = "small"]\nlarge(x) :- part(x, x).\n',
    '@[id = "sum"]\nsum_of(x, n) :- part(x, _), n = count : { part(x, y), MARKlarge(y) }.\n',
)


@pytest.mark.parametrize("mark", ["", "!"])
def test_every_order_is_refused_for_an_aggregate_with_the_same_finding(mark: str) -> None:
    for order in permutations(AGGREGATED[3:]):
        text = "".join((*AGGREGATED[:3], *order)).replace("MARK", mark)
        (error,) = [d for d in load([Source("r.dl", text)]).diagnostics if d.severity == "error"]
        assert (error.code, error.message) == (
            "R308",
            "aggregation through recursion: `sum_of -> count large -> sum_of`",
        )
        assert error.hint == (
            "split `large`: what needs no `sum_of` goes into a relation of its own, "
            "and `count` ranges over that"
        )
        assert [note.split(" at ")[0] for note in error.notes[1:]] == ["rule `sum`", "rule `large`"]


INVENTED = (
    "walk(b, n + 1) :- step(n, b).\n",
    "step(n, b) :- walk(_, n), g(b).\n",
    'walk("a", 1) :- g(_).\n',
)


def test_every_order_is_refused_for_arithmetic_with_the_same_finding() -> None:
    declared = ".decl walk(b:symbol, n:number)\n.decl step(n:number, b:symbol)\n"
    for order in permutations(INVENTED):
        text = DECLARATIONS + declared + "".join(order)
        (error,) = [d for d in load([Source("r.dl", text)]).diagnostics if d.severity == "error"]
        assert (error.code, error.message) == (
            "R310",
            "arithmetic in the head of a recursive rule: `walk -> step -> walk`",
        )


FINITE = {
    "arithmetic that only tests": "p(n) :- p(m), next(m, n), n = m + 1.",
    "arithmetic in an atom": "p(n) :- p(m), next(m + 1, n).",
    "a count in a recursive rule": "p(n) :- p(m), n = count : { next(m, _) }.",
    "a sum of rows in a recursive rule": "p(n) :- p(m), n = sum k * 2 : { next(m, k) }.",
    "arithmetic in a rule that begins": "p(n + 1) :- next(n, _).",
    "a copy": "p(n) :- p(m), n = m.",
    "a constant": "p(n) :- p(m), m < 3, n = 7.",
}


@pytest.mark.parametrize("text", FINITE.values(), ids=FINITE)
def test_what_ends_is_accepted(text: str) -> None:
    given_text = "@[given] .decl next(n:number, m:number)\n.decl p(n:number)\np(0).\n"
    loaded = load([Source("t.dl", given_text + text)])
    assert [d for d in loaded.diagnostics if d.severity == "error"] == []
    assert loaded.ruleset is not None
    facts = [engine.Fact.of("next", (i, (i * 7) % 5), "t") for i in range(5)]
    engine.evaluate(loaded.ruleset.program, facts, [], engine.Limits(rounds=100))


WAYS = (
    "a(x) :- g(x), !b(x).\n",
    "b(x) :- c(x).\n",
    "b(x) :- d(x).\n",
    "c(x) :- a(x).\n",
    "d(x) :- a(x).\n",
)


def test_of_two_shortest_cycles_the_one_of_lesser_names_is_shown() -> None:
    for order in permutations(WAYS):
        found = cycles(DECLARATIONS + "".join(order))
        assert [d.message for d in found] == ["negation through recursion: `a -> !b -> c -> a`"]


EDGES = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.booleans()),
    min_size=1,
    max_size=8,
    unique=True,
)


def written(edges: list[tuple[str, str, bool]]) -> list[str]:
    return [
        f'@[id = "{head}{"!" * negated}{read}"]\n{head}(x) :- g(x), {"!" * negated}{read}(x).\n'
        for head, read, negated in edges
    ]


def reaches(edges: list[tuple[str, str, bool]], start: str, goal: str) -> bool:
    known = {start}
    for _ in edges:
        known |= {read for head, read, _ in edges if head in known}
    return goal in known


@given(EDGES)
def test_a_negated_atom_is_refused_iff_what_it_negates_needs_its_head(
    edges: list[tuple[str, str, bool]],
) -> None:
    wrong = {
        (head, read) for head, read, negated in edges if negated and reaches(edges, read, head)
    }
    found = cycles(DECLARATIONS + "".join(written(edges)))
    assert len(found) == len(wrong)
    starts = [d.message.split("`")[1].split(" -> ")[:2] for d in found]
    assert {(head, read.removeprefix("!")) for head, read in starts} == wrong


@given(EDGES)
def test_the_engine_stratifies_exactly_what_loads(edges: list[tuple[str, str, bool]]) -> None:
    loaded = load([Source("r.dl", DECLARATIONS + "".join(written(edges)))])
    refused = any(d.code == "R306" for d in loaded.diagnostics)
    rules = [
        engine.Rule(
            f"{head}{read}{negated}",
            engine.Atom(head, (engine.Variable("x"),)),
            (
                engine.Negated(engine.Atom(read, (engine.Variable("x"),)))
                if negated
                else engine.Atom(read, (engine.Variable("x"),)),
            ),
        )
        for head, read, negated in edges
    ]
    if refused:
        with pytest.raises(engine.UnstratifiedError):
            engine.stratify(rules)
    else:
        assert {name for stratum in engine.stratify(rules) for name in stratum.relations} >= {
            head for head, _, _ in edges
        }


@given(EDGES, st.data())
def test_findings_do_not_depend_on_the_order_of_rules(
    edges: list[tuple[str, str, bool]], data: st.DataObject
) -> None:
    texts = written(edges)
    shuffled = data.draw(st.permutations(texts))
    before = sorted(d.message for d in cycles(DECLARATIONS + "".join(texts)))
    assert sorted(d.message for d in cycles(DECLARATIONS + "".join(shuffled))) == before


@given(EDGES)
def test_a_witness_is_a_cycle_of_the_program(edges: list[tuple[str, str, bool]]) -> None:
    known = {f"{head} -> {'!' * negated}{read}" for head, read, negated in edges}
    for found in cycles(DECLARATIONS + "".join(written(edges))):
        steps = found.message.split("`")[1].split(" -> ")
        assert steps[0] == steps[-1].removeprefix("!")
        for head, read in pairwise(steps):
            assert f"{head.removeprefix('!')} -> {read}" in known


@given(st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef"))))
def test_two_names_share_a_component_iff_each_reaches_the_other(graph: dict[str, set[str]]) -> None:
    whole = {name: graph.get(name, set()) for name in "abcdef"}
    edges = [(head, read, False) for head, reads in whole.items() for read in reads]
    found = find_components(whole)
    for left in whole:
        for right in whole:
            both = reaches(edges, left, right) and reaches(edges, right, left)
            assert (found[left] == found[right]) == both


def test_a_chain_of_a_hundred_thousand_relations_has_as_many_components() -> None:
    chain = {str(i): {str(i + 1)} for i in range(100_000)} | {"100000": set[str]()}
    assert len(set(find_components(chain).values())) == 100_001
