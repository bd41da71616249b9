"""Terms and atoms of Nemo in our text.

A name keeps apart from all others by its first letter: `p` a predicate, `i` what is imported for
it, `v` a variable; `g` and `n` are relations that the translation adds.
"""

from collections.abc import Iterable
from typing import Final

from nemo_syntax import Atom, Call, Existential, Fold, Odd, Program, Several, Term, inside, terms_of
from suite_report import OutsideError

import engine
from rules.symbols import write_symbol

_OPERATORS: Final = frozenset("+-*/")
_FOLDS: Final = frozenset({"count", "sum", "min", "max"})


def name(kind: str, text: str) -> str:
    """A name of ours for one of theirs, another one for each."""
    letters = (c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in text)
    return kind + "".join(letters)


def written(term: Term) -> str:
    """A term; raises `OutsideError` for one that our text has not at its place."""
    match term:
        case engine.Variable():
            return name("v", term.name)
        case engine.Wildcard():
            return "_"
        case engine.Constant(str(value)):
            return write_symbol(value)
        case engine.Constant(int(value)):
            return str(value)
        case Call(operator, (left, right)) if operator in _OPERATORS:
            return f"({written(left)} {operator} {written(right)})"
        case _:
            raise OutsideError(oddity(term) or "aggregate in a body")


def atom(relation: str, terms: Iterable[Term]) -> str:
    """An atom over a relation of ours."""
    return f"{relation}({', '.join(map(written, terms))})"


def atom_of(one: Atom) -> str:
    """An atom over a predicate of theirs."""
    return atom(name("p", one.predicate), one.terms)


def rule(head: str, body: str) -> str:
    """A rule, or a fact iff the body is empty."""
    return f"{head} :- {body}." if body else f"{head}."


def oddities(program: Program) -> set[str]:
    """The constructs of a program that our subset leaves out."""
    return {
        *program.odd,
        *filter(
            None,
            (
                oddity(term)
                for clause in program.rules
                for literal in (*clause.heads, *clause.body)
                for outer in terms_of(literal)
                for term in inside(outer)
            ),
        ),
    }


def oddity(term: Term) -> str:
    """The construct that makes a term one of those left out; empty iff it is none."""
    match term:
        case Odd(construct):
            return construct
        case Existential():
            return "existential variable"
        case Several():
            return "tuple"
        case Call() if term.name not in _OPERATORS:
            return f"function `{term.name}`"
        case Fold() if term.function not in _FOLDS:
            return f"aggregate `#{term.function}`"
        case _:
            return ""
