"""A cursor: a position in the tokens of one source, and what may be taken from there."""

from collections.abc import Callable
from typing import Final, TypeVar

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, Place, finding
from rules.symbols import read_symbol, show
from rules.tokens import FINDINGS_LIMIT, RESERVED, Scanner, Token

T = TypeVar("T")

_BEGINNINGS: Final = frozenset({"name", "@", "documentation"})
_NUMBER_DIGITS: Final = 19
_FOUND: Final = {"end": "the end of the source", "documentation": "documentation"}


class SyntaxFault(Exception):  # noqa: N818 - the parser catches it, nobody else sees it
    """A statement cannot be read on; `diagnostic` is None iff the scanner has reported why."""

    def __init__(self, diagnostic: Diagnostic | None) -> None:
        super().__init__()
        self.diagnostic = diagnostic


class Cursor:
    """The next token of a source, never behind the last, which is of kind `end`."""

    def __init__(self, scanner: Scanner, findings: list[Diagnostic]) -> None:
        self.findings = findings
        # One value for all its mentions, since large programs repeat few names.
        self._named: dict[str, engine.Variable | engine.Wildcard] = {"_": engine.Wildcard()}
        self._tokens = scanner.scan()
        self.token = next(self._tokens)

    def at(self, kind: str) -> bool:
        """Whether the next token is of that kind."""
        return self.token.kind == kind

    def advance(self) -> Token:
        """The next token, which the cursor leaves behind."""
        token = self.token
        self.token = next(self._tokens, token)
        return token

    def recover(self, first: Token) -> None:
        """Go to where a statement may begin, at least one token behind `first`."""
        if self.token is first:
            self.advance()
        while self.token.kind not in {"end", "directive"}:
            token = self.token
            if token.leads and token.column <= first.column and token.kind in _BEGINNINGS:
                return
            if self.advance().kind == ".":
                return

    def take(self, kind: str, wanted: str) -> Token:
        """The next token if it is of that kind. Raises `SyntaxFault` if it is not."""
        if self.token.kind != kind:
            raise self.expected(wanted)
        return self.advance()

    def listed(self, item: Callable[[], T], opening: str, closing: str) -> tuple[T, ...]:
        """Items between marks and commas, maybe none."""
        self.take(opening, f"`{opening}`")
        items: list[T] = []
        if not self.at(closing):
            items.append(item())
            while self.at(","):
                self.advance()
                items.append(item())
        self.take(closing, f"`,` or `{closing}`" if items else f"`{closing}`")
        return tuple(items)

    def name(self, wanted: str) -> Token:
        """A name; one that the language keeps for itself is reported and read on."""
        word = self.take("name", wanted)
        if word.text in RESERVED:
            law = "it is a word of the language, in Soufflé or here"
            message = f"{show(word.text)} cannot be a name"
            self.findings.append(finding("R109", word.place, message, law))
        return word

    def text(self) -> Token:
        """The text of a symbol; escapes that mean nothing are reported and read on."""
        word = self.take("symbol", "a symbol in double quotes")

        def refuse(offset: int, escape: str) -> None:
            if len(self.findings) >= FINDINGS_LIMIT:
                return
            place = Place(word.source, word.line, word.column + offset, len(escape))
            law = "the escapes are `\\\" \\' \\\\ \\a \\b \\f \\n \\r \\t \\v` and `\\u{…}`"
            hint = "a backslash itself is written `\\\\`"
            message = f"unknown escape {show(escape)}"
            self.findings.append(finding("R104", place, message, law, hint=hint))

        return word._replace(text=read_symbol(word.text, refuse))

    def term(self, wanted: str) -> syntax.Term:
        """A variable, `_`, a symbol or a number."""
        match self.token.kind:
            case "name":
                return self.named_term(self.name(wanted))
            case "symbol":
                text = self.text()
                return syntax.Term(engine.Constant(text.text), text)
            case "number" | "-":
                return self._number()
            case _:
                raise self.expected(wanted)

    def named_term(self, name: Token) -> syntax.Term:
        """The term that a name is: a variable, or `_`."""
        value = self._named.get(name.text)
        if value is None:
            value = self._named[name.text] = engine.Variable(name.text)
        return syntax.Term(value, name)

    def expected(self, wanted: str, hint: str = "") -> SyntaxFault:
        """The fault that something else than the next token was wanted."""
        if self.at("bad"):
            return SyntaxFault(None)
        found = _FOUND.get(self.token.kind) or show(self.token.text)
        message = f"expected {wanted}, found {found}"
        return SyntaxFault(finding("R101", self.token.place, message, hint=hint))

    def _number(self) -> syntax.Term:
        """A number; one that does not fit 64 bits is reported and read on."""
        sign = self.advance() if self.at("-") else None
        number = self.take("number", "a number")
        written = number.text
        if sign and sign.line == number.line:
            number = sign._replace(length=number.column + number.length - sign.column)
        digits = written.lstrip("0") or "0"
        # Python refuses to read numbers of thousands of digits, so their length is looked at first.
        size = int(digits) if len(digits) <= _NUMBER_DIGITS else engine.NUMBER_MAX + 2
        value = -size if sign else size
        if not engine.NUMBER_MIN <= value <= engine.NUMBER_MAX:
            law = f"numbers go from {engine.NUMBER_MIN} to {engine.NUMBER_MAX}"
            message = f"number {show('-' * bool(sign) + written)} does not fit 64 bits"
            self.findings.append(finding("R106", number.place, message, law))
        return syntax.Term(engine.Constant(value), number)
