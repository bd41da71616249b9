"""Types of columns, inferred for programs that come without declarations."""

from collections.abc import Iterator, Sequence

import engine
from rules import syntax

Value = str | int
Column = tuple[str, int]
_ORDERS = frozenset({"<", "<=", ">", ">="})


class ColumnTypes:
    """Columns joined by the variables that they share, and what is known of each class.

    A class is of numbers iff some value, arithmetic or aggregate in it says so; with
    `numeric_order`, a comparison by order says so too.
    """

    def __init__(self, *, numeric_order: bool = False) -> None:
        self._parent: dict[object, object] = {}
        self._numbers: set[object] = set()
        self._symbols: set[object] = set()
        self._width: dict[str, int] = {}
        self._rules = 0
        self._numeric_order = numeric_order

    def see_row(self, name: str, row: Sequence[Value]) -> None:
        self._width.setdefault(name, len(row))
        for place, value in enumerate(row):
            self._see_value((name, place), value)

    def see_rule(self, rule: syntax.Rule) -> None:
        self._rules += 1
        for head in rule.heads:
            self._see_literal(head)
        self._see_literal(rule.body)

    def mixed(self) -> list[str]:
        """The relations with a column whose class holds numbers and symbols."""
        roots = {self._root(key) for key in self._numbers} & {
            self._root(key) for key in self._symbols
        }
        return [
            name
            for name, width in self._width.items()
            if any(self._root((name, place)) in roots for place in range(width))
        ]

    def declarations(self, given: set[str]) -> Iterator[str]:
        numbers = {self._root(key) for key in self._numbers}
        for name, width in self._width.items():
            kinds = [
                "number" if self._root((name, i)) in numbers else "symbol" for i in range(width)
            ]
            columns = ", ".join(f"c{i}:{kind}" for i, kind in enumerate(kinds))
            yield f"{'@[given] ' if name in given else ''}.decl {name}({columns})"

    def _see_atom(self, atom: syntax.Atom) -> None:
        self._width.setdefault(atom.relation.text, len(atom.terms))
        for place, term in enumerate(atom.terms):
            self._see_term((atom.relation.text, place), term.value)

    def _see_literal(self, literal: object) -> None:
        match literal:
            case syntax.Atom():
                self._see_atom(literal)
            case syntax.Negated():
                self._see_atom(literal.atom)
            case syntax.Comparison():
                self._see_comparison(literal)
            case syntax.Aggregate():
                self._see_aggregate(literal)
            case syntax.Conjunction(parts) | syntax.Disjunction(parts):
                for part in parts:
                    self._see_literal(part)
            case _:
                pass

    def _see_comparison(self, comparison: syntax.Comparison) -> None:
        key = ("comparison", self._rules, id(comparison))
        for side in (comparison.left, comparison.right):
            self._see_term(key, side.value)
        if self._numeric_order and comparison.operator.kind in _ORDERS:
            self._numbers.add(key)

    def _see_aggregate(self, aggregate: syntax.Aggregate) -> None:
        for term in (aggregate.result, aggregate.target):
            if term is not None:
                key = ("aggregate", self._rules, id(term))
                self._see_term(key, term.value)
                self._numbers.add(key)
        for part in aggregate.body:
            self._see_literal(part)

    def _see_term(self, key: object, term: engine.Term) -> None:
        match term:
            case engine.Variable(name):
                self._join(key, ("variable", self._rules, name))
            case engine.Constant(value):
                self._see_value(key, value)
            case engine.Arithmetic():
                self._numbers.add(key)
                for variable in engine.variables_in((term,)):
                    self._numbers.add(("variable", self._rules, variable.name))
            case _:
                pass

    def _see_value(self, key: object, value: Value) -> None:
        (self._numbers if isinstance(value, int) else self._symbols).add(key)

    def _root(self, key: object) -> object:
        while self._parent.setdefault(key, key) != key:
            key = self._parent[key]
        return key

    def _join(self, left: object, right: object) -> None:
        self._parent[self._root(left)] = self._root(right)
