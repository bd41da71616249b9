"""Small programs and the rows that a person finds for them."""

import pytest

import engine
from rules import Source, load
from rules.matchers import MATCHERS

EMPTY: frozenset[engine.Row] = frozenset()


def rows(text: str, facts: dict[str, list[engine.Row]], asked: str = "p") -> frozenset[engine.Row]:
    """The rows of a relation; both evaluators must find them."""
    loaded = load([Source("t.dl", text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    given = [engine.Fact.of(name, row, "test") for name, rows in facts.items() for row in rows]
    limits = engine.Limits()
    program = loaded.ruleset.program
    found = engine.evaluate(program, given, [], limits, MATCHERS).of(asked)
    assert found == engine.evaluate_by_definition(program, given, [], limits, MATCHERS).of(asked)
    return found


WORLD = """
@[given] .decl q(x:number)
@[given] .decl r(x:symbol, n:number)
@[given] .decl group(x:symbol)
"""
FACTS: dict[str, list[engine.Row]] = {
    "q": [(3,), (-7,), (10,)],
    "r": [("a", 1), ("a", 2), ("b", 5)],
    "group": [("a",), ("b",), ("c",)],
}

ARITHMETIC = {
    "precedence": (".decl p(x:number)\np(2 + 3 * 4 - 1).", {(13,)}),
    "from the left": (
        ".decl p(x:number)\np(20 - 5 - 3). p(100 / 5 / 2). p(7 * 5 % 4).",
        {(12,), (10,), (3,)},
    ),
    "parentheses": (".decl p(x:number)\np(20 - (5 - 3)). p(-(2 + 3) * 2).", {(18,), (-10,)}),
    "minus before a product": (
        ".decl p(x:number)\np(-2 * 3). p(- -4). p(1 - -1).",
        {(-6,), (4,), (2,)},
    ),
    "division cuts towards zero": (
        ".decl p(x:number, y:number)\np(x / 2, x % 2) :- q(x).",
        {(1, 1), (-3, -1), (5, 0)},
    ),
    "in an atom": (".decl p(x:number)\np(x) :- q(x), q(x + 7).", {(3,)}),
    "in a negated atom": (".decl p(x:number)\np(x) :- q(x), !q(x + 7).", {(-7,), (10,)}),
    "in a comparison": (".decl p(x:number)\np(x) :- q(x), x * x > 3 * x + 1.", {(-7,), (10,)}),
    "bound by an equality": (
        ".decl p(y:number)\np(y) :- q(x), y = z * 2, z = x + 1.",
        {(8,), (-12,), (22,)},
    ),
    "a bound equality tests": (".decl p(x:number)\np(x) :- q(x), q(y), y = x + 7.", {(3,)}),
    "out of range on the way": (
        ".decl p(x:number)\np(9223372036854775807 - 1 + 1).",
        {(engine.NUMBER_MAX,)},
    ),
}


@pytest.mark.parametrize(("text", "expected"), ARITHMETIC.values(), ids=ARITHMETIC)
def test_arithmetic_means_what_it_means_in_souffle(text: str, expected: set[engine.Row]) -> None:
    assert rows(WORLD + text, FACTS) == expected


AGGREGATES: dict[str, tuple[str, set[engine.Row]]] = {
    "count of all": (".decl p(n:number)\np(n) :- n = count : { r(_, _) }.", {(3,)}),
    "count of nothing": (".decl p(n:number)\np(n) :- n = count : { r(_, 9) }.", {(0,)}),
    "sum of nothing": ('.decl p(n:number)\np(n) :- n = sum x : { r("z", x) }.', {(0,)}),
    "min of nothing": ('.decl p(n:number)\np(n) :- n = min x : { r("z", x) }.', set()),
    "max of nothing": ('.decl p(n:number)\np(n) :- n = max x : { r("z", x) }.', set()),
    "count by group": (
        ".decl p(x:symbol, n:number)\np(x, n) :- group(x), n = count : { r(x, _) }.",
        {("a", 2), ("b", 1), ("c", 0)},
    ),
    "sum by group": (
        ".decl p(x:symbol, n:number)\np(x, n) :- group(x), n = sum m : { r(x, m) }.",
        {("a", 3), ("b", 5), ("c", 0)},
    ),
    "min by group": (
        ".decl p(x:symbol, n:number)\np(x, n) :- group(x), n = min m : { r(x, m) }.",
        {("a", 1), ("b", 5)},
    ),
    "max by group": (
        ".decl p(x:symbol, n:number)\np(x, n) :- group(x), n = max m : { r(x, m) }.",
        {("a", 2), ("b", 5)},
    ),
    "equal values add up as often as they occur": (
        ".decl p(n:number)\np(n) :- n = sum 100 : { r(_, _) }.",
        {(300,)},
    ),
    "a target that is calculated": (
        ".decl p(n:number)\np(n) :- n = sum m * 2 + 1 : { r(_, m) }.",
        {(19,)},
    ),
    "every way of the whole body counts": (
        ".decl p(n:number)\np(n) :- n = count : { group(x), r(y, _), x != y }.",
        {(6,)},
    ),
    "a negated atom inside": (
        ".decl p(n:number)\np(n) :- n = count : { group(x), !r(x, _) }.",
        {(1,)},
    ),
    "an equality inside": (
        ".decl p(n:number)\np(n) :- n = max z : { r(_, m), z = m * m - 1 }.",
        {(24,)},
    ),
    "a shared variable that an equality binds": (
        '.decl p(n:number)\np(n) :- x = "a", n = count : { r(x, _) }.',
        {(2,)},
    ),
    "a result that is bound tests": (
        ".decl p(x:symbol)\np(x) :- r(x, n), n = count : { r(x, _) }.",
        {("a",)},
    ),
    "a result that goes on": (
        ".decl p(n:number)\np(k) :- n = count : q(_), m = max x : q(x), k = m * n.",
        {(30,)},
    ),
    "one aggregate in another's body by a relation": (
        (
            ".decl size(x:symbol, n:number)\n.decl p(n:number)\n"
            "size(x, n) :- group(x), n = count : { r(x, _) }.\np(m) :- m = max n : { size(_, n) }."
        ),
        {(2,)},
    ),
    "after recursion": (
        (
            ".decl up(n:number)\n.decl p(n:number)\n@[given] .decl next(n:number, m:number)\n"
            "up(0).\nup(m) :- up(n), next(n, m).\np(n) :- n = count : up(_)."
        ),
        {(1,)},
    ),
}


@pytest.mark.parametrize(("text", "expected"), AGGREGATES.values(), ids=AGGREGATES)
def test_aggregates_mean_what_they_mean_in_souffle(text: str, expected: set[engine.Row]) -> None:
    assert rows(WORLD + text, FACTS) == expected


@pytest.mark.parametrize("function", ["count", "sum", "min", "max"])
def test_an_aggregate_over_no_facts_at_all_is_zero_or_nothing(function: str) -> None:
    target = "" if function == "count" else " x"
    text = f".decl p(n:number)\np(n) :- n = {function}{target} : {{ q(x), x = x }}."
    expected = {(0,)} if function in {"count", "sum"} else EMPTY
    assert rows(WORLD + text, {}) == expected


def test_alternatives_and_heads_are_rules_of_their_own() -> None:
    text = (
        ".decl p, s(x:symbol)\n"
        'p(x), s(x) :- group(x), (r(x, n), n > 4 ; !r(x, _)), (x != "c" ; x = "c").'
    )
    for asked in ("p", "s"):
        assert rows(WORLD + text, FACTS, asked) == {("b",), ("c",)}


def test_a_matcher_decides_what_is_bound() -> None:
    text = (
        '@[computed = "glob"] .decl fits(pattern:symbol, text:symbol)\n'
        "@[given] .decl file(path:symbol)\n@[given] .decl pattern(glob:symbol)\n"
        '.decl p(path:symbol)\np(f) :- file(f), pattern(g), fits(g, f), !fits("*.md", f).'
    )
    facts: dict[str, list[engine.Row]] = {
        "file": [("a.py",), ("b.md",), ("src/c.py",)],
        "pattern": [("*.py",), ("*.md",)],
    }
    assert rows(text, facts) == {("a.py",)}


def test_keys_and_references_are_held_against_the_facts() -> None:
    text = (
        '@[given] @[key = "x"] @[references = "y -> other(y)"] .decl q(x:number, y:number)\n'
        "@[given] .decl other(y:number)\n"
    )
    assert rows(text, {"q": [(1, 2)], "other": [(2,)]}, "q") == {(1, 2)}
    for wrong in ([(1, 2), (1, 3)], [(1, 4)]):
        with pytest.raises(engine.FactRefusedError):
            rows(text, {"q": list(wrong), "other": [(2,), (3,)]}, "q")


FAULTS = {
    "division by zero": ".decl p(x:number)\np(1 / (x - 3)) :- q(x).",
    "remainder by zero": ".decl p(x:number)\np(x % 0) :- q(x).",
    "more than 64 bits": ".decl p(x:number)\np(x * 9223372036854775807) :- q(x).",
    "a sum of more than 64 bits": (
        ".decl p(x:number)\np(n) :- n = sum x * 900000000000000000 : { q(x), x > 3 }."
    ),
    "negating the least number": ".decl p(x:number)\np(-(-9223372036854775808)).",
}


@pytest.mark.parametrize("text", FAULTS.values(), ids=FAULTS)
def test_a_number_that_there_is_not_is_a_fault_of_its_rule(text: str) -> None:
    facts = {"q": [(3,), (4,), (7,)]}
    if "sum" in text:
        facts = {"q": [(4,), (10,)]}
    with pytest.raises(engine.ArithmeticFaultError, match="in rule `p-1`"):
        rows(WORLD + text, {"q": list(facts["q"])})
