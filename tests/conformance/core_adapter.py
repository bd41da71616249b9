"""`datalog-conformance`, core cases: its untyped programs as ours, with the types that follow.

A program there is facts by predicate and rules as text, with `not` for negation and without any
declarations. Columns that share a variable share a type; a type is `number` iff some value or some
arithmetic in it says so.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from column_types import ColumnTypes, Value

import engine
from rules import MATCHERS, Source, load
from rules.symbols import write_symbol

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
    types = ColumnTypes()
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


def _fact(name: str, row: Sequence[Value]) -> str:
    terms = (str(value) if isinstance(value, int) else write_symbol(value) for value in row)
    return f"{name}({', '.join(terms)})."
