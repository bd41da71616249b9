"""Programs for tables, one rule a line: `id: p x z :- e x y, !q y _, x != 3, r 'text'`.

Words are variables, `_` is a wildcard, digits are numbers, quotes hold symbols. Arithmetic is one
word, `x+1`; aggregates are `n = count { a x, b y }` and `n = sum x*2 { a x }`. Relations that no
rule derives are given; columns are numbers unless a fact or a constant in the column is a symbol.
"""

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine_models import Case

from engine import (
    NUMBER,
    SYMBOL,
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    Comparison,
    Constant,
    Fact,
    Literal,
    Negated,
    Program,
    Relation,
    Row,
    Rule,
    Term,
    Variable,
    Wildcard,
    atoms_of,
)

SOURCE = "a record"
WORD = re.compile(r"'[^']*'|\S+")
SIGNS = {"=", "!=", "<", "<=", ">", ">="}
AGGREGATE = re.compile(r"(\w+) = (count|sum|min|max) (\S*) ?\{(.*)\}")
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}


def case(text: str, **rows: Sequence[Row]) -> Case:
    """The program of a text, with the given rows as facts of one source."""
    rules = tuple(
        _rule(n, line) for n, line in enumerate(filter(None, map(str.strip, text.split("\n"))))
    )
    return made(rules, rows)


def made(rules: tuple[Rule, ...], rows: dict[str, Sequence[Row]]) -> Case:
    """The program of some rules, its relations declared as they are used."""
    derived = {rule.head.relation for rule in rules}
    atoms = [atom for rule in rules for atom in (rule.head, *(a for a, _ in atoms_of(rule.body)))]
    uses = [(atom.relation, tuple(map(_constant, atom.terms))) for atom in atoms]
    uses += [(name, row) for name, found in rows.items() for row in found]
    relations: dict[str, Relation] = {}
    for name, values in uses:
        known = relations.get(name)
        columns = tuple(
            Column(f"c{i}", SYMBOL if isinstance(value, str) else NUMBER)
            if known is None or isinstance(value, str)
            else known.columns[i]
            for i, value in enumerate(values)
        )
        relations[name] = Relation(name, columns, given=name not in derived)
    for name in rows.keys() - relations.keys():
        relations[name] = Relation(name, (), given=True)
    facts = tuple(Fact.of(name, row, SOURCE) for name, found in rows.items() for row in found)
    return Case(Program({}, relations, rules), facts)


def rule(text: str) -> Rule:
    return _rule(0, text)


def _rule(number: int, line: str) -> Rule:
    name, colon, rest = line.partition(": ")
    head, _, body = (rest if colon else line).partition(":-")
    return Rule(name if colon else f"r{number}", _atom(head), _body(body))


def _body(text: str) -> tuple[Literal, ...]:
    return tuple(_literal(part.strip()) for part in _split(text) if part.strip())


def _split(body: str) -> Iterable[str]:
    """The literals of a body; commas inside quotes and braces do not count."""
    return re.split(r",(?=(?:[^']*'[^']*')*[^']*$)(?![^{}]*\})", body)


def _literal(text: str) -> Literal:
    found = AGGREGATE.fullmatch(text)
    if found:
        target = _term(found[3]) if found[3] else None
        inner = tuple(x for x in _body(found[4]) if not isinstance(x, Aggregate))
        return Aggregate(Variable(found[1]), found[2], target, inner)
    words = WORD.findall(text)
    if len(words) == 3 and words[1] in SIGNS:
        return Comparison(words[1], _term(words[0]), _term(words[2]))
    return Negated(_atom(text[1:])) if text.startswith("!") else _atom(text)


def _atom(text: str) -> Atom:
    relation, *terms = WORD.findall(text)
    return Atom(relation, tuple(_term(word) for word in terms))


def _term(word: str) -> Term:
    if word == "_":
        return Wildcard()
    if word.startswith("'"):
        return Constant(word[1:-1])
    return _arithmetic(ast.parse(word, mode="eval").body)


def _arithmetic(found: ast.expr) -> Term:
    match found:
        case ast.BinOp():
            sign = OPERATORS[type(found.op)]
            return Arithmetic(sign, _arithmetic(found.left), _arithmetic(found.right))
        case ast.UnaryOp(operand=ast.Constant(value=int(number))):
            return Constant(-number)
        case ast.Constant(value=int(number)):
            return Constant(number)
        case ast.Name():
            return Variable(found.id)
    raise ValueError(ast.dump(found))


def _constant(term: Term) -> str | int | None:
    return term.value if isinstance(term, Constant) else None


def with_computed(found: Case, **matchers: str) -> Case:
    """The case with some of its relations computed by the matchers of these names."""
    program = found.program
    relations = dict(program.relations)
    for name, matcher in matchers.items():
        relations[name] = replace(relations[name], given=False, computed=matcher)
    return Case(replace(program, relations=relations), found.facts)
