"""What is accepted, what it means to the engine, and where findings point."""

import pytest

import engine
from rules import Diagnostic, Place, Source, load, render
from rules.spelling import Spelling, edits
from rules.syntax import texts

WORLD = """
.type LessonId <: symbol
.type RoomId <: symbol
@[values = ["on", "off"]] .type Switch <: symbol
.type Score <: number
@[given] .decl lesson(id:LessonId, switch:Switch, score:Score)
@[given] .decl room(id:RoomId)
@[given] .decl word(text:symbol, size:number)
"""


def codes(text: str) -> list[str]:
    return [d.code for d in load([Source("t.dl", text)]).diagnostics]


ACCEPTED = {
    "a subtype flows to its base": ".decl p(x:symbol, n:number)\np(x, n) :- lesson(x, _, n).",
    "a body narrows a variable": ".decl p(x:LessonId)\np(x) :- word(x, _), lesson(x, _, _).",
    "whatever the order": ".decl p(x:LessonId)\np(x) :- lesson(x, _, _), word(x, _).",
    "a constant fits any subtype": '.decl p(x:LessonId, n:Score)\np("l", -3).',
    "a value fits its enumeration": '.decl p(x:Switch)\np("on").',
    "a negated base meets a subtype": ".decl p(x:symbol)\np(x) :- word(x, _), !lesson(x, _, _).",
    "a subtype compared with its base": (
        ".decl p()\np() :- lesson(x, _, n), word(y, m), x = y, n < m."
    ),
    "a comparison of constants": '.decl p()\np() :- 1 < 2, "a" != "b".',
    "a nullary relation": ".decl p()\np().",
    "positive recursion": ".decl p(x:symbol)\np(x) :- word(x, _).\np(x) :- p(x), word(x, 1).",
    "negation of a lower stratum": ".decl p()\n.decl q()\np() :- word(_, _).\nq() :- !p().",
    "a name that begins with an underscore": ".decl p()\np() :- word(_text, _).",
    "a rule behind another on one line": ".decl p()\n.decl q()\np() :- word(_, 1).q() :- p().",
    "a declaration behind a rule": ".decl p() p(). .decl q() q() :- p().",
    "a reference from a subtype to its base": (
        '@[given] @[references = "x, y -> word(text, size)"] .decl of(x:LessonId, y:Score)\n'
        ".decl p()\np() :- of(_, _)."
    ),
    "a computed number into a subtype": ".decl p(n:Score)\np(n + 1) :- word(_, n).",
    "a count into a subtype": ".decl p(n:Score)\np(n) :- n = count : word(_, _).",
    "a maximum of a subtype": ".decl p(n:Score)\np(n) :- n = max s : lesson(_, _, s).",
    "a constant by an equality": '.decl p(s:Switch)\np(s) :- word(_, _), s = "on".',
    "a computed number in two subtypes": (
        ".type Rank <: number\n@[given] .decl both(n:Score, m:Rank)\n.decl p()\n"
        "p() :- word(_, n), m = n + 1, !both(m, m)."
    ),
    "a number and then the end": ".decl p()\np() :- word(_, n), n > 5.",
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_is_right_loads_without_a_finding(text: str) -> None:
    assert codes(WORLD + text) == []


REFUSED: dict[str, tuple[str, list[str]]] = {
    "siblings in a body": (".decl p()\np() :- lesson(x, _, _), room(x).", ["R207"]),
    "siblings through their base": (
        ".decl p()\np() :- word(x, _), lesson(x, _, _), room(x).",
        ["R207"],
    ),
    "siblings in one negated atom": (
        "@[given] .decl q(a:LessonId, b:RoomId) .decl p() p() :- word(x, _), !q(x, x).",
        ["R207"],
    ),
    "a base into a subtype": (".decl p(x:LessonId)\np(x) :- word(x, _).", ["R208"]),
    "a base into an enumeration": (".decl p(x:Switch)\np(x) :- word(x, _).", ["R208"]),
    "a negated atom does not narrow": (
        ".decl p(x:LessonId)\np(x) :- word(x, _), !lesson(x, _, _).",
        ["R208"],
    ),
    "an enumeration by comparison": (
        '.decl p()\np() :- lesson(_, s, _), "onn" = s.',
        ["R206"],
    ),
    "a head only variable in a negation": (
        ".decl p(x:symbol)\np(x) :- !word(x, _).",
        ["R301", "R302"],
    ),
    "an inequality does not bind": (
        '.decl p(x:symbol)\np(x) :- word(_, _), x != "a".',
        ["R301", "R303"],
    ),
    "input of what must stay empty": ("@[never] .decl p()\n.input p", ["R212", "R218"]),
    "an unsafe fact": (".decl p(x:symbol)\np(x).", ["R301"]),
    "a mark of byte order inside": (".decl p()\n\ufeffp().", ["R107"]),
    "a line break in a symbol": ('.decl p(x:symbol)\np("a\nb").', ["R102", "R102"]),
    "a comma list of facts": (".decl p()\np(), p().", ["R101"]),
    "a rule without its full stop": (".decl p()\np()\nr().", ["R101", "R201"]),
    "an upper and a lower bound": (".decl p()\np() :- word(_, n), n > 3, n <= 3.", ["R403"]),
    "bounds of symbols": ('.decl p()\np() :- word(x, _), x < "a", x >= "b".', ["R403"]),
    "two equal bounds": (".decl p()\np() :- word(_, n), n >= 3, n <= 3.", []),
    "neighbouring integers": (".decl p()\np() :- word(_, n), n > 3, n < 4.", ["R403"]),
    "neighbouring symbols": ('.decl p()\np() :- word(x, _), x > "a", x < "b".', []),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_gets_its_codes(text: str, expected: list[str]) -> None:
    assert codes(WORLD + text) == expected


def test_a_byte_order_mark_is_refused_by_name() -> None:
    loaded = load([Source("t.dl", "\ufeff.decl p()\np().")])
    assert loaded.ruleset is None
    assert [(d.code, d.message) for d in loaded.diagnostics] == [("R107", "byte order mark")]


def test_nul_and_lone_surrogates_are_refused_even_in_comments() -> None:
    text = ".decl p()\np(). // a \0\n/*\n  \udc80 */"
    places = [(d.place.line, d.place.column) for d in load([Source("t.dl", text)]).diagnostics]
    assert places == [(2, 11), (4, 3)]


def test_all_sources_report_at_once_in_their_order() -> None:
    sources = [Source("z.dl", "p(x)."), Source("a.dl", "("), Source("m.dl", ".decl p(x:symbl)")]
    found = [(d.place.source, d.code) for d in load(sources).diagnostics]
    assert found == [("z.dl", "R301"), ("a.dl", "R101"), ("m.dl", "R202")]


def test_a_broken_declaration_does_not_make_its_name_undeclared() -> None:
    assert codes(".decl p(x)\np(1).\n.type T < symbol\n.decl q(x:T)\nq(1).") == ["R101", "R101"]


def test_a_broken_rule_still_counts_as_a_rule_of_its_relation() -> None:
    assert codes("@[never]\n.decl p()\np() :- .\n.decl q()\nq() :- p().") == ["R101"]


PLACES = {
    "behind a block comment": ("/* a\n\n b */ #", (3, 7, 1)),
    "behind a block comment on one line": ("\n/* a */ #", (2, 9, 1)),
    "behind a line comment": ("// a\r\n  #", (2, 3, 1)),
    "a symbol without end before a CRLF": ('p("ab\r\n', (1, 3, 3)),
    "an end behind space": ("p(  ", (1, 5, 1)),
    "a negative number": (".decl p(x:symbol)\np( - 7).", (2, 4, 3)),
    "a negative number over two lines": (".decl p(x:symbol)\np(-\n  7).", (3, 3, 1)),
    "a column of a key": ('@[given] @[key = "a, bb"]\n.decl p(a:symbol)', (1, 22, 2)),
    "a column of a key with an escape": (
        '@[given] @[key = "\\u{61}, bb"]\n.decl p(a:symbol)',
        (1, 18, 12),
    ),
    "a relation of a reference": (
        '@[given] @[references = "a -> qq(a)"]\n.decl p(a:symbol)',
        (1, 31, 2),
    ),
    "a parenthesis too deep": (f"\np({'(' * 101}", (2, 103, 1)),
    "an operator too deep": (f"p(1{'+1' * 101}).", (1, 204, 1)),
    "an escape": ('.decl p(x:symbol) p("ab\\qc").', (1, 24, 2)),
}


@pytest.mark.parametrize(("text", "expected"), PLACES.values(), ids=PLACES)
def test_a_finding_points_at_what_it_means(text: str, expected: tuple[int, int, int]) -> None:
    place = load([Source("t.dl", text)]).diagnostics[0].place
    assert (place.line, place.column, place.length) == expected


def test_columns_count_code_points_and_never_bytes() -> None:
    text = '.decl p(x:symbol)\np("\U0001f680é", 5).'
    (found,) = load([Source("t.dl", text)]).diagnostics
    assert found.place == Place("t.dl", 2, 1, 1)
    (found,) = load(
        [Source("t.dl", '.decl p(x:symbol, y:symbol)\np("\U0001f680é", 5).')]
    ).diagnostics
    assert (found.place.column, found.place.length) == (9, 1)


def caret_under(line: str, start: int, length: int) -> str:
    """What stands above the carets, by display cells of one column each."""
    found = Diagnostic("R101", "error", Place("t", 1, start + 1, length), "m")
    _, shown, carets = render(found, line).splitlines()
    return shown[carets.index("^") : carets.rindex("^") + 1]


CARETS = {
    "plain": ("abc def", 4, 3, "def"),
    "behind a tab": ("\tdef", 1, 3, "def"),
    "behind text and a tab": ("ab\tdef", 3, 3, "def"),
    "on a tab": ("ab\tdef", 2, 1, "  "),
    "on a control character": ("a\x1bb", 1, 1, "\\u{1B}"),
    "behind an override": ("\u202eab", 1, 2, "ab"),
}


@pytest.mark.parametrize(("line", "start", "length", "expected"), CARETS.values(), ids=CARETS)
def test_the_caret_stands_under_what_it_means(
    line: str, start: int, length: int, expected: str
) -> None:
    assert caret_under(line, start, length) == expected


def test_a_wide_character_takes_two_cells_and_a_mark_on_it_none() -> None:
    found = Diagnostic("R101", "error", Place("t", 1, 4, 1), "m")
    assert render(found, "日e\u0301x").splitlines()[2] == "    |    ^"


def test_the_end_of_a_source_can_be_pointed_at() -> None:
    text = ".decl p(x:symbol"
    (found,) = load([Source("t.dl", text)]).diagnostics
    assert found.place == Place("t.dl", 1, 17, 1)
    assert render(found, text).splitlines()[2] == "    |" + " " * 17 + "^"


def test_documentation_keys_references_and_sources_stay_with_their_declaration() -> None:
    text = (
        "/// The lessons of a House.\n/// One row each.\n@[given]\n"
        '@[source = "lessons"]\n@[key = "id"]\n@[references = "room(room)"]\n'
        '@[references = "person(by)"]\n.decl lesson(id:symbol, room:symbol, by:symbol)\n'
        "/// Why.\n.decl p()\n/// Because.\np() :- lesson(_, _, _).\n"
    )
    (tree,) = load([Source("t.dl", text)]).trees
    lesson, p = tree.relations
    assert lesson.documentation == "The lessons of a House.\nOne row each."
    assert (p.documentation, tree.rules[0].documentation) == ("Why.", "Because.")
    assert {
        name: [token.text for token in texts(lesson, name)]
        for name in ("source", "key", "references")
    } == {"source": ["lessons"], "key": ["id"], "references": ["room(room)", "person(by)"]}


def test_what_loads_can_be_evaluated() -> None:
    text = WORLD + (
        '.decl on(x:LessonId)\non(x) :- lesson(x, "on", n), n >= 2, !room(_).\n'
        ".decl pair(x:LessonId, y:LessonId)\npair(x, y) :- on(x), on(y), x != y.\n"
    )
    ruleset = load([Source("t.dl", text)]).ruleset
    assert ruleset is not None
    facts = [
        engine.Fact.of("lesson", row, "test")
        for row in (("a", "on", 2), ("b", "on", 3), ("c", "on", 1), ("d", "off", 9))
    ]
    model = engine.evaluate(ruleset.program, facts, [], engine.Limits())
    assert model.of("pair") == {("a", "b"), ("b", "a")}


DISTANCES = {
    "same": ("lesson", "lesson", 0),
    "left out": ("lesson", "leson", 1),
    "put in": ("lesson", "lessson", 1),
    "replaced": ("lesson", "lessen", 1),
    "swapped": ("lesson", "lesosn", 1),
    "several": ("kitten", "sitting", 3),
    "nothing": ("", "abc", 3),
}


@pytest.mark.parametrize(("left", "right", "expected"), DISTANCES.values(), ids=DISTANCES)
def test_edits_are_counted_both_ways(left: str, right: str, expected: int) -> None:
    assert (edits(left, right), edits(right, left)) == (expected, expected)


def test_the_nearest_name_is_meant_and_a_far_one_is_not() -> None:
    known = ["lesson", "lessons", "room", "Q"]
    nearest = Spelling().nearest
    assert nearest("leson", known) == "lesson"
    assert nearest("lessonss", known) == "lessons"
    assert nearest("corridor", known) is None
    assert nearest("p", known) is None
    assert nearest("q", known) == "Q"
