"""Programs for tables, one rule a line: `id: p x z :- e x y, !q y _, x != 3, r 'text'`.

Words are variables, `_` is a wildcard, digits are numbers, quotes hold symbols. Relations that no
rule derives are given; columns are numbers unless a fact or a constant in the column is a symbol.
"""

import re
from collections.abc import Iterable, Sequence

from engine_models import Case

from engine import (
    NUMBER,
    SYMBOL,
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
)

SOURCE = "a record"
WORD = re.compile(r"'[^']*'|\S+")
SIGNS = {"=", "!=", "<", "<=", ">", ">="}


def case(text: str, **rows: Sequence[Row]) -> Case:
    """The program of a text, with the given rows as facts of one source."""
    rules = tuple(
        _rule(n, line) for n, line in enumerate(filter(None, map(str.strip, text.split("\n"))))
    )
    return made(rules, rows)


def made(rules: tuple[Rule, ...], rows: dict[str, Sequence[Row]]) -> Case:
    """The program of some rules, its relations declared as they are used."""
    derived = {rule.head.relation for rule in rules}
    atoms = [atom for rule in rules for atom in (rule.head, *map(_atom_of, rule.body)) if atom]
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
    literals = tuple(_literal(part.strip()) for part in _split(body) if part.strip())
    return Rule(name if colon else f"r{number}", _atom(head), literals)


def _split(body: str) -> Iterable[str]:
    """The literals of a body; commas inside quotes do not count."""
    return re.split(r",(?=(?:[^']*'[^']*')*[^']*$)", body)


def _literal(text: str) -> Literal:
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
    return Constant(int(word)) if word.lstrip("-").isdigit() else Variable(word)


def _atom_of(literal: Literal) -> Atom | None:
    if isinstance(literal, Comparison):
        return None
    return literal.atom if isinstance(literal, Negated) else literal


def _constant(term: Term) -> str | int | None:
    return term.value if isinstance(term, Constant) else None
