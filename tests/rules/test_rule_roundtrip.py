"""Printing and loading are inverse, and the version names what the program means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from rules import LANGUAGE_VERSION, Ruleset, Source, load
from rules.symbols import read_symbol, write_symbol

AWKWARD = (
    "",
    "\0",
    '"',
    "\\",
    "\\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\a\b\f\v",
    ":-",
    "%",
    "// no comment",
    "/* neither */",
    "/// nor this",
    "\u202e right to left \u200f",
    "\ufeff",
    "\x85\u2028\u2029",
    "\U0001f469\u200d\U0001f680",
    "\U0010ffff",
    "5",
    "-5",
    "_",
    '").\np("',
    "\\u{0}",
    "@[id]",
)

HEAD = ".decl p(x:symbol, n:number)\n"


def sealed(*sources: str) -> Ruleset:
    loaded = load([Source(f"{i}.dl", text) for i, text in enumerate(sources)])
    assert loaded.ruleset is not None, loaded.diagnostics
    return loaded.ruleset


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_symbol_is_read_as_it_was_written(text: str) -> None:
    refused: list[str] = []
    assert read_symbol(write_symbol(text), lambda _, escape: refused.append(escape)) == text
    assert refused == []


@pytest.mark.parametrize(
    "text", [*AWKWARD, "\\" * 65_536, "é\0\n" * 21_845], ids=lambda text: ascii(text)[:20]
)
def test_an_awkward_symbol_survives_a_whole_program(text: str) -> None:
    row = engine.Atom("p", (engine.Constant(text), engine.Constant(0)))
    source = f"{HEAD}p({write_symbol(text)}, 0)."
    assert [rule.head for rule in sealed(source).program.rules] == [row]


def test_what_souffle_can_read_is_written_as_souffle_writes_it() -> None:
    assert write_symbol('a "b" \\ \n\r\t\a\b\f\v') == r'"a \"b\" \\ \n\r\t\a\b\f\v"'
    assert (
        write_symbol("\u202e '\x7f' \u2028 é \U0001f680") == "\"\u202e '\x7f' \u2028 é \U0001f680\""
    )


def test_a_nul_is_the_only_character_with_an_escape_of_ours() -> None:
    assert write_symbol("a\0b") == r'"a\u{0}b"'
    assert [c for c in map(chr, range(0xD800)) if "u{" in write_symbol(c)] == ["\0"]


def test_every_escape_is_read() -> None:
    source = HEAD + r'p("\"\'\\\a\b\f\n\r\t\v\u{1F680}\u{e9}\u{00}", 0).'
    (rule,) = sealed(source).program.rules
    assert rule.head.terms[0] == engine.Constant("\"'\\\a\b\f\n\r\t\v\U0001f680é\0")


def test_a_number_and_a_symbol_of_its_digits_differ() -> None:
    number = sealed(".decl p(x:number)\np(5).")
    symbol = sealed('.decl p(x:symbol)\np("5").')
    assert number.program.rules[0].head.terms == (engine.Constant(5),)
    assert symbol.program.rules[0].head.terms == (engine.Constant("5"),)
    assert number.version != symbol.version


MEANS_THE_SAME = {
    "comments": (HEAD + 'p("a", 1).', "// one\n" + HEAD + '/* two\n */ p("a", /* 3 */ 1). // 4'),
    "documentation": (HEAD + 'p("a", 1).', "/// rows\n" + HEAD + '/// one\n/// two\np("a", 1).'),
    "line ends": (HEAD + 'p("a", 1).', (HEAD + 'p("a", 1).\n').replace("\n", "\r\n")),
    "space": (HEAD + 'p("a", -1).', '.decl p ( x : symbol ,\tn:number )\np( "a" ,\v- 1 )\f.'),
    "default id": (HEAD + 'p("a", 1).', HEAD + '@[id = "p-1"]\np("a", 1).'),
    "leading zeros": (HEAD + 'p("a", 7).', HEAD + 'p("a", 007).'),
    "escapes": (HEAD + 'p("\\t\\u{41}", 1).', HEAD + 'p("\tA", 1).'),
    "source of facts": ("@[given]\n" + HEAD, '@[given] @[source = "s"]\n' + HEAD),
    "input of a given relation": ("@[given]\n" + HEAD, "@[given]\n" + HEAD + ".input p\n"),
    "input makes it given": (
        "@[given]\n" + HEAD,
        HEAD + '.input p(IO=file, filename="p.facts", delimiter=",", headers=true)\n',
    ),
    "qualifiers": (HEAD, HEAD.strip() + " brie inline no_magic\n"),
    "several names": (
        '.decl p(x:symbol)\n.decl q(x:symbol)\n.output p\n.output q\np("a").\nq("a").',
        '.decl p, q(x:symbol)\n.output q, p()\np("a").\nq("a").',
    ),
    "spaces in a key": (
        '@[given] @[key = "x, n"]\n' + HEAD,
        '@[given] @[key = " x,n "]\n' + HEAD,
    ),
    "minus": (
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(-n - -1) :- p(_, n).",
        "@[given]\n" + HEAD + ".decl q(n:number)\nq((0 - n) - (-1)) :- p(_, n).",
    ),
    "an atom alone in an aggregate": (
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(n) :- n = count : p(_, _).",
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(n) :- count : { (p(_, _)) } = n.",
    ),
}


@pytest.mark.parametrize(("left", "right"), MEANS_THE_SAME.values(), ids=MEANS_THE_SAME)
def test_texts_that_mean_the_same_have_one_version(left: str, right: str) -> None:
    assert sealed(left) == sealed(right)


MEANS_ANOTHER = {
    "constant": (HEAD + 'p("a", 1).', HEAD + 'p("a", 2).'),
    "id": (HEAD + 'p("a", 1).', HEAD + '@[id = "q"]\np("a", 1).'),
    "output": (HEAD + 'p("a", 1).', HEAD + '.output p\np("a", 1).'),
    "given": (HEAD, "@[given]\n" + HEAD),
    "never": (HEAD + 'p("a", 1).', "@[never]\n" + HEAD + 'p("a", 1).'),
    "column name": (HEAD, HEAD.replace("n:", "m:")),
    "operator": (
        HEAD + 'p("a", 1) :- p("a", x), x < 1.',
        HEAD + 'p("a", 1) :- p("a", x), x <= 1.',
    ),
    "negation": (
        "@[given]\n.decl q()\n" + HEAD + 'p("a", 1) :- q().',
        "@[given]\n.decl q()\n" + HEAD + 'p("a", 1) :- !q().',
    ),
    "key": ("@[given]\n" + HEAD, '@[given] @[key = "x"]\n' + HEAD),
    "order of arithmetic": (
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(n - 1 - 2) :- p(_, n).",
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(n - (1 - 2)) :- p(_, n).",
    ),
    "what is added": (
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(s) :- s = sum n : { p(_, n) }.",
        "@[given]\n" + HEAD + ".decl q(n:number)\nq(s) :- s = sum n * 2 : { p(_, n) }.",
    ),
    "matcher": (
        '@[computed = "glob"]\n.decl g(a:symbol, b:symbol)\n',
        '@[computed = "regex"]\n.decl g(a:symbol, b:symbol)\n',
    ),
    "enumeration": (
        '@[values = ["a"]]\n.type T <: symbol',
        '@[values = ["a", "b"]]\n.type T <: symbol',
    ),
}


@pytest.mark.parametrize(("left", "right"), MEANS_ANOTHER.values(), ids=MEANS_ANOTHER)
def test_texts_that_mean_something_else_have_another_version(left: str, right: str) -> None:
    assert sealed(left).version != sealed(right).version


def test_the_print_is_sorted_by_name_and_its_rules_by_relation_and_id() -> None:
    text = (
        '@[id = "a"]\nq(x, -3) :- g(x), !p("\\t", 0), x != "b". p("z", 1).\n'
        ".output p\n.decl q(x:symbol, n:number)\n" + HEAD + '@[never] .decl n()\n@[id = "b"] n()'
        ' :- q(_, 1).\n@[given]\n.decl g(x:T)\n.type T <: symbol\n@[values = ["y", "x"]] .type E'
        " <: symbol\np(x, 2) :- g(x)."
    )
    assert sealed(text).text.splitlines() == [
        '@[values = ["y", "x"]]',
        ".type E <: symbol",
        ".type T <: symbol",
        "@[given]",
        ".decl g(x:T)",
        "@[never]",
        ".decl n()",
        ".decl p(x:symbol, n:number)",
        ".output p",
        ".decl q(x:symbol, n:number)",
        '@[id = "b"]',
        "n() :- q(_, 1).",
        '@[id = "p-1"]',
        'p("z", 1).',
        '@[id = "p-2"]',
        "p(x, 2) :- g(x).",
        '@[id = "a"]',
        r'q(x, -3) :- g(x), !p("\t", 0), x != "b".',
    ]


def test_the_version_is_the_digest_of_language_version_and_text() -> None:
    ruleset = sealed(HEAD)
    assert ruleset.text == ".decl p(x:symbol, n:number)\n"
    assert ruleset.version == engine.digest(["ruleset", LANGUAGE_VERSION, ruleset.text])


def test_one_program_may_be_spread_over_sources() -> None:
    together = sealed(HEAD + 'p("a", 1).\np("b", 2).')
    assert sealed(HEAD + 'p("a", 1).', 'p("b", 2).') == together
    assert sealed("", HEAD + 'p("a", 1).\np("b", 2).') == together


def test_rules_without_ids_are_numbered_by_relation_over_all_sources() -> None:
    ruleset = sealed(
        HEAD + 'p("a", 1).\n@[id = "named"]\np("b", 2).', ".decl q()\nq().\n" + 'p("c", 3).'
    )
    assert [rule.id for rule in ruleset.program.rules] == ["named", "p-1", "p-3", "q-1"]
