"""Each construct by hand: our rows are the expected ones, and pyDatalog has the same."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from engine import Fact, Limits, Model, Program, Row, evaluate
from obligations.crosscheck import (
    Agrees,
    Question,
    Vote,
    Voter,
)
from rules import Source, load

VOTER = Voter(Path(sys.executable), timeout_seconds=60)
WORLD = """
@[given] .decl edge(a:symbol, b:symbol)
@[given] .decl node(a:symbol)
@[given] .decl none(a:symbol)
@[given] .decl item(g:symbol, n:number, w:symbol)
@[given] .decl num(n:number)
@[given] .decl flag()
"""
CYCLE = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
NODES = [("a",), ("b",), ("c",), ("d",), ("e",)]
ITEMS = [("g", 5, "u"), ("g", 5, "v"), ("g", -3, "v"), ("h", 7, "u")]
FACTS: Mapping[str, Sequence[Row]] = {
    "edge": CYCLE,
    "node": NODES,
    "item": ITEMS,
    "num": [(-7,), (-2,), (-1,), (0,), (2,), (7,)],
    "flag": [()],
}
REACH: set[Row] = {(x, y) for x in "abc" for y in "abcd"}

CASES: dict[str, tuple[str, set[Row]]] = {
    "a join": (
        ".decl p(a:symbol, b:symbol) p(x, z) :- edge(x, y), edge(y, z).",
        {("a", "c"), ("b", "a"), ("b", "d"), ("c", "b")},
    ),
    "a constant and a wildcard": ('.decl p(a:symbol) p(x) :- edge(x, "a"), edge(x, _).', {("c",)}),
    "a repeated variable": (
        (
            ".decl l(a:symbol, b:symbol) l(x, x) :- node(x). l(x, y) :- edge(x, y).\n"
            ".decl p(a:symbol) p(x) :- l(x, x), edge(_, x), edge(x, _)."
        ),
        {("a",), ("b",), ("c",)},
    ),
    "a constant in the head": (
        '.decl p(a:symbol, n:number) p("k", 1) :- edge("a", _). p("l", 2) :- edge("e", _).',
        {("k", 1)},
    ),
    "facts among the rules": (
        '.decl p(a:symbol) p("x"). p("y"). p(x) :- edge(x, "d").',
        {
            ("x",),
            ("y",),
            ("c",),
        },
    ),
    "a relation without columns": (
        (
            ".decl q() q() :- flag(), edge(_, _). .decl r() r() :- none(_).\n"
            '.decl p(a:symbol) p(x) :- node(x), q(), !r(), edge(x, "d").'
        ),
        {("c",)},
    ),
    "negation for no value": (".decl p(a:symbol) p(x) :- node(x), !edge(x, _).", {("d",), ("e",)}),
    "negation with a constant and a repeated variable": (
        '.decl p(a:symbol) p(x) :- node(x), !edge(x, "b"), !edge(x, x), !edge("c", x).',
        {("b",), ("c",), ("e",)},
    ),
    "negation written before what binds it": (
        ".decl p(a:symbol) p(y) :- !edge(y, _), x = y, node(x).",
        {("d",), ("e",)},
    ),
    "negation of a relation without rows": (
        '.decl p(a:symbol) p(x) :- node(x), !none(x), !none(_), edge(x, "d").',
        {("c",)},
    ),
    "negation of a derived relation": (
        (
            ".decl r(a:symbol, b:symbol) r(x, y) :- edge(x, y). r(x, z) :- edge(x, y), r(y, z).\n"
            '.decl p(a:symbol, b:symbol) p(x, y) :- node(x), node(y), !r(x, y), x != "e".'
        ),
        {(x, "e") for x in "abc"} | {("d", x) for x in "abcde"},
    ),
    "the order of symbols is that of bytes": (
        (
            '.decl s(a:symbol) s("Z"). s("a"). s("é"). s("日"). s("\U0001f600"). s("\uffee").\n'
            '.decl p(a:symbol, b:symbol) p(x, y) :- s(x), s(y), x < y, y >= "日", x > "a".'
        ),
        {
            ("é", "日"),
            ("é", "\uffee"),
            ("é", "\U0001f600"),
            ("日", "\uffee"),
            ("日", "\U0001f600"),
            ("\uffee", "\U0001f600"),
        },
    ),
    "numbers compared": (
        ".decl p(n:number, m:number) p(n, m) :- num(n), num(m), n < m, n >= -1, m <= 2.",
        {(-1, 0), (-1, 2), (0, 2)},
    ),
    "an equality binds either side": (
        ".decl p(n:number, m:number, k:number) p(n, m, k) :- num(n), m = n + 1, m - 3 = k, k > 2.",
        {(7, 8, 5)},
    ),
    "an equality of constants": (".decl p(n:number) p(n) :- n = 2 + 3 * 4 - 1, 1 < 2.", {(13,)}),
    "arithmetic in head and atom": (
        ".decl p(n:number) p(n * n - 1) :- num(n), num(n + 5), !num(n - 5).",
        {(48,), (3,)},
    ),
    "division and remainder cut towards zero": (
        (
            ".decl p(n:number, q:number, r:number)\n"
            "p(n, n / m, n % m) :- num(n), num(m), m != 0, m = -2."
        ),
        {(-7, 3, -1), (-2, 1, 0), (-1, 0, -1), (0, 0, 0), (2, -1, 0), (7, -3, 1)},
    ),
    "a test keeps a division by zero off": (
        ".decl p(n:number) p(n) :- num(n), n != 0, 14 / n = 7.",
        {(2,)},
    ),
    "numbers at both ends": (
        (
            ".decl n(n:number) n(9223372036854775807). n(-9223372036854775808). n(-1). n(-2).\n"
            "n(2305843009213693950).\n"
            ".decl p(n:number) p(m) :- n(n), n > 0, m = n - 1. p(n) :- n(n), n < -2."
        ),
        {(9223372036854775806,), (2305843009213693949,), (-9223372036854775808,)},
    ),
    "a count of nothing, and of rows that differ in `_`": (
        (
            '.decl g(a:symbol) g("g"). g("h"). g("i").\n'
            ".decl p(g:symbol, n:number) p(g, n) :- g(g), n = count : { item(g, _, _) }."
        ),
        {("g", 3), ("h", 1), ("i", 0)},
    ),
    "a sum counts equal targets as often as they occur": (
        (
            '.decl g(a:symbol) g("g"). g("i").\n'
            ".decl p(g:symbol, n:number) p(g, n) :- g(g), n = sum x * 2 : { item(g, x, _) }."
        ),
        {("g", 14), ("i", 0)},
    ),
    "least and greatest, of nothing none": (
        (
            '.decl g(a:symbol) g("g"). g("h"). g("i").\n'
            ".decl p(g:symbol, n:number, m:number)\n"
            "p(g, n, m) :- g(g), n = min x : { item(g, x, _) }, m = max x : { item(g, x, _) }."
        ),
        {("g", -3, 5), ("h", 7, 7)},
    ),
    "an aggregate alone in a rule": (
        ".decl p(n:number) p(n) :- n = count : { none(_) }. p(n) :- n = sum x : { item(_, x, _) }.",
        {(0,), (14,)},
    ),
    "a shared variable that only a test names": (
        ".decl p(n:number, m:number) p(n, m) :- num(n), m = count : { num(x), x > n }, m < 3.",
        {(0, 2), (2, 1), (7, 0)},
    ),
    "an aggregate as a test, and one that shares the value of another": (
        (
            ".decl p(n:number, m:number)\n"
            'p(n, m) :- num(n), n = count : { item(_, _, w), w = "v", !none(w) },\n'
            "m = sum x : { num(x), x > n }."
        ),
        {(2, 7)},
    ),
    "an aggregate with recursion around it": (
        '.decl p(a:symbol) p("a").\np(y) :- p(x), edge(x, y), n = count : { edge(y, _) }, n < 2.',
        {("a",), ("b",)},
    ),
    "a right-recursive path over a cycle": (
        ".decl p(a:symbol, b:symbol) p(x, y) :- edge(x, y). p(x, z) :- edge(x, y), p(y, z).",
        REACH,
    ),
    "two recursive atoms in a rule": (
        ".decl p(a:symbol, b:symbol) p(x, y) :- edge(x, y). p(x, z) :- p(x, y), p(y, z).",
        REACH,
    ),
    "three relations that need one another": (
        (
            ".decl q(a:symbol, n:number) q(x, 1) :- p(x). .decl r(a:symbol) r(x) :- q(x, _).\n"
            '.decl p(a:symbol) p(y) :- r(x), edge(x, y). p("b") :- node(_). p(x) :- p(x), q(x, 1).'
        ),
        {("a",), ("b",), ("c",), ("d",)},
    ),
    '1 and "1" are never joined': (
        (
            '.decl s(a:symbol) s("1"). s("2"). .decl n(n:number) n(1). n(3).\n'
            ".decl p(a:symbol, n:number) p(x, n) :- s(x), n(n), !item(x, n, _)."
        ),
        {("1", 1), ("1", 3), ("2", 1), ("2", 3)},
    ),
}


def program_of(text: str) -> Program:
    loaded = load([Source("t.dl", WORLD + text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset.program


def facts_of(rows: Mapping[str, Sequence[Row]]) -> list[Fact]:
    return [Fact.of(name, row, "test") for name, given in rows.items() for row in given]


def model_of(text: str) -> Model:
    return evaluate(program_of(text), facts_of(FACTS), [], Limits())


def question(text: str, relations: Sequence[str] = ("p",)) -> Question:
    return Question.of(model_of(text), facts_of(FACTS), relations)


@pytest.fixture(scope="module")
def votes() -> dict[str, Vote]:
    asked = [question(text) for text, _ in CASES.values()]
    return dict(zip(CASES, VOTER.vote_all(asked), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_both_sides_have_the_expected_rows(name: str, votes: dict[str, Vote]) -> None:
    text, expected = CASES[name]
    assert model_of(text).of("p") == expected
    assert votes[name] == Agrees(("p",))
