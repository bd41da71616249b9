"""A lesson file taken apart: fields with the line on which each stands, and what is wrong with it.

The contract is not asked here; a field is whatever TOML or Markdown say.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

FENCE: Final = "+++"
SECTIONS: Final = {"trigger_context": "## When", "proof_pattern": "## Proof"}

_FIELDS: Final = {heading: name for name, heading in SECTIONS.items()}
_KEY: Final = re.compile(r'\s*"?([\w.]+)"?\s*=')
_TABLE: Final = re.compile(r"\s*\[\s*([\w.]+)\s*\]")
_PLACE: Final = re.compile(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a lesson file, at which line and in which field; "" is the file itself."""

    line: int
    field: str
    problem: str


@dataclass(slots=True)
class LessonText:
    """The fields of a file, the lines of fields and of parts of them, and findings."""

    fields: dict[str, object] = field(default_factory=dict[str, object])
    lines: dict[str, int] = field(default_factory=dict[str, int])
    findings: list[Finding] = field(default_factory=list[Finding])
    first_line: int = 1

    def line_of(self, name: str) -> int:
        """The line of a field, or of what it lies in, or else where the body begins."""
        parts = name.split(".")
        while parts:
            if (line := self.lines.get(".".join(parts))) is not None:
                return line
            parts.pop()
        return self.first_line

    def find(self, line: int, name: str, problem: str) -> None:
        """Note a finding."""
        self.findings.append(Finding(line, name, problem))


def parsed(text: str) -> LessonText:
    """The parts of a file; whatever is no such file has findings."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    found = LessonText()
    start = 0
    if lines[0].rstrip() == FENCE:
        end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == FENCE), None)
        if end is None:
            found.find(1, "", f"the block that `{FENCE}` opens is not closed")
            return found
        _read_block(found, lines[1:end])
        start = end + 1
    _read_body(found, lines, start)
    return found


def _read_block(found: LessonText, lines: Sequence[str]) -> None:
    """Read the TOML of a file; its first line is line 2."""
    try:
        found.fields |= tomllib.loads("\n".join(lines))
    except RecursionError:
        found.find(2, "", "the block is nested too deeply")
    except ValueError as cause:
        place = _PLACE.fullmatch(str(cause))
        what, line = (place[1], place[2] or len(lines)) if place else (str(cause), 1)
        found.find(int(line) + 1, "", f"the block is no TOML: {what[:1].lower()}{what[1:]}")
    found.lines |= _key_lines(lines)


def _key_lines(lines: Sequence[str]) -> Mapping[str, int]:
    """The line of each key; one inside a string of several lines may add a name that is none."""
    places: dict[str, int] = {}
    table = ""
    for number, line in enumerate(lines, 2):
        if header := _TABLE.match(line):
            table = f"{header[1]}."
            places.setdefault(header[1], number)
        elif key := _KEY.match(line):
            places.setdefault(table + key[1], number)
    return places


def _read_body(found: LessonText, lines: Sequence[str], start: int) -> None:
    """Read the heading that is the title, the rule behind it, and the sections."""
    start = _filled(lines, start)
    found.first_line = min(start + 1, len(lines))
    if start < len(lines) and is_heading(lines[start], "#"):
        _put(found, "title", start, lines[start][2:].strip())
        start = _filled(lines, start + 1)
    name, opened = "lesson", start
    for number in range(start, len(lines)):
        if is_heading(lines[number], "##"):
            _put(found, name, opened, _text(lines[opened:number]))
            name, opened = _section(found, lines[number], number), number + 1
    _put(found, name, opened, _text(lines[opened:]))


def _filled(lines: Sequence[str], start: int) -> int:
    """The first line from `start` on that is not blank, the number of lines if there is none."""
    return next((n for n in range(start, len(lines)) if lines[n].strip()), len(lines))


def _section(found: LessonText, line: str, number: int) -> str:
    """The field of a section, "" for a heading that opens none."""
    name = _FIELDS.get(line.rstrip(), "")
    if not name:
        known = " and ".join(f"`{heading}`" for heading in _FIELDS)
        found.find(number + 1, "", f"unknown section; there are {known}")
    return name


def _put(found: LessonText, name: str, number: int, text: str) -> None:
    """Keep a text of the body under its field; an empty rule is none, an empty section is wrong."""
    if not name or (name == "lesson" and not text):
        return
    line = number + 1 if name in {"title", "lesson"} else number
    if name in found.fields:
        found.find(line, name, f"it stands in line {found.line_of(name)} already")
        return
    found.fields[name] = text
    found.lines[name] = line


def is_heading(line: str, level: str) -> bool:
    """Whether a line is a heading of that level."""
    return line == level or line.startswith((f"{level} ", f"{level}\t"))


def _text(lines: Sequence[str]) -> str:
    """The lines without the blank ones at both ends."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""
