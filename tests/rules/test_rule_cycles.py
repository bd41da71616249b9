"""Negation through recursion is refused whatever the order of the rules."""

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
