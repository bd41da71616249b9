"""No text makes loading raise, and none makes it slow."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Source, load, render
from rules.cursor import NESTING_LIMIT
from rules.tokens import FINDINGS_LIMIT

FRAGMENTS = (
    *".,()[]:=<>!@-_;\"'\\/\n\t +*%{}#^$",
    ".decl ",
    ".type ",
    ".input p",
    ".output p",
    ".include ",
    "n = count : { ",
    "sum x + 1 : ",
    "min ",
    "#include",
    ".comp C {",
    '@[key = "x, y"]',
    '@[references = "x -> p(x)"]',
    '@[computed = "glob"]',
    "p(x) :- q(x) ; r(x), (s(x) ; !t(x)).\n",
    "p(x) :- x = 1 + y, q(y).\n",
    ".decl p(x:symbol)\n",
    "p(x) :- q(x), !p(x).\n",
    '@[id = "a"]',
    "@[given]",
    "@[values = ",
    ":-",
    "<:",
    "//",
    "///",
    "/*",
    "*/",
    '"',
    '"a"',
    "\\u{",
    "99999999999999999999",
    "p",
    "symbol",
    "number",
    "\0",
    "\ufeff",
    "\ud800",
    "\r\n",
    "é",
)
MEBIBYTE = 1 << 20


def report(text: str) -> list[str]:
    """Everything that is said about a text; each finding lies inside the text."""
    lines = text.split("\n")
    said: list[str] = []
    for found in load([Source("hostile.dl", text)]).diagnostics:
        assert 1 <= found.place.line <= len(lines)
        assert 1 <= found.place.column <= len(lines[found.place.line - 1]) + 1
        said.append(render(found, text))
        said[-1].encode()
    return said


@given(st.text(max_size=60))
def test_any_text_gives_diagnostics_or_a_ruleset(text: str) -> None:
    assert report(text) or load([Source("t.dl", text)]).ruleset is not None


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))
def test_any_heap_of_fragments_gives_diagnostics_or_a_ruleset(text: str) -> None:
    assert report(text) or load([Source("t.dl", text)]).ruleset is not None


LARGE = {
    "opening brackets": "(" * MEBIBYTE,
    "opening annotations": "@[" * (MEBIBYTE // 2),
    "full stops": "." * MEBIBYTE,
    "half atoms": "a." * (MEBIBYTE // 2),
    "quotes": '"' * (MEBIBYTE - 1),
    "an open symbol": '"' + "a" * MEBIBYTE,
    "an open comment": "/*" + "*" * MEBIBYTE,
    "one name": "a" * MEBIBYTE,
    "one number": f"p({'9' * MEBIBYTE}).",
    "one malformed number": f"p({'9' * MEBIBYTE}x).",
    "unknown escapes": 'p("' + "\\q" * (MEBIBYTE // 2) + '").',
    "nul characters": "\0" * MEBIBYTE,
    "lone surrogates": "\ud800" * MEBIBYTE,
    "one wide atom": f"p({'x,' * (MEBIBYTE // 8)}x).",
    "one long body": "".join(
        ["p() :- ", *(f"q(x{i}), !q(x{i}), " for i in range(15_000)), "q(_)."]
    ),
    "comparisons of one variable": "p() :- q(x)" + ", x != 1" * 40_000 + ".",
    "unknown names": "\n".join(f"name{i}(x) :- other{i}(x)." for i in range(10_000)),
    "a large enumeration": "@[values = ["
    + ", ".join(f'"{i}"' for i in range(50_000))
    + "]]\n.type T <: symbol\n.decl p(a:T)\n"
    + "\n".join(f'p("x{i}").' for i in range(5_000)),
    "nested bodies": f"p() :- {'(' * MEBIBYTE}",
    "nested terms": f"p({'(' * MEBIBYTE}",
    "nested braces": f"p() :- n = count : {'{' * MEBIBYTE}",
    "signs": f"p({'-' * MEBIBYTE}1).",
    "one long sum": f"p({'1+' * (MEBIBYTE // 2)}1).",
    "many alternatives": f".decl p()\np() :- p(){' ; p()' * 50_000}.",
    "products of alternatives": f".decl p()\np() :- p(){', (p();p())' * 40_000}.",
    "alternatives in an aggregate": (
        f".decl p(n:number)\np(n) :- n = count : {{ p(1){', (p(1);p(2))' * 40_000} }}."
    ),
    "nested alternatives in an aggregate": (
        ".decl p(n:number)\np(n) :- n = count : {"
        f"{'(' * 90} p(1), (p(1);p(2)) {'), (p(1);p(2))' * 90} }}."
    ),
    "rules with many alternatives": ".decl p(x:number)\n"
    + f"p(x) :- p(x){', (p(1);p(2))' * 9}.\n" * 2_000,
    "equations in a circle": ".decl p(n:number)\np(x0) :- "
    + "".join(f"x{i} = x{i + 1} + 1, " for i in range(20_000))
    + "x20000 = x0.",
    "equations of one variable": ".decl p(n:number)\np(x) :- " + "x = y, " * 40_000 + "y = x.",
    "aggregates that share": ".decl p(n:number)\np(x0) :- "
    + ", ".join(f"x{i} = count : {{ p(x{i + 1}) }}" for i in range(20_000))
    + ".",
    "unclosed components": ".comp A {\n" * 50_000,
    "a long key": f'@[given] @[key = "{"a," * (MEBIBYTE // 4)}"]\n.decl p(a:symbol)',
    "a wide key": f'@[given] @[key = "{"a, " * 100_000}a"]\n.decl p(a:symbol)',
    "an empty reference": f'@[given] @[references = "{" " * MEBIBYTE}x"]\n.decl p(a:symbol)',
    "a ring of negations": "".join(f".decl r{i}()\n" for i in range(5_000))
    + "".join(f"r{i}() :- !r{(i + 1) % 5_000}().\n" for i in range(5_000)),
}


@pytest.mark.soak
@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_large_hostile_text_is_refused_within_seconds(text: str) -> None:
    start = time.process_time()
    loaded = load([Source("large.dl", text)])
    assert time.process_time() - start < 10
    assert loaded.ruleset is None
    assert loaded.diagnostics


def test_nesting_at_the_limit_is_read_even_deep_inside_a_call() -> None:
    deep = "1 + 1 * (" * NESTING_LIMIT + "1" + ")" * NESTING_LIMIT
    bodies = "(" * NESTING_LIMIT + "q(n)" + ")" * NESTING_LIMIT
    chain = "n" + " + 1" * NESTING_LIMIT
    text = (
        f"@[given] .decl q(n:number)\n.decl p(n:number)\np(n) :- {bodies}.\np({chain}) :- q(n).\n"
        f"p(1) :- q(n), n > {deep}."
    )

    def load_below(frames: int) -> list[str]:
        if frames:
            return load_below(frames - 1)
        return [d.code for d in load([Source("t.dl", text)]).diagnostics]

    assert load_below(150) == ["R111"]
    assert load([Source("t.dl", text.replace(f", n > {deep}", ""))]).ruleset is not None


@pytest.mark.parametrize("text", ["." * 1000, "#" * 1000, "\0" * 1000, "p(1.5).\n" * 1000])
def test_reading_ends_after_so_many_syntax_errors_and_says_so(text: str) -> None:
    found = load([Source("t.dl", text)]).diagnostics
    assert len(found) == FINDINGS_LIMIT + 1
    assert [d.code for d in found].count("R110") == 1


@pytest.mark.soak
def test_a_hundred_thousand_rules_load_within_seconds() -> None:
    lines = [f"p(x) :- q(x, {i}).\n" for i in range(100_000)]
    text = "@[given]\n.decl q(x:symbol, n:number)\n.decl p(x:symbol)\n" + "".join(lines)
    start = time.process_time()
    loaded = load([Source("many.dl", text)])
    assert time.process_time() - start < 20
    assert loaded.ruleset is not None
    assert len(loaded.ruleset.program.rules) == 100_000


def test_a_long_line_is_shown_around_the_finding_only() -> None:
    text = "p(" + "x" * 5_000 + " y" + "z" * 5_000
    (shown,) = [render(d, text) for d in load([Source("t.dl", text)]).diagnostics]
    lines = shown.splitlines()
    assert max(map(len, lines)) < 200
    assert lines[1][lines[2].index("^")] == "y"
