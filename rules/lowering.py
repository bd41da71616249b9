"""Lowering: a unit without errors as the engine's program."""

from collections.abc import Iterable
from typing import assert_never

import engine
from rules import syntax
from rules.constraints import columns_of, reference_of
from rules.syntax import is_marked, texts, values_of
from rules.tokens import Token
from rules.unit import NamedRule, Unit, exchanges


def lower(unit: Unit) -> engine.Program:
    """The program that a unit means, in canonical order: by name, rules by relation and then id."""
    outputs = {exchange.relation.text for exchange in exchanges(unit.trees, "output")}
    rules = [_rule(named) for named in unit.rules]
    return engine.Program(
        types={name: _type(unit.types[name]) for name in sorted(unit.types)},
        relations={
            name: _relation(unit, unit.relations[name], output=name in outputs)
            for name in sorted(unit.relations)
        },
        rules=tuple(sorted(rules, key=lambda rule: (rule.head.relation, rule.id))),
    )


def _type(declared: syntax.Type) -> engine.Subtype:
    return engine.Subtype(declared.name.text, declared.base.text, values_of(declared))


def _relation(unit: Unit, relation: syntax.Relation, *, output: bool) -> engine.Relation:
    computed = texts(relation, "computed")
    return engine.Relation(
        relation.name.text,
        tuple(engine.Column(column.name.text, column.type.text) for column in relation.columns),
        given=unit.is_given(relation.name.text),
        never=is_marked(relation, "never"),
        output=output,
        computed=computed[0].text if computed else None,
        keys=tuple(_names(columns_of(word)) for word in texts(relation, "key")),
        references=tuple(_reference(word) for word in texts(relation, "references")),
    )


def _reference(word: Token) -> engine.Reference:
    written = reference_of(word)
    if written is None:
        raise ValueError(word.text)
    columns, targets = _names(written.columns), _names(written.targets)
    return engine.Reference(columns, written.relation.text, targets)


def _names(words: Iterable[Token]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _rule(named: NamedRule) -> engine.Rule:
    body = tuple(_literal(literal) for literal in named.clause.body)
    return engine.Rule(named.id, _atom(named.clause.head), body)


def _literal(literal: syntax.Literal) -> engine.Literal:
    if isinstance(literal, syntax.Aggregate):
        result, target = literal.result.value, literal.target
        if not isinstance(result, engine.Variable):
            raise TypeError(type(result).__name__)
        body = tuple(_ranged(ranged) for ranged in literal.body)
        function = literal.function.text
        return engine.Aggregate(result, function, None if target is None else target.value, body)
    return _ranged(literal)


def _ranged(
    literal: syntax.Atom | syntax.Negated | syntax.Comparison,
) -> engine.Atom | engine.Negated | engine.Comparison:
    match literal:
        case syntax.Atom():
            return _atom(literal)
        case syntax.Negated():
            return engine.Negated(_atom(literal.atom))
        case syntax.Comparison():
            left, right = literal.left.value, literal.right.value
            return engine.Comparison(literal.operator.kind, left, right)
        case _:
            assert_never(literal)


def _atom(atom: syntax.Atom) -> engine.Atom:
    return engine.Atom(atom.relation.text, tuple(term.value for term in atom.terms))
