"""No text makes loading raise, and none makes it slow."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import Source, load, render
from rules.tokens import FINDINGS_LIMIT

FRAGMENTS = (
    *".,()[]:=<>!@-_;\"'\\/\n\t ",
    ".decl ",
    ".type ",
    ".input p",
    ".output p",
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
    "a ring of negations": "".join(f".decl r{i}()\n" for i in range(5_000))
    + "".join(f"r{i}() :- !r{(i + 1) % 5_000}().\n" for i in range(5_000)),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_large_hostile_text_is_refused_within_seconds(text: str) -> None:
    start = time.process_time()
    loaded = load([Source("large.dl", text)])
    assert time.process_time() - start < 10
    assert loaded.ruleset is None
    assert loaded.diagnostics


@pytest.mark.parametrize("text", ["." * 1000, "#" * 1000, "\0" * 1000, "p(1.5).\n" * 1000])
def test_reading_ends_after_so_many_syntax_errors_and_says_so(text: str) -> None:
    found = load([Source("t.dl", text)]).diagnostics
    assert len(found) == FINDINGS_LIMIT + 1
    assert [d.code for d in found].count("R110") == 1


def test_a_hundred_thousand_rules_load_within_seconds() -> None:
    lines = [f"p(x) :- q(x, {i}).\n" for i in range(100_000)]
    text = "@[given]\n.decl q(x:symbol, n:number)\n.decl p(x:symbol)\n" + "".join(lines)
    start = time.process_time()
    loaded = load([Source("many.dl", text)])
    assert time.process_time() - start < 30
    assert loaded.ruleset is not None
    assert len(loaded.ruleset.program.rules) == 100_000


def test_a_long_line_is_shown_around_the_finding_only() -> None:
    text = "p(" + "x" * 5_000 + " y" + "z" * 5_000
    (shown,) = [render(d, text) for d in load([Source("t.dl", text)]).diagnostics]
    lines = shown.splitlines()
    assert max(map(len, lines)) < 200
    assert lines[1][lines[2].index("^")] == "y"
