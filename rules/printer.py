"""The printer: a program as canonical text, which Soufflé reads too unless a symbol holds a NUL."""

from collections.abc import Iterator
from typing import assert_never

import engine
from rules.symbols import write_symbol


def canonical(program: engine.Program) -> str:
    """The one text of a program: types by name, relations by name, rules by relation and then id.

    Loading it gives the program back, rules in that order; printing that gives the same text.
    Keys, references, sources, comments and documentation are no part of a program.
    """
    return "".join(f"{line}\n" for line in _lines(program))


def _lines(program: engine.Program) -> Iterator[str]:
    for _, declared in sorted(program.types.items()):
        if declared.values is not None:
            yield f"@[values = [{', '.join(write_symbol(value) for value in declared.values)}]]"
        yield f".type {declared.name} <: {declared.base}"
    for _, relation in sorted(program.relations.items()):
        if relation.given:
            yield "@[given]"
        if relation.never:
            yield "@[never]"
        columns = ", ".join(f"{column.name}:{column.type}" for column in relation.columns)
        yield f".decl {relation.name}({columns})"
        if relation.output:
            yield f".output {relation.name}"
    for rule in sorted(program.rules, key=lambda rule: (rule.head.relation, rule.id)):
        yield f"@[id = {write_symbol(rule.id)}]"
        yield write_rule(rule)


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
        case _:
            assert_never(term)


def write_value(value: engine.Value) -> str:
    """A number in digits, a symbol in quotes."""
    return write_symbol(value) if isinstance(value, str) else str(value)
