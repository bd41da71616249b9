"""The model of a program as clingo computes it: an oracle that shares only the types of values.

Values are sent as their ranks, symbols by bytes behind all numbers, so that no text needs quoting,
64 bits fit, and every comparison of two values of one type keeps its meaning.
"""

from collections.abc import Iterator, Mapping, Sequence

import clingo

from engine import (
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
)


def clingo_model(program: Program, facts: Sequence[Fact]) -> dict[str, frozenset[Row]]:
    """All rows of every declared relation; fails unless there is exactly one stable model."""
    values = sorted({*_constants(program), *(v for f in facts for v in f.values)}, key=_order)
    rank = {value: number for number, value in enumerate(values)}
    names = {name: f"p{number}" for number, name in enumerate(sorted(program.relations))}
    relations = {text: name for name, text in names.items()}
    control = clingo.Control(["0"], logger=lambda _code, _text: None, message_limit=0)
    control.add("base", [], "\n".join(_lines(program, facts, rank, names)))
    control.ground([("base", [])])
    models: list[dict[str, frozenset[Row]]] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            rows: dict[str, set[Row]] = {name: set() for name in program.relations}
            for symbol in model.symbols(atoms=True):
                row = tuple(values[argument.number] for argument in symbol.arguments)
                rows[relations[symbol.name]].add(row)
            models.append({name: frozenset(found) for name, found in rows.items()})
    (only,) = models
    return only


def _lines(
    program: Program, facts: Sequence[Fact], rank: Mapping[Value, int], names: Mapping[str, str]
) -> Iterator[str]:
    for fact in facts:
        row = tuple(Constant(value) for value in fact.values)
        yield f"{_atom(Atom(fact.relation, row), rank, names)}."
    for rule in program.rules:
        body = ", ".join(_literal(literal, rank, names) for literal in rule.body)
        yield f"{_atom(rule.head, rank, names)} :- {body}."


def _literal(literal: Literal, rank: Mapping[Value, int], names: Mapping[str, str]) -> str:
    match literal:
        case Atom():
            return _atom(literal, rank, names)
        case Negated():
            return f"not {_atom(literal.atom, rank, names)}"
        case Comparison():
            return f"{_term(literal.left, rank)} {literal.operator} {_term(literal.right, rank)}"


def _atom(atom: Atom, rank: Mapping[Value, int], names: Mapping[str, str]) -> str:
    terms = ", ".join(_term(term, rank) for term in atom.terms)
    return f"{names[atom.relation]}({terms})" if terms else names[atom.relation]


def _term(term: Term, rank: Mapping[Value, int]) -> str:
    if isinstance(term, Constant):
        return str(rank[term.value])
    return f"V{term.name}" if isinstance(term, Variable) else "_"


def _constants(program: Program) -> Iterator[Value]:
    for rule in program.rules:
        for literal in (rule.head, *rule.body):
            match literal:
                case Atom():
                    terms = literal.terms
                case Negated():
                    terms = literal.atom.terms
                case Comparison():
                    terms = (literal.left, literal.right)
            yield from (term.value for term in terms if isinstance(term, Constant))


def _order(value: Value) -> tuple[bool, int, bytes]:
    return (True, 0, value.encode()) if isinstance(value, str) else (False, value, b"")
