"""Words and marks of Nemo's rule files, following `nemo/src/parser/ast/token.rs` of its sources."""

import re
from typing import Final, NamedTuple

from suite_report import OutsideError

_NAME: Final = r"[A-Za-z][A-Za-z0-9_%]*"
_TOKEN: Final = re.compile(
    rf"""
    (?P<blank>\s+|%[^\n]*|/\*.*?\*/)
    | (?P<format>f"{{3}}.*?"{{3}}|f"[^"]*")
    | (?P<string>"{{3}}.*?"{{3}}|"[^"]*")
    | (?P<number>0[box][0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[fd]?)
    | (?P<prefixed>(?:{_NAME})?:{_NAME})
    | (?P<node>_:\w+)
    | (?P<name>{_NAME})
    | (?P<variable>[?!$]{_NAME})
    | (?P<directive>@{_NAME})
    | (?P<aggregate>\#{_NAME})
    | (?P<iri><[^>\s]*>)
    | (?P<mark>:-|\^\^|<=|>=|!=|\#\[|[-().,:=<>~+*/{{}}\[\]_])
    """,
    re.VERBOSE | re.DOTALL,
)
_OPERANDS: Final = frozenset({"number", "variable", "name", "prefixed", "string", ")"})
"""Kinds behind which `<` compares and begins no IRI."""


class Token(NamedTuple):
    """A word or mark; the kind of a mark is the mark itself. `start` and `end` are offsets."""

    kind: str
    text: str
    line: int
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words and marks of a file, the last of kind `end`.

    Raises `OutsideError` for a character that begins none.
    """
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        line = text.count("\n", 0, position) + 1
        if match is None:
            raise OutsideError(f"syntax: `{text[position]}` in line {line}")
        kind, start, position = str(match.lastgroup), position, match.end()
        if kind == "iri" and found and found[-1].kind in _OPERANDS:
            kind, position = "mark", start + (2 if text.startswith("<=", start) else 1)
        if kind != "blank":
            word = text[start:position]
            found.append(Token(word if kind == "mark" else kind, word, line, start, position))
    return [*found, Token("end", "", text.count("\n") + 1, position, position)]
