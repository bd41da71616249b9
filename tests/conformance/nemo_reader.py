"""Nemo's rule files, read: what our subset lacks becomes `Odd`, so that a file names all of it."""

from typing import Final

from nemo_syntax import (
    Atom,
    Call,
    Comparison,
    Exchange,
    Literal,
    Negated,
    Odd,
    Program,
    Rule,
    Term,
)
from nemo_terms import TAGS, TermReader
from nemo_tokens import Token, tokens

import engine

_COMPARISONS: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})
# fmt: off
_FUNCTIONS: Final = frozenset((
    "abs", "and", "bitand", "bitor", "bitshl", "bitshr", "bitshru", "bitxor", "ceil", "compare",
    "concat", "contains", "cos", "datatype", "division", "double", "equality", "float", "floor",
    "fullstr", "int", "invertsign", "iri", "isdouble", "isfloat", "isinteger", "isiri", "isnull",
    "isnumeric", "isstring", "lang", "lcase", "levenshtein", "log", "luka", "max", "min", "not",
    "numgreater", "numgreatereq", "numless", "numlesseq", "or", "pow", "product", "regex", "rem",
    "round", "sin", "sqrt", "str", "strafter", "strbefore", "strends", "strlang", "strlen",
    "strrev", "strstarts", "substr", "subtraction", "sum", "tan", "ucase", "unequality",
    "uridecode", "uriencode",
))
# fmt: on
"""What is no predicate in a body, in whatever case it is written."""


def read(text: str) -> Program:
    """The program of a file; raises `OutsideError` for text that is not understood."""
    return _Reader(tokens(text)).read()


class _Reader(TermReader):
    def __init__(self, words: list[Token]) -> None:
        super().__init__(words)
        self._program = Program()

    def read(self) -> Program:
        while not self._sees("end"):
            if self._sees("#["):
                self._skip("]")
            elif self._sees("directive"):
                self._directive(self._take().text)
            else:
                self._rule()
        return self._program

    def _directive(self, name: str) -> None:
        match name:
            case "@base":
                self._base = self._take("iri").text[1:-1]
                self._take(".")
            case "@prefix":
                prefix = "" if self._sees(":") else self._take("name").text
                self._take(":")
                self._prefixes[prefix] = self._take("iri").text[1:-1]
                self._take(".")
            case "@parameter":
                self._parameter()
            case "@import":
                self._program.imports.append(self._exchange())
            case "@export":
                self._program.exports.append(self._exchange())
            case "@output":
                self._list(self._tag, ".")
            case _:
                self._program.odd.append(f"`{name}`")
                self._skip(".")

    def _parameter(self) -> None:
        name = self._take("variable").text
        self._parameters[name] = (
            self._expression() if self._took("=") else Odd("parameter from outside")
        )
        self._take(".")

    def _exchange(self) -> Exchange:
        predicate = self._tag()
        self._take(":-")
        form = self._take("name").text
        self._take("{")
        attributes = dict(self._list(self._attribute, "}"))
        computed = self._took(",")
        self._list(self._literal, ".")
        return Exchange(predicate, form, attributes, computed)

    def _attribute(self) -> tuple[str, Term]:
        key = self._take("name").text
        self._take("=")
        if self._words[self._at].text in {"true", "false"}:
            return key, engine.Constant(self._take().text)
        return key, self._expression()

    def _rule(self) -> None:
        heads = [self._head()]
        while self._took(","):
            heads.append(self._head())
        body: list[Literal] = []
        if self._took(":-"):
            body = self._list(self._literal, ".")
        else:
            self._take(".")
        self._program.rules.append(Rule(tuple(heads), tuple(body)))

    def _head(self) -> Atom:
        predicate = self._tag()
        self._take("(")
        return Atom(predicate, tuple(self._list(self._expression, ")")))

    def _literal(self) -> Literal:
        if self._took("~"):
            return Negated(self._head())
        word, behind = self._words[self._at : self._at + 2]
        if word.kind in TAGS and behind.kind == "(" and word.text.lower() not in _FUNCTIONS:
            return self._head()
        left = self._expression()
        if not self._sees(*_COMPARISONS):
            return left if isinstance(left, Odd) else Odd(_construct(left))
        return Comparison(self._take().text, left, self._expression())


def _construct(term: Term) -> str:
    return f"function `{term.name}`" if isinstance(term, Call) else "literal of another kind"
