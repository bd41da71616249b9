"""Rows on their own, as scenarios list them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from rules import Diagnostic, parse_atoms
from rules.printer import write_literal

V, C, W = engine.Variable, engine.Constant, engine.Wildcard


def test_rows_are_read_with_their_wildcards() -> None:
    text = '// what holds\neligible("l1"). lesson("x", _).\n\nscore(-3, 4).done().'
    assert parse_atoms(text, "s") == (
        engine.Atom("eligible", (C("l1"),)),
        engine.Atom("lesson", (C("x"), W())),
        engine.Atom("score", (C(-3), C(4))),
        engine.Atom("done", ()),
    )
    assert parse_atoms(" // nothing\n", "s") == ()


REFUSED = {
    "a variable": ("p(x).", ["1:3 R301"]),
    "arithmetic": ("p(1 + 2). p(-x).", ["1:3 R101", "1:13 R101"]),
    "a rule": ("p(1) :- q(1).\nr(1)", ["1:6 R101", "2:5 R101"]),
    "a negation": ('!p("a").', ["1:1 R101"]),
    "a word of the language": ("count(1).", ["1:1 R109"]),
    "a functor": ('p(cat("a", "b")).', ["1:3 R112"]),
    "a number too large": ("p(9223372036854775808).", ["1:3 R106"]),
    "an annotation": ('@[id = "x"] p(1).', ["1:1 R101"]),
    "several": ('p("a\\q").\np(', ["1:5 R104", "2:3 R101"]),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_row_is_refused_at_its_place(text: str, expected: list[str]) -> None:
    found = parse_atoms(text, "s")
    said = [f"{d.place.line}:{d.place.column} {d.code}" for d in found if isinstance(d, Diagnostic)]
    assert said == expected
    assert len(said) == len(found)


terms: st.SearchStrategy[engine.Term] = st.one_of(
    st.just(W()),
    st.builds(C, st.text(st.characters(exclude_categories=["Cs"]))),
    st.builds(C, st.integers(engine.NUMBER_MIN, engine.NUMBER_MAX)),
)


@given(st.lists(st.builds(engine.Atom, st.sampled_from("pqr"), st.lists(terms).map(tuple))))
def test_rows_are_read_as_they_were_printed(atoms: list[engine.Atom]) -> None:
    text = "\n".join(f"{write_literal(atom)}." for atom in atoms)
    assert parse_atoms(text, "s") == tuple(atoms)


@given(st.text(max_size=40))
def test_any_text_is_rows_or_findings(text: str) -> None:
    found = parse_atoms(text, "s")
    assert len({type(item) for item in found}) <= 1
