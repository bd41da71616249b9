"""Each construct of the language, and how the canonical print writes it."""

import pytest

from rules import Loaded, Source, canonical, load

WORLD = """@[given] .decl q(x:number, y:number)
@[given] .decl r(x:symbol)
.decl p(x:number)
"""


def loaded(text: str) -> Loaded:
    return load([Source("t.dl", text)])


PRINTED = {
    "precedence": ("p(1 + x * 2 - y) :- q(x, y).", "p(1 + x * 2 - y) :- q(x, y)."),
    "grouping": ("p((1 + x) * 2) :- q(x, _).", "p((1 + x) * 2) :- q(x, _)."),
    "needless parentheses": ("p(((x * y)) - (2)) :- q(x, y).", "p(x * y - 2) :- q(x, y)."),
    "to the right": ("p(x - (y - 1)) :- q(x, y).", "p(x - (y - 1)) :- q(x, y)."),
    "to the right of a product": ("p(x / (y * 2)) :- q(x, y).", "p(x / (y * 2)) :- q(x, y)."),
    "no folding": ("p(1 + 2).", "p(1 + 2)."),
    "minus before a name": ("p(-x) :- q(x, _).", "p(0 - x) :- q(x, _)."),
    "minus before digits": ("p(x - -1) :- q(x, _).", "p(x - -1) :- q(x, _)."),
    "minus before minus": ("p(- - 1).", "p(0 - -1)."),
    "minus binds closest": ("p(-x * y) :- q(x, y).", "p((0 - x) * y) :- q(x, y)."),
    "remainder": ("p(x % 3) :- q(x, _).", "p(x % 3) :- q(x, _)."),
    "count": ("p(n) :- n = count : q(_, _).", "p(n) :- n = count : { q(_, _) }."),
    "result behind": ("p(n) :- count : { r(_) } = n.", "p(n) :- n = count : { r(_) }."),
    "sum": ("p(n) :- n = sum x * y : q(x, y).", "p(n) :- n = sum x * y : { q(x, y) }."),
    "target in parentheses": (
        'p(n) :- n = max (x + 1) * 2 : { q(x, _), !r("a"), x != 3 }.',
        'p(n) :- n = max (x + 1) * 2 : { q(x, _), !r("a"), x != 3 }.',
    ),
    "minus as a target": ("p(n) :- n = min -x : q(x, _).", "p(n) :- n = min 0 - x : { q(x, _) }."),
    "equality": ("p(y) :- q(x, _), x + 1 = y.", "p(y) :- q(x, _), x + 1 = y."),
}  # fmt: skip


@pytest.mark.parametrize(("text", "printed"), PRINTED.values(), ids=PRINTED)
def test_a_rule_is_printed_in_one_way(text: str, printed: str) -> None:
    found = loaded(WORLD + text)
    assert found.ruleset is not None, found.diagnostics
    assert [line for line in found.ruleset.text.splitlines() if line.startswith("p(")] == [printed]
    assert canonical(found.ruleset.program) == found.ruleset.text
    again = loaded(found.ruleset.text).ruleset
    assert again == found.ruleset


def test_declarations_are_printed_with_one_annotation_to_a_line() -> None:
    text = (
        '.decl other(a:symbol, b:number)\n.input other(IO=file, filename="o.facts")\n'
        '@[references = "s , n->other( a,b )"] @[key = "s"] @[given] @[key = "n,s"]\n'
        ".decl p(s:symbol, n:number) brie\n"
        '@[computed = "prefix"] .decl starts(pattern:symbol, text:symbol)\n.output p\n'
    )
    found = loaded(text).ruleset
    assert found is not None
    assert found.text.splitlines() == [
        "@[given]",
        ".decl other(a:symbol, b:number)",
        "@[given]",
        '@[key = "s"]',
        '@[key = "n, s"]',
        '@[references = "s, n -> other(a, b)"]',
        ".decl p(s:symbol, n:number)",
        ".output p",
        '@[computed = "prefix"]',
        ".decl starts(pattern:symbol, text:symbol)",
    ]


def test_parameters_of_inputs_and_outputs_stay_on_the_tree() -> None:
    text = (
        ".decl a, b(x:symbol)\n"
        '.input a, b(IO=file, filename="a\\t.facts", delimiter=",", headers=true, n=3)\n'
        ".output a()\n"
    )
    (tree,) = loaded(text).trees
    first, second, third = tree.exchanges
    assert (first.direction, first.relation.text) == ("input", "a")
    assert (second.direction, second.relation.text) == ("input", "b")
    assert [(key.text, value.text) for key, value in second.parameters] == [
        ("IO", "file"),
        ("filename", "a\t.facts"),
        ("delimiter", ","),
        ("headers", "true"),
        ("n", "3"),
    ]
    assert (third.direction, third.parameters) == ("output", ())


def test_the_matchers_are_those_that_were_passed_in() -> None:
    text = '@[computed = "soundex"]\n.decl sounds(pattern:symbol, text:symbol)\n'
    (found,) = loaded(text).diagnostics
    assert found.code == "R226"
    assert load([Source("t.dl", text)], matchers={"soundex"}).diagnostics == ()
    (found,) = load([Source("t.dl", text)], matchers=()).diagnostics
    assert found.notes == ("no matchers were passed in",)


def test_a_remark_does_not_keep_a_ruleset_from_coming() -> None:
    found = loaded(WORLD + ".decl s(x:number)\n.output s\ns(1).\np(2).")
    assert [(d.code, d.severity) for d in found.diagnostics] == [("R501", "info")]
    assert found.ruleset is not None
    assert loaded(WORLD + ".decl s(x:number)\ns(1).\np(2).").diagnostics == ()


WORDS_AS_NAMES = {
    "a variable": ("p(count) :- q(count, _).", ["R109", "R109"]),
    "a relation": ("p(1) :- count(1).", ["R109", "R201"]),
    "compared": ("p(1) :- sum = 3.", ["R109", "R401"]),
    "in an equation": ("p(x) :- q(x, _), x = min.", ["R109", "R401"]),
}


@pytest.mark.parametrize(("text", "codes"), WORDS_AS_NAMES.values(), ids=WORDS_AS_NAMES)
def test_a_word_of_aggregates_alone_is_taken_for_a_name(text: str, codes: list[str]) -> None:
    assert [d.code for d in loaded(WORLD + text).diagnostics] == codes
