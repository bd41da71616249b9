"""Random stratified programs: two evaluators of ours and pyDatalog have the same rows."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine import (
    NUMBER,
    SYMBOL,
    Aggregate,
    Arithmetic,
    ArithmeticFaultError,
    Atom,
    Column,
    Comparison,
    Constant,
    Fact,
    LimitReachedError,
    Limits,
    Literal,
    Negated,
    Program,
    Relation,
    Row,
    Rule,
    Term,
    Value,
    Variable,
    Wildcard,
    evaluate,
    evaluate_by_definition,
)
from obligations.crosscheck import Agrees, Difference, Diverges, Question, Voter

T = TypeVar("T")

VOTER = Voter(Path(sys.executable), timeout_seconds=60)
LIMITS = Limits(derived_rows=2_000, join_rows=50_000, rounds=200)
SYMBOLS: Final = ("", "1", "'\"\\", "__import__('os')", "\x00\n", "X0", "s0")
NUMBERS: Final = (-2, -1, 0, 1, 2)
GIVEN: Final = 4
DERIVED: Final = 5
BATCH: Final = 8


class Maker:
    """Draws one program: relations `d0 … d4` on three levels over given ones.

    A rule may use its own level and those below, negated and aggregated only those below. Numbers
    are computed outside of recursion only.
    """

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below
        self.level = {f"g{i}": 0 for i in range(GIVEN)}
        self.level |= {f"d{i}": 1 + below(3) for i in range(DERIVED)}
        self.kinds = {name: self.columns(name) for name in self.level}
        self.seen: dict[str, set[str]] = {}

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.below(len(choices))]

    def chance(self, out_of: int) -> bool:
        return self.below(out_of) == out_of - 1

    def program(self) -> Program:
        columns = {
            name: tuple(Column(f"c{i}", kind) for i, kind in enumerate(kinds))
            for name, kinds in self.kinds.items()
        }
        relations = {n: Relation(n, c, given=n.startswith("g")) for n, c in columns.items()}
        heads = [(f"d{i}", n == 0) for i in range(DERIVED) for n in range(1 + self.below(3))]
        rules = tuple(self.rule(f"r{n}", d, base=base) for n, (d, base) in enumerate(heads))
        return Program({}, relations, rules)

    def columns(self, name: str) -> tuple[str, ...]:
        width = self.pick((1, 2, 2, 3, 0) if name != "g0" else (2,))
        return tuple(self.pick((SYMBOL, SYMBOL, NUMBER)) for _ in range(width))

    def facts(self) -> list[Fact]:
        found: list[Fact] = []
        for i in range(GIVEN):
            kinds = self.kinds[f"g{i}"]
            for _ in range(self.pick((0, 4, 7, 10, 14))):
                row: Row = tuple(self.value(kind) for kind in kinds)
                found.append(Fact.of(f"g{i}", row, "test"))
        return found

    def value(self, kind: str) -> Value:
        values: Sequence[Value] = NUMBERS if kind == NUMBER else SYMBOLS[:3]
        if self.chance(30):
            values = (2**63 - 1, -(2**63), 2**61 - 2) if kind == NUMBER else SYMBOLS
        return self.pick(values)

    def rule(self, name: str, head: str, *, base: bool) -> Rule:
        level = self.level[head]
        upto = [r for r, at in self.level.items() if at <= level]
        lower = [r for r, at in self.level.items() if at < level]
        self.seen = {SYMBOL: set(), NUMBER: set()}
        choices, atoms = (lower, 1) if base else (upto, 1 + self.below(3))
        positive: list[Literal] = [self.atom(self.pick(choices)) for _ in range(atoms)]
        recursive = any(isinstance(a, Atom) and self.level[a.relation] == level for a in positive)
        tests: list[Literal] = []
        for _ in range(self.pick((0, 0, 1) if base else (0, 1, 1, 2, 3))):
            tests += self.test(lower, recursive)
        terms = tuple(self.bound(kind) for kind in self.kinds[head])
        body = tests + positive if self.chance(4) else positive + tests
        return Rule(name, Atom(head, terms), tuple(body))

    def atom(self, relation: str, prefix: str = "") -> Atom:
        terms: list[Term] = []
        for kind in self.kinds[relation]:
            choice = self.below(12)
            if choice == 0:
                terms.append(Constant(self.value(kind)))
            elif choice == 1:
                terms.append(Wildcard())
            else:
                variable = f"{prefix}{kind[0]}{self.below(3)}"
                self.seen[kind].add(variable)
                terms.append(Variable(variable))
        return Atom(relation, tuple(terms))

    def bound(self, kind: str) -> Term:
        names = sorted(self.seen[kind])
        if not names or self.chance(10):
            return Constant(self.value(kind))
        return Variable(self.pick(names))

    def test(self, lower: Sequence[str], recursive: bool) -> list[Literal]:
        choice = self.below(7)
        if choice <= 1:
            relation = self.pick(lower)
            terms = [
                Wildcard() if self.chance(4) else self.bound(kind) for kind in self.kinds[relation]
            ]
            return [Negated(Atom(relation, tuple(terms)))]
        if choice == 2:
            kind = self.pick((SYMBOL, NUMBER))
            operator = self.pick(("=", "!=", "<", "<=", ">", ">="))
            return [Comparison(operator, self.bound(kind), self.bound(kind))]
        if choice == 3 and not recursive:
            return self.binding()
        if choice == 4:
            kind = self.pick((SYMBOL, NUMBER))
            source, variable = self.bound(kind), f"{kind[0]}9"
            self.seen[kind].add(variable)
            sides = (Variable(variable), source)
            return [Comparison("=", *(sides if self.chance(2) else sides[::-1]))]
        return [self.aggregate(lower, recursive)]

    def binding(self) -> list[Literal]:
        """A number computed from others; division behind the test that makes it safe."""
        operator = self.pick("+-*/%")
        left, right = self.bound(NUMBER), self.bound(NUMBER)
        variable = f"n{5 + self.below(3)}"
        self.seen[NUMBER].add(variable)
        found = Comparison("=", Variable(variable), Arithmetic(operator, left, right))
        if operator in "/%":
            return [Comparison("!=", right, Constant(0)), found]
        return [found]

    def aggregate(self, lower: Sequence[str], recursive: bool) -> Aggregate:
        outer = {kind: set(names) for kind, names in self.seen.items()}
        body: list[Atom | Negated | Comparison] = [
            self.atom(self.pick(lower), self.pick(("", "l"))) for _ in range(1 + self.below(2))
        ]
        if self.chance(3):
            relation = self.pick(lower)
            terms = tuple(self.bound(kind) for kind in self.kinds[relation])
            body.append(Negated(Atom(relation, terms)))
        if self.chance(3):
            body.append(Comparison(self.pick(("<", "!=")), self.bound(NUMBER), self.bound(NUMBER)))
        function = self.pick(("count", "sum", "sum", "min", "max"))
        target: Term | None = None if function == "count" else self.bound(NUMBER)
        if target is not None and not recursive and self.chance(2):
            target = Arithmetic(self.pick("+*-"), target, self.bound(NUMBER))
        self.seen = outer
        result = Variable("n8")
        self.seen[NUMBER].add("n8")
        return Aggregate(result, function, target, tuple(body))


Case: TypeAlias = tuple[Program, tuple[Fact, ...]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    maker = Maker(lambda bound: draw(st.integers(0, bound - 1)))
    return maker.program(), tuple(maker.facts())


def asked(case: Case) -> Question | None:
    """The question of a case, on which our two evaluators agree; None iff they fault."""
    program, facts = case
    try:
        model = evaluate(program, facts, [], LIMITS)
    except (ArithmeticFaultError, LimitReachedError):
        return None
    question = Question.of(model, facts)
    defined = evaluate_by_definition(program, facts, [], Limits())
    assert question == Question.of(defined, facts)
    return question


def spoiled(question: Question) -> tuple[Question, Diverges] | None:
    """The question with a row taken out, and one put in; None iff there are no rows."""
    name = next((name for name, rows in question.ours.items() if rows), None)
    if name is None:
        return None
    missing, *others = sorted(question.ours[name], key=repr)
    wrong: Row = tuple(f"{value}." if isinstance(value, str) else -value - 1 for value in missing)
    rows = {*others, wrong}
    left = () if wrong in question.ours[name] else (wrong,)
    gone = () if wrong == missing else (missing,)
    if not left and not gone:
        return None
    difference = Difference(name, left, gone, len(left), len(gone))
    return replace(question, ours={**question.ours, name: rows}), Diverges((difference,))


# A failure is not made smaller, which would take a process for each attempt: it names the program.
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
SLOW = list(HealthCheck)


@settings(max_examples=20, deadline=None, phases=UNSHRUNK, suppress_health_check=SLOW)
@given(st.lists(cases(), min_size=BATCH, max_size=BATCH))
def test_pydatalog_has_the_rows_that_our_evaluators_have(drawn: list[Case]) -> None:
    questions = [question for case in drawn if (question := asked(case)) is not None]
    pairs = zip(questions, VOTER.vote_all(questions), strict=True)
    assert [pair for pair in pairs if pair[1] != Agrees(tuple(pair[0].ours))] == []


@settings(max_examples=5, deadline=None, phases=UNSHRUNK, suppress_health_check=SLOW)
@given(st.lists(cases(), min_size=BATCH, max_size=BATCH))
def test_a_row_too_few_or_too_many_is_named(drawn: list[Case]) -> None:
    questions = [question for case in drawn if (question := asked(case)) is not None]
    pairs = [pair for question in questions if (pair := spoiled(question)) is not None]
    votes = VOTER.vote_all([question for question, _ in pairs])
    assert votes == tuple(expected for _, expected in pairs)
