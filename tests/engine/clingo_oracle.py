"""The model of a program as clingo computes it: an oracle that shares only the types of values.

Without arithmetic, values are sent as their ranks, symbols by bytes behind all numbers, so that no
text needs quoting, 64 bits fit, and every comparison of two values of one type keeps its meaning.
With arithmetic or aggregates numbers are sent as they are and must be small, for clingo has 32
bits. Its aggregates range over sets of tuples: all variables of the body stand in each tuple, one
for every `_` among them, so that every solution counts once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import clingo
from engine_bodies import terms

from engine import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Fact,
    Literal,
    Negated,
    Program,
    Row,
    Term,
    Value,
    Variable,
    Wildcard,
)


def clingo_model(program: Program, facts: Sequence[Fact]) -> dict[str, frozenset[Row]]:
    """All rows of every declared relation; fails unless there is exactly one stable model."""
    values = sorted({*_constants(program), *(v for f in facts for v in f.values)}, key=_order)
    literals = [x for rule in program.rules for x in (rule.head, *rule.body)]
    is_plain = not any(
        isinstance(x, Aggregate) or any(isinstance(t, Arithmetic) for t in terms(x))
        for x in literals
    )
    text = _Text(
        {value: number for number, value in enumerate(values)} if is_plain else {},
        {name: f"p{number}" for number, name in enumerate(sorted(program.relations))},
    )
    relations = {name: relation for relation, name in text.names.items()}
    control = clingo.Control(["0"], logger=lambda _code, _text: None, message_limit=0)
    control.add("base", [], "\n".join(text.lines(program, facts)))
    control.ground([("base", [])])
    models: list[dict[str, frozenset[Row]]] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            rows: dict[str, set[Row]] = {name: set() for name in program.relations}
            for symbol in model.symbols(atoms=True):
                row = tuple(
                    values[argument.number] if is_plain else _value(argument)
                    for argument in symbol.arguments
                )
                rows[relations[symbol.name]].add(row)
            models.append({name: frozenset(found) for name, found in rows.items()})
    (only,) = models
    return only


def _value(symbol: clingo.Symbol) -> Value:
    return symbol.number if symbol.type is clingo.SymbolType.Number else symbol.string


@dataclass(frozen=True)
class _Text:
    """How values and relations are written; without ranks values stand for themselves."""

    rank: dict[Value, int]
    names: dict[str, str]

    def lines(self, program: Program, facts: Sequence[Fact]) -> Iterator[str]:
        for fact in facts:
            row = tuple(Constant(value) for value in fact.values)
            yield f"{self.atom(Atom(fact.relation, row))}."
        for rule in program.rules:
            body = ", ".join(self.literal(literal) for literal in rule.body)
            yield f"{self.atom(rule.head)} :- {body}."

    def literal(self, literal: Literal) -> str:
        match literal:
            case Atom():
                return self.atom(literal)
            case Negated():
                return f"not {self.atom(literal.atom)}"
            case Comparison():
                left, right = self.term(literal.left), self.term(literal.right)
                return f"{left} {literal.operator} {right}"
            case Aggregate():
                return self.aggregate(literal)

    def aggregate(self, aggregate: Aggregate) -> str:
        fresh = count()
        body: list[Literal] = []
        for x in aggregate.body:
            if isinstance(x, Atom):
                terms_ = (
                    Variable(f"w{next(fresh)}") if isinstance(t, Wildcard) else t for t in x.terms
                )
                body.append(Atom(x.relation, tuple(terms_)))
            else:
                body.append(x)
        used = {t for x in body for t in terms(x) if isinstance(t, Variable)}
        key = [self.term(variable) for variable in sorted(used)]
        target = "0" if aggregate.target is None else self.term(aggregate.target)
        condition = ", ".join(self.literal(x) for x in body)
        result = self.term(aggregate.result)
        bound = {"min": f", {result} < #sup", "max": f", {result} > #inf"}
        found = f"{result} = #{aggregate.function} {{ {', '.join((target, *key))} : {condition} }}"
        return found + bound.get(aggregate.function, "")

    def atom(self, atom: Atom) -> str:
        terms_ = ", ".join(self.term(term) for term in atom.terms)
        return f"{self.names[atom.relation]}({terms_})" if terms_ else self.names[atom.relation]

    def term(self, term: Term) -> str:
        match term:
            case Constant():
                shown = f'"{term.value}"' if isinstance(term.value, str) else str(term.value)
                return str(self.rank[term.value]) if self.rank else shown
            case Variable():
                return f"V{term.name}"
            case Wildcard():
                return "_"
            case Arithmetic():
                sign = "\\" if term.operator == "%" else term.operator
                return f"({self.term(term.left)} {sign} {self.term(term.right)})"


def _constants(program: Program) -> Iterator[Value]:
    for rule in program.rules:
        for literal in (rule.head, *rule.body):
            yield from (term.value for term in terms(literal) if isinstance(term, Constant))


def _order(value: Value) -> tuple[bool, int, bytes]:
    return (True, 0, value.encode()) if isinstance(value, str) else (False, value, b"")
