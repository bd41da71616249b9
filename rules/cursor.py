"""A cursor: a position in the tokens of one source, and what may be taken from there."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeVar

from rules.diagnostics import Diagnostic, Place, finding
from rules.symbols import read_symbol, show
from rules.tokens import FINDINGS_LIMIT, RESERVED, Scanner, Token

T = TypeVar("T")

NESTING_LIMIT: Final = 100
"""So many parentheses, or operators, may stand one inside the other."""

_BEGINNINGS: Final = frozenset({"name", "@", "documentation"})
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
        self._tokens = scanner.scan()
        self._peeked: Token | None = None
        self._depth = 0
        self.token = next(self._tokens)

    def at(self, kind: str) -> bool:
        """Whether the next token is of that kind."""
        return self.token.kind == kind

    def advance(self) -> Token:
        """The next token, which the cursor leaves behind."""
        token = self.token
        self.token = self._peeked or next(self._tokens, token)
        self._peeked = None
        return token

    def peek(self) -> Token:
        """The token behind the next one."""
        if self._peeked is None:
            self._peeked = next(self._tokens, self.token)
        return self._peeked

    @contextmanager
    def nested(self, opening: Token) -> Generator[None, None, None]:
        """One level deeper for as long as it lasts. Raises `SyntaxFault` when that is too deep."""
        if self._depth >= NESTING_LIMIT:
            law = f"at most {NESTING_LIMIT} stand one inside the other"
            message = f"{show(opening.text)} nests too deep"
            raise SyntaxFault(finding("R111", opening.place, message, law))
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

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

    def pass_block(self) -> None:
        """Go behind the block in braces that a directive has, if it has one."""
        self.advance()
        while self.token.kind not in {"end", "{", ".", "directive"}:
            self.advance()
        depth = 0
        while not self.at("end"):
            depth += {"{": 1, "}": -1}.get(self.token.kind, 0)
            if depth == 0:
                break
            self.advance()
        if self.at("}"):
            self.advance()

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

    def expected(self, wanted: str, hint: str = "") -> SyntaxFault:
        """The fault that something else than the next token was wanted."""
        if self.at("bad"):
            return SyntaxFault(None)
        found = _FOUND.get(self.token.kind) or show(self.token.text)
        message = f"expected {wanted}, found {found}"
        return SyntaxFault(finding("R101", self.token.place, message, hint=hint))
