"""Faults that were reported of other engines, each tried on ours; the key is the row of the list.

Rows about incremental maintenance (4, 5, 23) are tried as evaluations one after the other, since no
model is kept up to date here yet; rows about switches of a planner (10, 14) as the fast evaluator
against the definition, which has neither plan nor index, since there is nothing to switch yet.
"""

from itertools import permutations, product

import pytest

import engine
from rules import MATCHERS, Source, canonical, load

N = ".decl {0}(x:number)\n.output {0}\n"
GIVEN = "@[given] .decl a(x:number)\n@[given] .decl b(x:number, y:number)\n"
FACTS: dict[str, list[engine.Row]] = {"a": [(1,), (2,), (3,)], "b": [(1, 2), (2, 3), (3, 3)]}


def models(text: str, facts: dict[str, list[engine.Row]]) -> list[engine.Model]:
    """The models of both evaluators, which must be the same."""
    loaded = load([Source("t", GIVEN + text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    program = loaded.ruleset.program
    given = [engine.Fact.of(name, row, "t") for name, rows in facts.items() for row in rows]
    pair = [
        evaluate(program, given, [], engine.Limits(), MATCHERS)
        for evaluate in (engine.evaluate, engine.evaluate_by_definition)
    ]
    assert all(pair[0].of(name) == pair[1].of(name) for name in program.relations)
    return pair


def rows(text: str, facts: dict[str, list[engine.Row]] | None = None) -> set[engine.Row]:
    return set(models(text, FACTS if facts is None else facts)[0].of("r"))


def refused(text: str) -> set[str]:
    loaded = load([Source("t", GIVEN + text)])
    assert loaded.ruleset is None
    return {d.code for d in loaded.diagnostics if d.severity == "error"}


R = N.format("r")
RIGHT = {
    "1: an atom whose variables nobody uses": (R + "r(x) :- a(x), b(_, _).", {(1,), (2,), (3,)}),
    "2: the negation of a rule that is always empty": (
        R + N.format("e") + "e(x) :- a(x), !a(x).\nr(x) :- a(x), !e(x).",
        {(1,), (2,), (3,)},
    ),
    "6: a relation joined with itself on one column": (
        R + "r(x) :- b(x, y), b(y, y).",
        {(2,), (3,)},
    ),
    "9: non-linear recursion": (
        ".decl t(x:number, y:number)\nt(x, y) :- b(x, y).\nt(x, z) :- t(x, y), t(y, z).\n"
        + R
        + "r(y) :- t(1, y).",
        {(2,), (3,)},
    ),
    "9: a variable that stands twice in one atom": (R + "r(x) :- b(x, x).", {(3,)}),
    "9: a negation without shared variables": (R + "r(x) :- a(x), !b(9, _).", {(1,), (2,), (3,)}),
    "22: count of an empty relation": (R + "r(n) :- n = count : { b(9, _) }.", {(0,)}),
    "22: sum of an empty relation": (R + "r(n) :- n = sum y : { b(9, y) }.", {(0,)}),
    "22: min and max of an empty relation": (
        R + "r(n) :- n = min y : { b(9, y) }.\nr(n) :- n = max y : { b(9, y) }.",
        set(),
    ),
    "22: an empty group that is bound outside": (
        ".decl g(x:number, n:number)\ng(x, n) :- a(x), n = count : { b(x, 2) }.\n"
        + R
        + "r(n) :- g(_, n).",
        {(0,), (1,)},
    ),
    "26: equal weights both count": (R + "r(n) :- n = sum y : { b(_, y) }.", {(8,)}),
    "27: comparisons that contradict each other": (R + "r(x) :- a(x), x <= 1, x > 1.", set()),
    "41: a guard in front of a division": (
        R + "r(y) :- a(x), x != 0, y = 6 / x.",
        {(6,), (3,), (2,)},
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_reported_wrong_answer_is_right_here(name: str) -> None:
    text, expected = RIGHT[name]
    assert rows(text) == expected


REFUSED = {
    "17: negation in the last of three rules of a cycle": (
        R + "r(x) :- a(x).\nr(x) :- b(x, _).\nr(x) :- a(x), !r(x).",
        {"R306"},
    ),
    "18: a free variable in a negated atom": (R + "r(x) :- a(x), !b(x, y).", {"R302"}),
    "19: a negated conjunction": (R + "r(x) :- a(x), !(a(x), b(x, _)).", {"R115"}),
    "20: an unsafe head": (R + "r(y) :- a(_).", {"R301"}),
    "20: a relation that is not declared": (R + "r(x) :- aa(x).", {"R201"}),
    "21: an aggregate in its own stratum": (R + "r(n) :- n = count : { r(_) }.", {"R309", "R308"}),
    "25: sum through recursion": (R + "r(n) :- a(_), n = sum x : { r(x) }.", {"R309", "R308"}),
    "32: numbers made without an end": (R + "r(x) :- a(x).\nr(x + 1) :- r(x).", {"R310"}),
    "64: one id for two rules": (
        R + '@[id = "i"] r(x) :- a(x).\n@[id = "i"] r(x) :- b(x, _).',
        {"R210"},
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_that_others_accept_silently_is_refused_here(name: str) -> None:
    text, codes = REFUSED[name]
    assert refused(text) & codes


VALUES = ["1", "true", "null", "", "é", "e\u0301", '"', "\\", "a\nb", "a\tb", ":-", "%", "\u202e"]


def test_values_that_look_alike_stay_apart() -> None:
    """Rows 13, 42 and 44: as constants, in joins and in negation."""
    text = ".decl s(x:symbol)\n@[given] .decl g(x:symbol)\n.decl r(x:symbol)\n.output r\n"
    text += 's("1").\nr(x) :- g(x), !s(x).'
    given: dict[str, list[engine.Row]] = {"g": [(value,) for value in VALUES]}
    assert rows(text, given) == {(value,) for value in VALUES if value != "1"}


@pytest.mark.parametrize("value", [*VALUES, "🜍", "x" * 65_536, "\0"])
def test_a_symbol_is_read_as_it_was_printed(value: str) -> None:
    """Row 43."""
    types = {"s": engine.Relation("s", (engine.Column("x", "symbol"),))}
    rule = engine.Rule("s-1", engine.Atom("s", (engine.Constant(value),)), ())
    again = load([Source("t", canonical(engine.Program({}, types, (rule,))))]).ruleset
    assert again is not None
    assert again.program.rules == (rule,)


@pytest.mark.parametrize(
    "text", ["x + 9223372036854775807", "x * 9223372036854775807", "0 / (x - x)"]
)
def test_a_number_that_does_not_fit_is_a_fault_that_names_the_rule(text: str) -> None:
    """Rows 40 and 41."""
    with pytest.raises(engine.ArithmeticFaultError) as fault:
        models(R + f'@[id = "big"] r(y) :- a(x), x > 1, y = {text}.', FACTS)
    assert fault.value.rule_id == "big"


def test_seventeen_columns_are_seventeen() -> None:
    """Row 9."""
    columns = ", ".join(f"c{i}:number" for i in range(17))
    names = ", ".join(f"v{i}" for i in range(17))
    text = f"@[given] .decl w({columns})\n" + R + f"r(v16) :- w({names})."
    assert rows(text, {"w": [tuple(range(17))]}) == {(16,)}


def test_a_limit_holds_for_a_cross_product_too_and_names_the_rule() -> None:
    """Rows 29 and 30."""
    loaded = load([Source("t", GIVEN + R + '@[id = "cross"] r(x) :- a(x), a(_), a(_), a(_).')])
    assert loaded.ruleset is not None
    given = [engine.Fact.of("a", (n,), "t") for n in range(60)]
    with pytest.raises(engine.LimitReachedError) as reached:
        engine.evaluate(loaded.ruleset.program, given, [], engine.Limits(join_rows=10_000))
    assert (reached.value.limit, reached.value.rule_id) == ("join_rows", "cross")


def test_every_premise_of_every_row_is_checked_and_explaining_changes_nothing() -> None:
    """Rows 34 to 38: two comparisons, negation and an aggregate in one program."""
    text = R + "r(x) :- a(x), x > 1, x < 3, !b(9, _), n = count : { b(_, 3) }, n = 2."
    (model, _), before = models(text, FACTS), rows(text)
    derivation = engine.prove(model, "r", (2,))
    behind = {(s.relation, s.values) for s in derivation.steps if isinstance(s, engine.Given)}
    assert behind == {("a", (2,)), ("b", (2, 3)), ("b", (3, 3))}
    assert len(derivation.input_fact_ids) == len(behind)
    assert set(model.of("r")) == before == {(2,)}


GRAPHS: dict[str, list[tuple[int, int]]] = {
    "a chain": [(n, n + 1) for n in range(9)],
    "a cycle": [(n, (n + 1) % 7) for n in range(7)],
    "a tree and a way back": [(n, 2 * n + k) for n in range(1, 6) for k in (0, 1)] + [(9, 2)],
    "all pairs": list(product(range(4), range(4))),
}


def closure(pairs: list[tuple[int, int]]) -> set[engine.Row]:
    """The transitive closure, by Warshall's algorithm."""
    found = set(pairs)
    nodes = {node for pair in pairs for node in pair}
    for middle, left, right in product(nodes, repeat=3):
        if (left, middle) in found and (middle, right) in found:
            found.add((left, right))
    return set(found)


@pytest.mark.parametrize("name", GRAPHS)
def test_no_delta_of_a_relation_that_reads_itself_twice_is_missed(name: str) -> None:
    """Row 12: alone, and through a second relation."""
    sub = ".decl s(x:number, y:number)\n.decl q(x:number, y:number)\n"
    once = sub + "s(x, y) :- b(x, y).\ns(x, z) :- s(x, y), s(y, z).\nq(x, y) :- s(x, y).\n"
    twice = sub + "s(x, y) :- b(x, y).\ns(x, z) :- q(x, y), s(y, z).\nq(x, y) :- s(x, y).\n"
    facts: dict[str, list[engine.Row]] = {"b": list(GRAPHS[name])}
    for text in (once, twice):
        both = models(text, facts)
        assert [set(model.of("q")) for model in both] == [closure(GRAPHS[name])] * 2


@pytest.mark.parametrize("count", [63, 64, 65])
def test_the_guard_of_alternatives_does_not_overflow(count: int) -> None:
    """Row 31: so many alternatives beside one another, and so many pairs of them multiplied."""
    beside = " ; ".join(f"b(x, {n})" for n in range(3, 3 + count))
    assert rows(R + f"r(x) :- a(x), ({beside}).") == {(2,), (3,)}
    assert refused(R + f"r(x) :- a(x), {', '.join(['(b(x, 2) ; b(x, 3))'] * count)}.") == {"R116"}


ATOMS = ["a(x)", "b(x, y)", "b(y, z)", "x < z"]
REDUNDANT = ["a(x)", "b(x, _)", "b(_, y)", "b(x, y), b(y, _)", "a(w)", "!b(x, x)"]


def test_a_redundant_literal_never_changes_an_answer() -> None:
    """Row 4, and row 1: every literal that follows from the others, wherever it stands."""
    for added, place in product(REDUNDANT, range(len(ATOMS) + 1)):
        body = ", ".join([*ATOMS[:place], added, *ATOMS[place:]])
        assert rows(R + f"r(z) :- {body}.") == {(3,)}, body


HOPS = [
    "t(x, y, n) :- b(x, y), budget(n).",
    "t(x, z, m) :- t(x, y, n), less(n, m), b(y, z).",
    "r(y) :- t(1, y, n), n >= 0.",
]


def test_no_order_of_rules_and_literals_changes_an_answer() -> None:
    """Rows 10 and 14: a recursion with a budget that goes down, in every order of its parts."""
    declared = ".decl t(x:number, y:number, n:number)\n@[given] .decl budget(n:number)\n"
    declared += "@[given] .decl less(n:number, m:number)\n" + R
    chain: list[engine.Row] = [(n, n + 1) for n in range(1, 9)]
    less: list[engine.Row] = [(n, n - 1) for n in range(1, 4)]
    facts: dict[str, list[engine.Row]] = {"b": chain, "budget": [(3,)], "less": less}
    bodies = permutations(["t(x, y, n)", "less(n, m)", "b(y, z)"])
    for body, order in product(bodies, permutations(range(3))):
        rules = [HOPS[0], f"t(x, z, m) :- {', '.join(body)}.", HOPS[2]]
        text = declared + "\n".join(rules[place] for place in order)
        assert rows(text, facts) == {(2,), (3,), (4,), (5,)}, text


EPOCHS: dict[str, tuple[list[list[engine.Row]], list[set[engine.Row]]]] = {
    "5: one fact taken away and given again, twice": (
        [[(1, 2)], [], [(1, 2)], [], [(1, 2)]],
        [{(1, 1, 2)}, {(1, 0, 0)}, {(1, 1, 2)}, {(1, 0, 0)}, {(1, 1, 2)}],
    ),
    "5: one fact given twice counts once": ([[(1, 2), (1, 2)]], [{(1, 1, 2)}]),
    "23: a group that is emptied by two deletions and filled again": (
        [[(1, 2), (1, 5)], [(1, 5)], [], [(1, 2)]],
        [{(1, 2, 7)}, {(1, 1, 5)}, {(1, 0, 0)}, {(1, 1, 2)}],
    ),
}


@pytest.mark.parametrize("name", EPOCHS)
def test_an_evaluation_leaves_nothing_behind_for_the_next(name: str) -> None:
    """Rows 5 and 23: one program, evaluated over facts that come and go."""
    text = ".decl g(x:number, n:number, s:number)\n.output g\n"
    text += "g(1, n, s) :- n = count : { b(1, _) }, s = sum y : { b(1, y) }."
    ruleset = load([Source("t", GIVEN + text)]).ruleset
    assert ruleset is not None
    states, expected = EPOCHS[name]
    given = [[engine.Fact.of("b", row, "t") for row in state] for state in states]
    limits = engine.Limits()
    kept = [engine.evaluate(ruleset.program, facts, [], limits) for facts in given]
    assert [set(model.of("g")) for model in kept] == expected
    fresh = [models(text, {"b": state})[0] for state in states]
    assert [model.of("g") for model in kept] == [model.of("g") for model in fresh]
