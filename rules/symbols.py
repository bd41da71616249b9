"""Symbols as they are written: `"…"` with Soufflé's escapes, and one of ours.

Soufflé reads a backslash before any of `" ' a b f n r t v` and before another backslash, and takes
every other character as it stands, but for the NUL, at which it stops. So those escapes mean here
what they mean there, other text is written as it is, and only a NUL needs an escape that Soufflé
lacks: a backslash and `u{0}`. With one to six hexadecimal digits, that is read for every Unicode
scalar value. A line break inside a symbol, which Soufflé takes, is refused, so that a missing quote
is found on its own line.
"""

import re
import sys
from collections.abc import Callable, Mapping
from typing import Final

ESCAPES: Final[Mapping[str, str]] = {
    '"': '"',
    "'": "'",
    "\\": "\\",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_WRITTEN: Final = str.maketrans(
    {raw: f"\\{letter}" for letter, raw in ESCAPES.items() if letter != "'"} | {"\0": "\\u{0}"}
)
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
_UNSHOWN: Final = re.compile(r"[^ -~]")
_SURROGATES: Final = range(0xD800, 0xE000)
_SHOWN_LENGTH: Final = 60


def write_symbol(text: str) -> str:
    """The text between quotes; `read_symbol` of it is the text again."""
    return f'"{text.translate(_WRITTEN)}"'


def read_symbol(lexeme: str, refuse: Callable[[int, str], None]) -> str:
    """The text that a quoted lexeme stands for.

    `refuse` is told the offset and the text of every escape that means nothing.
    """
    if "\\" not in lexeme:
        return lexeme[1:-1]

    def replace(match: re.Match[str]) -> str:
        digits, letter = match.groups()
        if digits is None and letter in ESCAPES:
            return ESCAPES[letter]
        if digits is not None and _is_scalar(int(digits, 16)):
            return chr(int(digits, 16))
        refuse(match.start(), match.group())
        return match.group()

    return _ESCAPE.sub(replace, lexeme[:-1])[1:]


def show(text: str) -> str:
    """The text in backticks as a message may carry it: on one line, visible, and not too long."""
    short = text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…"
    return f"`{_UNSHOWN.sub(_visible, short)}`"


def _visible(match: re.Match[str]) -> str:
    char = match.group()
    return char if char.isprintable() else f"\\u{{{ord(char):X}}}"


def _is_scalar(point: int) -> bool:
    return point < _SURROGATES.start or _SURROGATES.stop <= point <= sys.maxunicode
