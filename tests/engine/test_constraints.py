"""Keys and references: given rows that break one are refused, whatever set they come from."""

from dataclasses import replace

import pytest

from engine import (
    NUMBER,
    Column,
    Fact,
    FactRefusedError,
    Limits,
    Program,
    Reference,
    Relation,
    evaluate,
    evaluate_by_definition,
)


def declared(name: str, columns: str, **more: object) -> Relation:
    relation = Relation(name, tuple(Column(c, NUMBER) for c in columns), given=True)
    return replace(relation, **more)  # type: ignore[arg-type]


PERSON = declared("person", "xyz", keys=(("x",), ("y", "z")))
OWNS = declared("owns", "pq", references=(Reference(("q",), "person", ("x",)),))
PAIR = declared("pair", "abc", references=(Reference(("c", "a"), "person", ("y", "x")),))
PROGRAM = Program({}, {r.name: r for r in (PERSON, OWNS, PAIR)}, ())

ROWS: dict[str, tuple[list[tuple[str, tuple[int, ...]]], str]] = {
    "rows that agree in no key": ([("person", (1, 1, 1)), ("person", (2, 1, 2))], ""),
    "the same row twice": ([("person", (1, 1, 1)), ("person", (1, 1, 1))], ""),
    "two rows with the same first key": (
        [("person", (1, 1, 1)), ("person", (1, 2, 2))],
        "fact of `person` refused: key `x`: rows [1, 1, 1] and [1, 2, 2] agree in it",
    ),
    "two rows with the same second key": (
        [("person", (1, 5, 6)), ("person", (2, 5, 6))],
        "fact of `person` refused: key `y, z`: rows [1, 5, 6] and [2, 5, 6] agree in it",
    ),
    "a key whose columns are exchanged": ([("person", (1, 5, 6)), ("person", (2, 6, 5))], ""),
    "a reference that is there": ([("person", (7, 1, 1)), ("owns", (1, 7))], ""),
    "a reference whose target comes later": ([("owns", (1, 7)), ("person", (7, 1, 1))], ""),
    "a reference to nothing": (
        [("person", (1, 7, 7)), ("owns", (1, 7))],
        "fact of `owns` refused: `q` of row [1, 7] is in no row of `person`",
    ),
    "a reference by two columns in their own order": (
        [("person", (1, 2, 3)), ("pair", (1, 9, 2))],
        "",
    ),
    "a reference by two columns of different rows": (
        [("person", (1, 2, 3)), ("person", (4, 5, 6)), ("pair", (1, 9, 5))],
        "fact of `pair` refused: `c, a` of row [1, 9, 5] is in no row of `person`",
    ),
    "a reference by two columns exchanged": (
        [("person", (1, 2, 3)), ("pair", (2, 9, 1))],
        "fact of `pair` refused: `c, a` of row [2, 9, 1] is in no row of `person`",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_given_rows_are_held_against_keys_and_references(name: str) -> None:
    rows, problem = ROWS[name]
    facts = [Fact.of(relation, row, f"s{n}") for n, (relation, row) in enumerate(rows)]
    for run in (evaluate, evaluate_by_definition):
        for cut in range(len(facts) + 1):
            if not problem:
                model = run(PROGRAM, facts[:cut], facts[cut:], Limits())
                assert sum(len(model.of(r)) for r in PROGRAM.relations) == len(set(rows))
                continue
            with pytest.raises(FactRefusedError) as refused:
                run(PROGRAM, facts[:cut], facts[cut:], Limits())
            assert str(refused.value) == problem


def test_a_fact_of_another_kind_is_refused_even_where_an_equal_number_is_given_too() -> None:
    program = Program({}, {"a": declared("a", "x")}, ())
    for truth in (Fact("a", (True,), "s", "0"), Fact("a", (True,), "s", "~")):
        for facts in ([truth, Fact.of("a", (1,), "s")], [Fact.of("a", (1,), "s"), truth]):
            with pytest.raises(FactRefusedError, match="column `x`: not a number"):
                evaluate(program, facts, [], Limits())
