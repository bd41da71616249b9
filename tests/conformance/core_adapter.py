"""`datalog-conformance`, core cases: its untyped programs as ours, with the types that follow.

A program there is facts by predicate and rules as text, with `not` for negation and without any
declarations. Columns that share a variable share a type; a type is `number` iff some value or some
arithmetic in it says so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import engine
from rules import MATCHERS, Source, load, syntax

Value = str | int
Column = tuple[str, int]
_NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
_NOT = re.compile(r'("(?:[^"\\]|\\.)*")|\bnot\s+')


class RefusedProgramError(Exception):
    """Our checks refuse the program; the message holds the codes."""


def rule_text(rule: str) -> str:
    """The rule as we write it."""
    text = _NOT.sub(lambda found: found.group(1) or "!", rule.strip())
    return text if text.endswith(".") else f"{text}."


LIMITS = engine.Limits()


def model_of(
    facts: Mapping[str, Sequence[Sequence[Value]]],
    rules: Sequence[str],
    wanted: Sequence[str],
    limits: engine.Limits,
) -> dict[str, set[tuple[Value, ...]]]:
    """The rows of the wanted relations and of those that they need.

    Rules that the wanted relations do not need are left out: a case asks for one relation, and
    should not fail for another. Raises `RefusedProgramError`, and `LimitReachedError`.
    """
    text = "\n".join(_needed([rule_text(rule) for rule in rules], wanted))
    loaded = load([Source("case", text)])
    syntax_faults = [d.code for d in loaded.diagnostics if d.code.startswith("R1")]
    if syntax_faults:
        raise RefusedProgramError(" ".join(syntax_faults))
    types = _Types()
    for tree in loaded.trees:
        for rule in tree.rules:
            types.see_rule(rule)
    for name, rows in facts.items():
        for row in rows:
            types.see_row(name, row)
    derived = {h.relation.text for tree in loaded.trees for rule in tree.rules for h in rule.heads}
    both = derived & set(facts)
    lines = list(types.declarations(given=set(facts) - derived))
    lines += [_fact(name, row) for name in sorted(both) for row in facts[name]]
    full = load([Source("case", "\n".join(lines) + "\n" + text)])
    if full.ruleset is None:
        raise RefusedProgramError(
            " ".join(d.code for d in full.diagnostics if d.severity == "error")
        )
    given = [
        engine.Fact.of(name, tuple(row), "case")
        for name, rows in facts.items()
        if name not in derived
        for row in rows
    ]
    try:
        model = engine.evaluate(full.ruleset.program, given, [], limits, MATCHERS)
    except engine.FactRefusedError as cause:
        raise RefusedProgramError(cause.problem) from cause
    return {name: set(model.of(name)) for name in full.ruleset.program.relations}


def _needed(rules: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The rules that some relations depend on; all of them when nothing is wanted."""
    if not wanted:
        return list(rules)
    reads = [(_NAME.findall(head), _NAME.findall(body), rule) for rule, head, body in _split(rules)]
    found: set[str] = set()
    stack = list(wanted)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += [n for heads, body, _ in reads if name in heads for n in body]
    return [rule for heads, _, rule in reads if found & set(heads)]


def _split(rules: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for rule in rules:
        head, _, body = rule.partition(":-")
        yield rule, head, body


class _Types:
    """Columns joined by variables, and what is known of each class."""

    def __init__(self) -> None:
        self._parent: dict[object, object] = {}
        self._numbers: set[object] = set()
        self._width: dict[str, int] = {}
        self._rules = 0

    def see_row(self, name: str, row: Sequence[Value]) -> None:
        self._width.setdefault(name, len(row))
        for place, value in enumerate(row):
            if isinstance(value, int):
                self._numbers.add((name, place))

    def see_rule(self, rule: syntax.Rule) -> None:
        self._rules += 1
        for head in rule.heads:
            self._see_literal(head)
        self._see_literal(rule.body)

    def _see_atom(self, atom: syntax.Atom) -> None:
        self._width.setdefault(atom.relation.text, len(atom.terms))
        for place, term in enumerate(atom.terms):
            self._see_term((atom.relation.text, place), term.value)

    def _see_literal(self, literal: object) -> None:
        match literal:
            case syntax.Atom():
                self._see_atom(literal)
            case syntax.Negated():
                self._see_literal(literal.atom)
            case syntax.Comparison():
                for side in (literal.left, literal.right):
                    self._see_term(("comparison", self._rules, id(literal)), side.value)
            case (
                syntax.Aggregate(body=parts) | syntax.Conjunction(parts) | syntax.Disjunction(parts)
            ):
                for part in parts:
                    self._see_literal(part)
            case _:
                pass

    def _see_term(self, key: object, term: engine.Term) -> None:
        match term:
            case engine.Variable(name):
                self._join(key, ("variable", self._rules, name))
            case engine.Constant(int()):
                self._numbers.add(key)
            case engine.Arithmetic():
                self._numbers.add(key)
                for variable in engine.variables_in((term,)):
                    self._numbers.add(("variable", self._rules, variable.name))
            case _:
                pass

    def _root(self, key: object) -> object:
        while self._parent.setdefault(key, key) != key:
            key = self._parent[key]
        return key

    def _join(self, left: object, right: object) -> None:
        self._parent[self._root(left)] = self._root(right)

    def declarations(self, given: set[str]) -> Iterator[str]:
        numbers = {self._root(key) for key in self._numbers}
        for name, width in self._width.items():
            kinds = [
                "number" if self._root((name, i)) in numbers else "symbol" for i in range(width)
            ]
            columns = ", ".join(f"c{i}:{kind}" for i, kind in enumerate(kinds))
            yield f"{'@[given] ' if name in given else ''}.decl {name}({columns})"


def _fact(name: str, row: Sequence[Value]) -> str:
    terms = ", ".join(
        str(value)
        if isinstance(value, int)
        else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        for value in row
    )
    return f"{name}({terms})."
