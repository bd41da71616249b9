"""Lowering: a unit without errors as the engine's program."""

from typing import assert_never

import engine
from rules import syntax
from rules.syntax import is_marked, values_of
from rules.unit import NamedRule, Unit


def lower(unit: Unit) -> engine.Program:
    """The program that a unit means, in canonical order: by name, rules by relation and then id."""
    outputs = {
        exchange.relation.text
        for tree in unit.trees
        for exchange in tree.exchanges
        if exchange.direction == "output"
    }
    rules = [_rule(named) for named in unit.rules]
    return engine.Program(
        types={name: _type(unit.types[name]) for name in sorted(unit.types)},
        relations={
            name: _relation(unit.relations[name], output=name in outputs)
            for name in sorted(unit.relations)
        },
        rules=tuple(sorted(rules, key=lambda rule: (rule.head.relation, rule.id))),
    )


def _type(declared: syntax.Type) -> engine.Subtype:
    return engine.Subtype(declared.name.text, declared.base.text, values_of(declared))


def _relation(relation: syntax.Relation, *, output: bool) -> engine.Relation:
    return engine.Relation(
        relation.name.text,
        tuple(engine.Column(column.name.text, column.type.text) for column in relation.columns),
        given=is_marked(relation, "given"),
        never=is_marked(relation, "never"),
        output=output,
    )


def _rule(named: NamedRule) -> engine.Rule:
    body = tuple(_literal(literal) for literal in named.rule.body)
    return engine.Rule(named.id, _atom(named.rule.head), body)


def _literal(literal: syntax.Literal) -> engine.Literal:
    match literal:
        case syntax.Atom():
            return _atom(literal)
        case syntax.Negated():
            return engine.Negated(_atom(literal.atom))
        case syntax.Comparison():
            left, right = literal.left.value, literal.right.value
            return engine.Comparison(literal.operator.text, left, right)
        case _:
            assert_never(literal)


def _atom(atom: syntax.Atom) -> engine.Atom:
    return engine.Atom(atom.relation.text, tuple(term.value for term in atom.terms))
