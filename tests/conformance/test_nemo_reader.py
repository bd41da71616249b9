"""What becomes of each construct of Nemo's rules, in our text or by the name that leaves it out."""

import pytest
from nemo_reader import read
from nemo_translation import rules_of
from nemo_values import cell
from suite_report import OutsideError

import engine

RULES = {
    "an IRI and a string are two symbols": ('p(a, "a").', ['pp("a", "\\"a\\"").']),
    "a name with a percent sign": ("p(A%20b). % note", ['pp("A%20b").']),
    "an IRI in full": ("<http://e.org/p>(<+>).", ['phttp_3a__2f__2f_e_2e_org_2f_p("+").']),
    "a base": ("@base <e:> . p(a).", ['pe_3a_p("e:a").']),
    "a prefix": ("@prefix x: <e:> . p(x:a).", ['pp("e:a").']),
    "an empty prefix": ("@prefix : <e:> . p(:a).", ['pp("e:a").']),
    "a string over lines": ('p("""a\nb""").', ['pp("\\"a\\nb\\"").']),
    "a string with a language": ('p("a"@en).', ['pp("\\"a\\"@en").']),
    "a string with its datatype": (
        '@prefix x: <http://www.w3.org/2001/XMLSchema#> . p("a"^^x:string, "7"^^x:integer).',
        ['pp("\\"a\\"", 7).'],
    ),
    "numbers": ("p(7, -7, +7, 0x1F, 0b11, 0o17).", ["pp(7, -7, 7, 31, 3, 15)."]),
    "arithmetic binds as it does everywhere": (
        "p(?x + 2 * ?y - (?x - 1) / 2) :- q(?x, ?y).",
        ["pp(((vx + (2 * vy)) - ((vx - 1) / 2))) :- pq(vx, vy)."],
    ),
    "minus behind a variable": ("p(?x-1) :- q(?x).", ["pp((vx - 1)) :- pq(vx)."]),
    "a name of several words": ("p(?a_b) :- q(?a_b, _).", ["pp(va_5f_b) :- pq(va_5f_b, _)."]),
    "comparisons": (
        "p(?x) :- q(?x,?y), ?x<?y, ?x>=?y, ?x != ?y, 1 <= ?x, ?x > 2, ?x = ?y.",
        ["pp(vx) :- pq(vx, vy), vx < vy, vx >= vy, vx != vy, 1 <= vx, vx > 2, vx = vy."],
    ),
    "a comparison that might be an IRI": (
        "p(?x) :- q(?x,?y), ?x<?y,?y>?x, ?x+1<=2,?y>=1.",
        ["pp(vx) :- pq(vx, vy), vx < vy, vy > vx, (vx + 1) <= 2, vy >= 1."],
    ),
    "several heads": (
        "p(?x), q(?x) :- r(?x).",
        ["pp(vx) :- pr(vx).", "pq(vx) :- pr(vx)."],
    ),
    "negation": ("p(?x) :- q(?x), ~ r(?x, _).", ["pp(vx) :- pq(vx), !pr(vx, _)."]),
    "a free variable in a negated atom": (
        "p(?x) :- q(?x), ~r(?x, ?y).",
        ["pp(vx) :- pq(vx), !pr(vx, _)."],
    ),
    "a free variable twice in a negated atom": (
        "p(?x) :- q(?x), ~r(?x, ?y, ?y).",
        ["n1(vx) :- pr(vx, vy, vy).", "pp(vx) :- pq(vx), !n1(vx)."],
    ),
    "a variable in a negated atom that an equation binds": (
        "p(?x) :- q(?x), ~r(?y, ?y), ?y = ?x + 1.",
        ["pp(vx) :- pq(vx), !pr(vy, vy), vy = (vx + 1)."],
    ),
    "a parameter": (
        "@parameter $a = 30. @parameter $b = $a + 12. p($b).",
        ["pp((30 + 12))."],
    ),
    "an aggregate in a group": (
        "p(?x, #sum(?y, ?z)) :- q(?x, ?y, ?z).",
        [
            "g1(vx, vy, vz) :- pq(vx, vy, vz).",
            "pp(vg0, vr) :- g1(vg0, _, _), vr = sum va0 : { g1(vg0, va0, va1) }.",
        ],
    ),
    "an aggregate over everything": (
        "p(#COUNT(?x)) :- q(?x).",
        ["g1(vx) :- pq(vx).", "pp(vr) :- g1(_), vr = count : { g1(va0) }."],
    ),
    "an aggregate inside a term": (
        "p(1, ?x + 1, ?y * #max(?z + 2)) :- q(?x, ?y, ?z).",
        [
            "g1((vx + 1), vy, (vz + 2)) :- pq(vx, vy, vz).",
            "pp(1, vg0, (vg1 * vr)) :- g1(vg0, vg1, _), vr = max va0 : { g1(vg0, vg1, va0) }.",
        ],
    ),
    "comments, attributes and output": (
        '%! top\n%%% doc\n/* p(b). */ #[name("x")] p(a). @output p, q.',
        ['pp("a").'],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_construct_becomes_these_rules(name: str) -> None:
    text, expected = RULES[name]
    assert rules_of(read(text)) == expected


OUTSIDE = {
    "existential": ("p(?x, !y) :- q(?x).", "existential variable"),
    "a function": ("p(?y) :- q(?x), ?y = ABS(?x).", "function `ABS`"),
    "a function as a literal": ("p(?x) :- q(?x), contains(?x, a).", "function `contains`"),
    "all of it at once": ("p(1.5, true) :- q(?x, !y).", "boolean, existential variable, floating"),
    "a float": ("p(1.5).", "floating point number"),
    "an exponent": ("p(1e5).", "floating point number"),
    "a boolean": ("p(true).", "boolean"),
    "a map": ("p({a = 1}).", "map"),
    "a map with a name": ("p(m{a = 1}).", "map"),
    "a tuple": ("p((1, 2)).", "tuple"),
    "a format string": ('p(f"{?x}") :- q(?x).', "format string"),
    "a blank node": ("p(_:b).", "blank node"),
    "another datatype": ('p("a"^^<e:date>).', "literal of another datatype"),
    "a large number": ("p(9223372036854775808).", "integer outside 64 bits"),
    "a parameter from outside": ("@parameter $a. p($a).", "parameter from outside"),
    "another aggregate": ("p(#mean(?x)) :- q(?x).", "aggregate `#mean`"),
    "two aggregates": ("p(#sum(?x), #max(?x)) :- q(?x).", "several aggregates in a head"),
    "an aggregate in a body": ("p(?y) :- q(?x), ?y = #sum(?x).", "aggregate in a body"),
    "another directive": ("@declare p(any). p(a).", "`@declare`"),
    "a prefix that nobody declared": ("p(x:a).", "unknown prefix `x` in line 1"),
    "no end of a rule": ("p(a).\np(b)", "syntax: `` in line 2"),
    "a character of another language": ("p(a) ⊃ q(a).", "syntax: `⊃` in line 1"),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_we_lack_is_named(name: str) -> None:
    text, reason = OUTSIDE[name]
    with pytest.raises(OutsideError) as caught:
        rules_of(read(text))
    assert reason in str(caught.value)


CELLS: dict[str, tuple[str, engine.Value]] = {
    "an integer": ("-07", -7),
    "a number that says plus": ("+7", 7),
    "a sign alone is an IRI": ("+", "+"),
    "an IRI": ("http://e.org/a", "http://e.org/a"),
    "an IRI in marks": ("<a>", "a"),
    "spaces around are none": (" 42 ", 42),
    "a string for its space": ("a b", '"a b"'),
    "a string for its quotes": ('"a"', '"a"'),
    "a language": ('"a"@en', '"a"@en'),
    "a datatype": ('"7"^^<http://www.w3.org/2001/XMLSchema#integer>', 7),
    "nothing": ("", '""'),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_read_by_its_look(name: str) -> None:
    text, expected = CELLS[name]
    assert cell(text) == expected


def test_a_format_says_what_a_cell_is() -> None:
    assert (cell("7", "string"), cell("7", "int"), cell("a", "int")) == ('"7"', 7, None)
    for text, form in [("1.5", "any"), ("1", "double"), ("9" * 20, "any"), ('"a"^^<e:d>', "any")]:
        with pytest.raises(OutsideError):
            cell(text, form)
