"""Terms of Nemo's rule files, read: a term that our subset lacks becomes `Odd`."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from nemo_syntax import Call, Existential, Fold, Odd, Several, Term
from nemo_tokens import Token
from nemo_values import number, string, typed
from suite_report import OutsideError

import engine

TAGS: Final = frozenset({"name", "prefixed", "iri"})
_BASES: Final = {"0b": 2, "0o": 8, "0x": 16}
_Item = TypeVar("_Item")


class TermReader:
    """Reads terms from words; names are resolved, and parameters filled in, by what it was told."""

    def __init__(self, words: list[Token]) -> None:
        self._words = words
        self._at = 0
        self._base = ""
        self._prefixes: dict[str, str] = {}
        self._parameters: dict[str, Term] = {}
        self._readers: Mapping[str, Callable[[Token], Term]] = {
            "+": self._signed,
            "-": self._signed,
            "number": self._number,
            "string": self._string,
            "variable": self._variable,
            "aggregate": self._fold,
            "(": self._parenthesised,
            "{": self._map,
            "_": lambda _: engine.Wildcard(),
            "format": lambda _: Odd("format string"),
            "node": lambda _: Odd("blank node"),
        }

    def _sees(self, *kinds: str) -> bool:
        return self._words[self._at].kind in kinds

    def _take(self, *kinds: str) -> Token:
        word = self._words[self._at]
        if word.kind == "end" or (kinds and word.kind not in kinds):
            raise OutsideError(f"syntax: `{word.text}` in line {word.line}")
        self._at += 1
        return word

    def _took(self, kind: str) -> bool:
        if self._sees(kind):
            self._at += 1
            return True
        return False

    def _skip(self, kind: str) -> None:
        while self._take().kind != kind:
            pass

    def _list(self, item: Callable[[], _Item], end: str) -> list[_Item]:
        """Items between commas up to a closing mark, a comma before which is allowed."""
        found: list[_Item] = []
        while not self._took(end):
            found.append(item())
            if not self._sees(end):
                self._take(",")
        return found

    def _expression(self) -> Term:
        left = self._product()
        while self._sees("+", "-"):
            left = Call(self._take().text, (left, self._product()))
        return left

    def _product(self) -> Term:
        left = self._factor()
        while self._sees("*", "/"):
            left = Call(self._take().text, (left, self._factor()))
        return left

    def _factor(self) -> Term:
        read = self._readers.get(self._words[self._at].kind)
        return read(self._take()) if read else self._named()

    def _signed(self, sign: Token) -> Term:
        return self._number(self._take("number"), sign.text)

    def _number(self, word: Token, sign: str = "") -> Term:
        digits = word.text
        if digits[:2] in _BASES:
            digits = str(int(digits[2:], _BASES[digits[:2]]))
        if not digits.isdigit():
            return Odd("floating point number")
        return _valued(lambda: number(sign + digits))

    def _string(self, word: Token) -> Term:
        text = word.text[3:-3] if word.text.startswith('"""') else word.text[1:-1]
        behind = self._words[self._at]
        if behind.kind == "directive" and behind.start == word.end:
            return engine.Constant(string(text) + self._take().text)
        if self._took("^^"):
            datatype = self._tag()
            return _valued(lambda: typed(text, datatype))
        return engine.Constant(string(text))

    def _variable(self, word: Token) -> Term:
        match word.text[0]:
            case "!":
                return Existential()
            case "$":
                return self._parameters.get(word.text, Odd("parameter from outside"))
            case _:
                return engine.Variable(word.text[1:])

    def _fold(self, word: Token) -> Term:
        self._take("(")
        target, *distinct = self._list(self._expression, ")") or [Odd("aggregate of nothing")]
        return Fold(word.text[1:].lower(), target, tuple(distinct))

    def _parenthesised(self, _: Token) -> Term:
        first = self._expression()
        if self._took(")"):
            return first
        self._take(",")
        return Several((first, *self._list(self._expression, ")")))

    def _map(self, _: Token) -> Term:
        self._skip("}")
        return Odd("map")

    def _named(self) -> Term:
        if self._words[self._at].text in {"true", "false"}:
            self._at += 1
            return Odd("boolean")
        plain = self._words[self._at].text
        name = self._tag()
        if self._took("("):
            return Call(plain, tuple(self._list(self._expression, ")")))
        if self._sees("{"):
            return self._map(self._take())
        return engine.Constant(name)

    def _tag(self) -> str:
        """A name as the IRI that it stands for."""
        word = self._take(*TAGS)
        if word.kind == "iri":
            return word.text[1:-1]
        if word.kind == "name":
            return self._base + word.text
        prefix, _, name = word.text.partition(":")
        if prefix not in self._prefixes:
            raise OutsideError(f"syntax: unknown prefix `{prefix}` in line {word.line}")
        return self._prefixes[prefix] + name


def _valued(value: Callable[[], engine.Value]) -> Term:
    try:
        return engine.Constant(value())
    except OutsideError as cause:
        return Odd(str(cause))
