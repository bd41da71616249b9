"""Jobs: questions in the words of the worker, which are numbers and codes, as JSON.

Relations are numbers: `widths` has the columns of each, `facts` the given rows, `rules` head and
body of each clause, `folds` domain, extent, value, shared columns and function of each aggregate,
`asked` the relations to answer. A variable is its place in its clause.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine import (
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Negated,
    Row,
    Term,
    Value,
    Variable,
    Wildcard,
    terms_of,
)
from obligations.crosscheck.clauses import Clause, Plain
from obligations.crosscheck.codes import Codes
from obligations.crosscheck.questions import Question, Unfolded

Wire: TypeAlias = "str | int | Sequence[Wire]"


@dataclass(frozen=True, slots=True)
class Job:
    """What the worker is told of a question, what it is asked for, and in which codes."""

    wire: dict[str, Wire]
    asked: tuple[str, ...]
    codes: Codes


def job_of(question: Question, rules: Unfolded) -> Job:
    """The job of a question. Raises `KeyError` for a relation that its program does not declare."""
    widths = _widths(question, rules)
    number = {name: place for place, name in enumerate(widths)}
    given: dict[str, dict[Row, None]] = {}
    for name, row in _given(question):
        if name in number:
            given.setdefault(name, {})[row] = None
    values = (value for rows in given.values() for row in rows for value in row)
    codes = Codes([*values, *_constants(rules.clauses)])
    wire: dict[str, Wire] = {
        "widths": list(widths.values()),
        "facts": [
            [number[name], [[codes.encode(value) for value in row] for row in rows]]
            for name, rows in given.items()
        ],
        "rules": [_Writer(number, codes).clause(clause) for clause in rules.clauses],
        "folds": [
            [*(number[a.relation] for a in (f.domain, f.extent, f.value)), f.shared, f.function]
            for f in rules.folds
        ],
        "asked": [number[name] for name in question.ours],
    }
    return Job(wire, tuple(question.ours), codes)


def _widths(question: Question, rules: Unfolded) -> dict[str, int]:
    """The columns of all relations that a job is about."""
    widths = {name: len(question.program.relations[name].columns) for name in question.ours}
    for clause in rules.clauses:
        for literal in (clause.head, *clause.body):
            if not isinstance(literal, Comparison):
                atom = literal.atom if isinstance(literal, Negated) else literal
                widths[atom.relation] = len(atom.terms)
    widths |= {fold.value.relation: len(fold.value.terms) for fold in rules.folds}
    return widths


def _given(question: Question) -> Iterator[tuple[str, Row]]:
    yield from ((fact.relation, fact.values) for fact in question.facts)
    yield from ((name, row) for name, rows in question.computed.items() for row in rows)


def _constants(clauses: Iterable[Clause]) -> Iterator[Value]:
    stack: list[Term] = [
        t for c in clauses for literal in (c.head, *c.body) for t in terms_of(literal)
    ]
    while stack:
        term = stack.pop()
        if isinstance(term, Constant):
            yield term.value
        elif isinstance(term, Arithmetic):
            stack += (term.left, term.right)


class _Writer:
    """Writes one clause, numbering its variables."""

    def __init__(self, number: dict[str, int], codes: Codes) -> None:
        self._number = number
        self._codes = codes
        self._variables: dict[Variable, int] = {}

    def clause(self, clause: Clause) -> Wire:
        head = clause.head
        body = [self._literal(literal) for literal in clause.body]
        return [self._number[head.relation], self._terms(head.terms), body]

    def _literal(self, literal: Plain) -> Wire:
        terms = self._terms(terms_of(literal))
        match literal:
            case Comparison(operator=operator):
                return ["compare", operator, terms]
            case Negated(atom=atom):
                return ["not", self._number[atom.relation], terms]
            case Atom(relation=relation):
                return ["atom", self._number[relation], terms]

    def _terms(self, terms: Iterable[Term]) -> Wire:
        return [self._term(term) for term in terms]

    def _term(self, term: Term) -> Wire:
        match term:
            case Variable():
                return ["variable", self._variables.setdefault(term, len(self._variables))]
            case Constant(value=value):
                return ["constant", self._codes.encode(value)]
            case Wildcard():
                return ["any"]
            case Arithmetic(operator=operator, left=left, right=right):
                return [operator, self._term(left), self._term(right)]
