"""What a vote says: differences, what stays unchecked, and text that could be mistaken."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from test_crosscheck import CASES, FACTS, VOTER, facts_of, program_of, question

from engine import Limits, Matchers, Row, evaluate
from obligations.crosscheck import (
    COMPUTED,
    INEXPRESSIBLE,
    SHOWN,
    UNSAFE,
    Agrees,
    Difference,
    Diverges,
    Finding,
    Inexpressible,
    Question,
    Unchecked,
)


def test_a_row_that_one_side_alone_has_is_named() -> None:
    text, rows = CASES["a join"]
    asked = question(text)
    fewer = replace(asked, ours={"p": rows - {("a", "c")}})
    other = replace(asked, ours={"p": rows - {("a", "c")} | {("d", "d"), ("a", "zzz")}})
    votes = VOTER.vote_all([fewer, asked, other])
    missed = Difference("p", (), (("a", "c"),), 0, 1)
    assert votes == (
        Diverges((missed,)),
        Agrees(("p",)),
        Diverges((Difference("p", (("a", "zzz"), ("d", "d")), (("a", "c"),), 2, 1),)),
    )
    assert str(votes[0]) == "diverges in `p`: 0 only ours, 1 only theirs"


def test_values_of_another_type_are_other_values() -> None:
    asked = question('.decl p(n:number) p(1). .decl q(s:symbol) q("1").', ("p", "q"))
    assert VOTER.vote(replace(asked, ours={"p": {(True,)}, "q": {(1,)}})) == Diverges(
        (Difference("p", ((True,),), ((1,),), 1, 1), Difference("q", ((1,),), (("1",),), 1, 1))
    )


def test_a_difference_shows_its_first_rows_in_term_order_and_counts_all() -> None:
    rows: set[Row] = {(n, str(n)) for n in range(-30, 30)}
    found = Difference.between("p", rows, [("x", 1), (7, "7")])
    assert found is not None
    assert found.only_ours == tuple((n, str(n)) for n in range(-30, SHOWN - 30))
    assert (found.count_ours, found.count_theirs) == (59, 1)
    assert Difference.between("p", rows, list(rows)) is None


def test_only_what_the_asked_relations_need_is_looked_at() -> None:
    text = '@[computed = "glob"] .decl fits(p:symbol, t:symbol)\n' + CASES["a join"][0]
    program = program_of(text + '.decl q(a:symbol) @[id = "g"] q(x) :- node(x), fits("a*", x).')
    matchers: Matchers = {"glob": lambda row: row == ("a*", "a")}
    model = evaluate(program, facts_of(FACTS), [], Limits(), matchers)
    facts = facts_of(FACTS)
    votes = VOTER.vote_all(
        [
            Question.of(model, facts, ("p",)),
            Question.of(model, facts),
            Question.of(model, facts, computed={"fits": {("a*", "a")}}),
            Question.of(model, facts, ("q",), computed={"fits": set[Row]()}),
        ]
    )
    unchecked = Unchecked(Inexpressible((Finding(COMPUTED, "g", "fits"),)))
    missed = Difference("q", (("a",),), (), 1, 0)
    assert votes == (Agrees(("p",)), unchecked, Agrees(("p", "q")), Diverges((missed,)))
    assert str(unchecked) == "unchecked: rule `g`: computed relation `fits`"


def test_what_cannot_be_expressed_is_listed_rule_by_rule() -> None:
    program = program_of(
        '@[id = "r"] p(x) :- node(x), !edge(x, _), x != "z". .decl p(a:symbol)\n'
        '@[id = "s"] q(x) :- p(x), y = x, none(y). .decl q(a:symbol)'
    )
    # pyDatalog would answer such rules, so that our checks refuse them before.
    unsafe = tuple(replace(rule, body=rule.body[1:-1]) for rule in program.rules)
    vote = VOTER.vote(Question(replace(program, rules=unsafe), (), {"q": set[Row](), "p": set()}))
    found = (Finding(UNSAFE, "r", "x"), Finding(UNSAFE, "s", "x"), Finding(UNSAFE, "s", "y"))
    assert vote == Unchecked(Inexpressible(found))


def test_each_inexpressible_construct_has_a_reason() -> None:
    assert set(INEXPRESSIBLE) == {COMPUTED, UNSAFE}
    assert all(INEXPRESSIBLE.values())


HOSTILE = (
    "'",
    '"',
    "\\",
    "__import__('os').system('touch /tmp/crosscheck-was-here')",
    "+ a(1)\nimport os",
    "\x00",
    "\r\n",
    "\u202e\u2066",
    "x" * 65_536,
    "X",
    "_",
    "True",
    "s0",
    "r0",
    "V0",
    "{0}",
    "%s",
    "",
    "1",
)


def test_no_text_is_taken_for_anything_else() -> None:
    text = (
        ".decl p(a:symbol, b:symbol) p(x, y) :- node(x), node(y), x < y, !edge(x, y).\n"
        ".decl q(a:symbol) q(x) :- edge(x, x), node(x)."
    )
    names = sorted(HOSTILE)
    rows: dict[str, list[Row]] = {"node": [(n,) for n in names]}
    rows["edge"] = [*((n, n) for n in names), *pairwise(names)]
    model = evaluate(program_of(text), facts_of(rows), [], Limits())
    assert len(model.of("p")) == len(names) * (len(names) - 1) // 2 - (len(names) - 1)
    assert VOTER.vote(Question.of(model, facts_of(rows))) == Agrees(("p", "q"))
    assert not Path("/tmp/crosscheck-was-here").exists()
