"""Nemo's rules as ours: one head a rule, and no free variable in a negated atom."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from nemo_folds import folded, folds_of
from nemo_syntax import Atom, Comparison, Literal, Negated, Odd, Program, Rule, inside, terms_of
from nemo_text import atom, atom_of, name, oddities, rule, written
from suite_report import OutsideError

import engine

_Uses: TypeAlias = Counter[engine.Variable]


def copied(predicate: str, width: int) -> str:
    """The rule that hands what was imported to a predicate."""
    terms = [engine.Variable(str(place)) for place in range(width)]
    return rule(atom(name("p", predicate), terms), atom(name("i", predicate), terms))


def rules_of(program: Program) -> list[str]:
    """The rules of a program in our text; raises `OutsideError` with all that is left out."""
    found = oddities(program)
    if found:
        raise OutsideError(", ".join(sorted(found)))
    writer = _Writer()
    for clause in program.rules:
        writer.add(clause)
    return writer.lines


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._made = 0

    def add(self, clause: Rule) -> None:
        """Write a rule, once for each head."""
        uses = _uses((*clause.heads, *clause.body))
        body = ", ".join(self._literal(literal, uses) for literal in clause.body)
        for head in clause.heads:
            if folds_of(head):
                self.lines += folded(head, body, self._name("g"))
            else:
                self.lines.append(rule(atom_of(head), body))

    def _literal(self, literal: Literal, uses: _Uses) -> str:
        match literal:
            case Atom():
                return atom_of(literal)
            case Comparison():
                return f"{written(literal.left)} {literal.operator} {written(literal.right)}"
            case Negated():
                return f"!{self._negated(literal, uses)}"
            case Odd():
                return written(literal)

    def _negated(self, negated: Negated, uses: _Uses) -> str:
        """What must not hold; a variable that stands in a negated atom alone means any value.

        `~p(x, y, y)` is `!n(x)` with `n(x) :- p(x, y, y)`.
        """
        own = _uses([negated])
        free = {variable for variable, count in own.items() if count == uses[variable]}
        predicate, terms = negated.atom.predicate, negated.atom.terms
        if all(own[variable] == 1 for variable in free):
            kept = [engine.Wildcard() if term in free else term for term in terms]
            return atom_of(Atom(predicate, tuple(kept)))
        shown = atom(self._name("n"), [variable for variable in own if variable not in free])
        self.lines.append(rule(shown, atom_of(negated.atom)))
        return shown

    def _name(self, kind: str) -> str:
        self._made += 1
        return f"{kind}{self._made}"


def _uses(literals: Iterable[Literal]) -> _Uses:
    """How often each variable stands in some literals."""
    return Counter(
        term
        for literal in literals
        for outer in terms_of(literal)
        for term in inside(outer)
        if isinstance(term, engine.Variable)
    )
