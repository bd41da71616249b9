"""Admission: which given facts fit the declarations, and what is said of those that do not."""

from typing import cast

import pytest

from engine import (
    NUMBER,
    NUMBER_MAX,
    NUMBER_MIN,
    SYMBOL,
    Column,
    Fact,
    FactRefusedError,
    Limits,
    Program,
    Relation,
    Row,
    Subtype,
    evaluate,
)

PROGRAM = Program(
    types={
        "Lesson": Subtype("Lesson", SYMBOL),
        "Score": Subtype("Score", NUMBER),
        "Level": Subtype("Level", SYMBOL, ("nudge", "gate", "")),
        "Never": Subtype("Never", SYMBOL, ()),
    },
    relations={
        relation.name: relation
        for relation in (
            Relation("plain", (Column("text", SYMBOL), Column("n", NUMBER)), given=True),
            Relation("typed", (Column("lesson", "Lesson"), Column("s", "Score")), given=True),
            Relation("levelled", (Column("level", "Level"),), given=True),
            Relation("impossible", (Column("never", "Never"),), given=True),
            Relation("flag", (), given=True),
            Relation("concluded", (Column("text", SYMBOL),)),
        )
    },
    rules=(),
)


def raw(relation: str, *values: object, source: str = "s") -> Fact:
    """A fact as a careless caller could make it, with an id that nobody computed."""
    return Fact(relation, cast("Row", values), source, "0" * 64)


REFUSED: dict[str, tuple[Fact, str]] = {
    "an undeclared relation": (raw("nothing", "a"), "the relation is not declared"),
    "a derived relation": (raw("concluded", "a"), "the relation is derived, not given"),
    "a column too few": (raw("plain", "a"), "2 columns declared, 1 given"),
    "a column too many": (raw("plain", "a", 1, 1), "2 columns declared, 3 given"),
    "a column where there is none": (raw("flag", "a"), "0 columns declared, 1 given"),
    "no column where there is one": (raw("levelled"), "1 columns declared, 0 given"),
    "a number for a symbol": (raw("plain", 1, 1), "column `text`: not a symbol"),
    "a symbol for a number": (raw("plain", "a", "1"), "column `n`: not a number"),
    "a truth value for a number": (raw("plain", "a", True), "column `n`: not a number"),
    "a truth value for a symbol": (raw("plain", False, 1), "column `text`: not a symbol"),
    "a float for a number": (raw("plain", "a", 1.0), "column `n`: not a number"),
    "null for a number": (raw("plain", "a", None), "column `n`: not a number"),
    "null for a symbol": (raw("plain", None, 1), "column `text`: not a symbol"),
    "bytes for a symbol": (raw("plain", b"a", 1), "column `text`: not a symbol"),
    "a number above 64 bits": (raw("plain", "a", NUMBER_MAX + 1), "column `n`: outside 64 bits"),
    "a number below 64 bits": (raw("plain", "a", NUMBER_MIN - 1), "column `n`: outside 64 bits"),
    "a number for a subtype of symbol": (raw("typed", 1, 1), "column `lesson`: not a symbol"),
    "a symbol for a subtype of number": (raw("typed", "a", "1"), "column `s`: not a number"),
    "64 bits in a subtype of number": (raw("typed", "a", 2**63), "column `s`: outside 64 bits"),
    "a value outside the enumeration": (
        raw("levelled", "warning"),
        "column `level`: `warning` is not one of nudge, gate, ",
    ),
    "a value of the enumeration in capitals": (raw("levelled", "Gate"), "`Gate` is not one of"),
    "a value of an empty enumeration": (raw("impossible", ""), "`` is not one of"),
    "a lone surrogate": (raw("plain", "a\ud800", 1), "column `text`: text with a lone surrogate"),
    "a lone surrogate in an enumeration": (raw("levelled", "\udfff"), "with a lone surrogate"),
    "a lone surrogate in the source": (
        raw("flag", source="\ud800"),
        "source: text with a lone surrogate",
    ),
}

ADMITTED: dict[str, Fact] = {
    "both ends of 64 bits": Fact.of("plain", ("a", NUMBER_MIN), "s"),
    "the other end": Fact.of("plain", ("a", NUMBER_MAX), "s"),
    "an empty text": Fact.of("plain", ("", 0), "s"),
    "text that no file would like": Fact.of("plain", ('\0\n"\\\u202e\U0010ffff', 0), ""),
    "a text of 64 KiB": Fact.of("plain", ("\xe9" * 2**15, 0), "s"),
    "a number in a text": Fact.of("plain", ("5", 5), "s"),
    "subtypes": Fact.of("typed", ("a", 1), "s"),
    "a value of the enumeration": Fact.of("levelled", ("gate",), "s"),
    "the empty value of the enumeration": Fact.of("levelled", ("",), "s"),
    "a relation without columns": Fact.of("flag", (), "s"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("side", ["base", "request"])
def test_a_fact_is_refused_for(name: str, side: str) -> None:
    fact, problem = REFUSED[name]
    good = ADMITTED["subtypes"]
    base, request = ([good, fact], [good]) if side == "base" else ([good], [good, fact])
    with pytest.raises(FactRefusedError) as refusal:
        evaluate(PROGRAM, base, request, Limits())
    assert refusal.value.relation == fact.relation
    assert problem in refusal.value.problem
    assert str(refusal.value) == f"fact of `{fact.relation}` refused: {refusal.value.problem}"


@pytest.mark.parametrize("name", ADMITTED)
def test_a_fact_is_admitted_with(name: str) -> None:
    fact = ADMITTED[name]
    model = evaluate(PROGRAM, [fact], [], Limits())
    assert model.of(fact.relation) == {fact.values}
    assert model.facts == {(fact.relation, fact.values): fact}


NO_CONTENT: dict[str, tuple[tuple[object, ...], str, str]] = {
    "a lone surrogate": (("\ud800",), "s", "text with a lone surrogate"),
    "a lone surrogate in its source": (("a",), "\ud800", "text with a lone surrogate"),
    "a truth value": ((True,), "s", "a value is neither a symbol nor a number"),
    "a float": ((1.0,), "s", "a value is neither a symbol nor a number"),
}


@pytest.mark.parametrize("name", NO_CONTENT)
def test_a_fact_is_not_even_made_of(name: str) -> None:
    values, source, problem = NO_CONTENT[name]
    with pytest.raises(FactRefusedError) as refusal:
        Fact.of("plain", cast("Row", values), source)
    assert (refusal.value.relation, refusal.value.problem) == ("plain", problem)
