"""The printer: a program as canonical text, which Soufflé reads too unless a symbol holds a NUL."""

from collections.abc import Iterator
from typing import Final, assert_never

import engine
from rules.symbols import write_symbol

_STRENGTH: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}


def canonical(program: engine.Program) -> str:
    """The one text of a program: types by name, relations by name, rules by relation and then id.

    Loading it gives the program back, rules in that order; printing that gives the same text.
    Sources, comments, documentation and parameters of `.input` are no part of a program.
    """
    return "".join(f"{line}\n" for line in _lines(program))


def _lines(program: engine.Program) -> Iterator[str]:
    for _, declared in sorted(program.types.items()):
        if declared.values is not None:
            yield f"@[values = [{', '.join(write_symbol(value) for value in declared.values)}]]"
        yield f".type {declared.name} <: {declared.base}"
    for _, relation in sorted(program.relations.items()):
        yield from _annotations(relation)
        columns = ", ".join(f"{column.name}:{column.type}" for column in relation.columns)
        yield f".decl {relation.name}({columns})"
        if relation.output:
            yield f".output {relation.name}"
    for rule in sorted(program.rules, key=lambda rule: (rule.head.relation, rule.id)):
        yield f"@[id = {write_symbol(rule.id)}]"
        yield write_rule(rule)


def _annotations(relation: engine.Relation) -> Iterator[str]:
    if relation.given:
        yield "@[given]"
    if relation.never:
        yield "@[never]"
    if relation.computed is not None:
        yield f"@[computed = {write_symbol(relation.computed)}]"
    for key in relation.keys:
        yield f"@[key = {write_symbol(', '.join(key))}]"
    for reference in relation.references:
        columns, targets = ", ".join(reference.columns), ", ".join(reference.targets)
        written = write_symbol(f"{columns} -> {reference.relation}({targets})")
        yield f"@[references = {written}]"


def write_rule(rule: engine.Rule) -> str:
    """A rule or fact on one line, without its id."""
    if not rule.body:
        return f"{write_literal(rule.head)}."
    body = ", ".join(write_literal(literal) for literal in rule.body)
    return f"{write_literal(rule.head)} :- {body}."


def write_literal(literal: engine.Literal) -> str:
    """A literal as it is written in a rule."""
    match literal:
        case engine.Atom():
            return f"{literal.relation}({', '.join(write_term(term) for term in literal.terms)})"
        case engine.Negated():
            return f"!{write_literal(literal.atom)}"
        case engine.Comparison():
            left, right = write_term(literal.left), write_term(literal.right)
            return f"{left} {literal.operator} {right}"
        case engine.Aggregate():
            body = ", ".join(write_literal(ranged) for ranged in literal.body)
            target = "" if literal.target is None else f" {write_term(literal.target)}"
            return f"{literal.result.name} = {literal.function}{target} : {{ {body} }}"
        case _:
            assert_never(literal)


def write_term(term: engine.Term) -> str:
    """A term as it is written in a rule."""
    match term:
        case engine.Variable():
            return term.name
        case engine.Constant():
            return write_value(term.value)
        case engine.Wildcard():
            return "_"
        case engine.Arithmetic():
            return f"{_side(term, term.left)} {term.operator} {_side(term, term.right)}"
        case _:
            assert_never(term)


def _side(whole: engine.Arithmetic, side: engine.Term) -> str:
    """One side of arithmetic, in parentheses where it would be read otherwise without."""
    written = write_term(side)
    if not isinstance(side, engine.Arithmetic):
        return written
    strength, own = _STRENGTH[side.operator], _STRENGTH[whole.operator]
    return written if strength > own or (strength == own and side is whole.left) else f"({written})"


def write_value(value: engine.Value) -> str:
    """A number in digits, a symbol in quotes."""
    return write_symbol(value) if isinstance(value, str) else str(value)
