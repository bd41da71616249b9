"""Rendering: a diagnostic as people read it, with the line that it is about."""

import unicodedata
from functools import lru_cache
from typing import Final

from rules.diagnostics import Diagnostic

_TAB: Final = 4
_BEFORE: Final = 60
_AFTER: Final = 60


def render(diagnostic: Diagnostic, text: str) -> str:
    """The finding in lines, each ended: place and message, source line, caret, notes, hint.

    `text` is the source that the diagnostic is about. Tabs and wide characters move the caret as
    they move the text, and characters that would not show are written as escapes.
    """
    place = diagnostic.place
    label = "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "
    lines = [f"{place}: {diagnostic.code} {label}{diagnostic.message}"]
    shown, caret = _excerpt(_line(text, place.line), place.column - 1, place.length)
    number = str(place.line)
    lines.append(f"  {number} | {shown}".rstrip())
    lines.append(f"  {' ' * len(number)} | {caret}")
    lines.extend(f"note: {note}" for note in diagnostic.notes)
    if diagnostic.hint:
        lines.append(f"hint: {diagnostic.hint}")
    return "".join(f"{line}\n" for line in lines)


def _line(text: str, number: int) -> str:
    lines = _lines(text)
    return lines[number - 1].removesuffix("\r") if number <= len(lines) else ""


@lru_cache(maxsize=1)
def _lines(text: str) -> tuple[str, ...]:
    """The lines of the text that is being reported on; findings of one source come in a row."""
    return tuple(text.split("\n"))


def _excerpt(line: str, start: int, length: int) -> tuple[str, str]:
    """The part of a line around a span, and carets that stand under the span."""
    first, last = max(0, start - _BEFORE), start + _AFTER
    cut_left = "…" if first > 0 else ""
    cut_right = "…" if last < len(line) else ""
    shown, column, marked_from, marked_to = cut_left, len(cut_left), len(cut_left), 0
    for index, char in enumerate(line[first:last], first):
        cell = _cell(char, column)
        if index == start:
            marked_from = column
        shown += cell
        column += _width(cell)
        if index < start + length:
            marked_to = column
    if start >= len(line):
        marked_from = column
    return shown + cut_right, " " * marked_from + "^" * max(1, marked_to - marked_from)


def _cell(char: str, column: int) -> str:
    if char == "\t":
        return " " * (_TAB - column % _TAB)
    return char if char.isprintable() else f"\\u{{{ord(char):X}}}"


def _width(cell: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in cell
    )
