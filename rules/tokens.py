"""Tokens: the words and marks of a source, one pass from left to right, in linear time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from rules.diagnostics import Diagnostic, Place, finding
from rules.symbols import show

DIRECTIVES: Final = (".decl", ".include", ".input", ".once", ".output", ".type")

# Soufflé sees its directives anywhere; those that are left out here are seen too, to be refused.
_SEEN: Final = frozenset((
    *DIRECTIVES, ".comp", ".functor", ".init", ".lattice", ".limitsize", ".number_type",
    ".override", ".plan", ".pragma", ".printsize", ".symbol_type",
))  # fmt: skip

# What Soufflé reserves, although little of it means anything here: a file of ours stays readable
# there, and a later word of ours cannot break a file that was valid.
# fmt: off
RESERVED: Final = frozenset((
    "__FILE__", "__INCL__", "__ITERATION__", "__LINE__", "as", "autoinc", "band", "bnot", "bor",
    "brie", "bshl", "bshr", "bshru", "btree", "btree_delete", "bxor", "cat", "contains", "count",
    "debug_delta", "eqrel", "false", "fold", "inline", "input", "land", "lnot", "lor", "lxor",
    "magic", "match", "max", "mean", "min", "nil", "no_inline", "no_magic", "ord", "output",
    "overridable", "printsize", "range", "recursive_iteration_cnt", "stateful", "strlen", "substr",
    "sum", "to_float", "to_number", "to_string", "to_unsigned", "true",
))
# fmt: on

FINDINGS_LIMIT: Final = 200
"""So many findings of one source end its reading."""

# The frequent kinds come first, for speed; possessive quantifiers keep every text linear.
_TOKEN: Final = re.compile(
    r"""
    [ \t\r\v\f]*+
    (?: (?P<name>[A-Za-z_][A-Za-z0-9_]*+)
    |   (?P<mark>:-|<:|<=|>=|!=|[-()\[\],:=<>!@;{}+*%^|$])
    |   (?P<number>[0-9]++(?![A-Za-z_]|\.[0-9]))
    |   (?P<symbol>"(?:[^"\\\n]|\\[^\n])*+")
    |   (?P<directive>\.[A-Za-z_][A-Za-z0-9_]*+|\#[a-z]++)
    |   (?P<newline>\n)
    |   (?P<documentation>///[^\n]*+)
    |   (?P<inner>//![^\n]*+)
    |   (?P<comment>//[^\n]*+)
    |   (?P<block>/\*)
    |   (?P<dot>[./])
    |   (?P<figure>[0-9A-Za-z_]++(?:\.[0-9A-Za-z_]++)*+)
    |   (?P<unclosed>"(?:[^\r\n]++|\r(?!\n))*+)
    |   (?P<end>\Z)
    |   (?P<stray>.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_NEVER: Final = re.compile("[\0\ud800-\udfff]|\\A\ufeff")


@dataclass(frozen=True, slots=True)
class Source:
    """Rule text and the name by which diagnostics call it."""

    name: str
    text: str


class Token(NamedTuple):
    """A word or mark where it was written; the kind of a mark is the mark itself.

    `leads` iff it is the first on its line. A named tuple, since millions of them are made.
    """

    kind: str
    text: str
    source: str
    line: int
    column: int
    length: int
    leads: bool

    @property
    def place(self) -> Place:
        """Where the token stands; the end of a source takes up one column."""
        return Place(self.source, self.line, self.column, max(1, self.length))


class Scanner:
    """Reads one source; what is wrong with a word goes to `findings`, and its kind is `bad`."""

    def __init__(self, source: Source, findings: list[Diagnostic]) -> None:
        self._source = source
        self._findings = findings
        self._line, self._line_start = 1, 0
        self._behind = 0  # the end of the last block comment

    def scan(self) -> Iterator[Token]:
        """The tokens in order, the last of kind `end`; it comes early when findings pile up."""
        text, position, leads, match = self._source.text, 0, True, _TOKEN.match
        name, limit, new = self._source.name, FINDINGS_LIMIT, Token._make
        while (found := match(text, position)) and len(self._findings) < limit:
            kind = str(found.lastgroup)
            start, position = found.span(kind)
            if kind in _UNSPOKEN:
                if kind == "end":
                    break
                leads = self._pass(kind, start, position) or leads
                position = max(position, self._behind)
                continue
            word = found.group(kind)
            if kind in _MARKS:
                kind = word
            elif kind == "directive" and not (leads or self._is_directive(word, position)):
                kind, word, position = word[0], word[0], start + 1
            column, length = start - self._line_start + 1, position - start
            token = new((kind, word, name, self._line, column, length, leads))
            yield self._judge(token) if kind in _FAULTY else token
            leads = False
        column = position - self._line_start + 1
        yield Token("end", "", name, self._line, column, 0, leads=True)

    def refuse_characters(self) -> None:
        """Report what may stand nowhere, comments included: NUL, lone surrogates, a leading BOM."""
        text, line, line_start = self._source.text, 1, 0
        for found in _NEVER.finditer(text):
            offset = found.start()
            line += text.count("\n", line_start, offset)
            line_start = text.rfind("\n", 0, offset) + 1
            place = Place(self._source.name, line, offset - line_start + 1, 1)
            self._findings.append(_refuse_character(found.group(), place))
            if len(self._findings) >= FINDINGS_LIMIT:
                return

    def _is_directive(self, word: str, position: int) -> bool:
        """Whether Soufflé sees the directive too, which asks for a space behind it."""
        return word in _SEEN and self._source.text[position : position + 1] in _SPACES

    def _pass(self, kind: str, start: int, end: int) -> bool:
        """Go past a line end or a comment; true iff a line begins behind it."""
        if kind == "newline":
            self._line, self._line_start = self._line + 1, end
        elif kind == "block":
            self._pass_block(start)
        return kind == "newline"

    def _pass_block(self, start: int) -> None:
        """Go past a block comment, which Soufflé does not nest."""
        text = self._source.text
        end = text.find("*/", start + 2)
        if end < 0:
            place = Place(self._source.name, self._line, start - self._line_start + 1, 2)
            self._findings.append(
                finding("R103", place, "unterminated comment", hint="close it with `*/`")
            )
            end = len(text)
        lines = text.count("\n", start, end)
        if lines:
            self._line, self._line_start = self._line + lines, text.rfind("\n", start, end) + 1
        self._behind = min(end + 2, len(text))

    def _judge(self, token: Token) -> Token:
        """The token, reported and of kind `bad`."""
        place = token.place
        match token.kind:
            case "unclosed":
                law = "a symbol ends on the line on which it begins; a line break is written `\\n`"
                problem = finding("R102", place, "unterminated symbol", law)
            case "inner":
                law = "Soufflé reads `//!` as documentation of a component, and there are none here"
                hint = "write `//` for a comment, `///` for documentation of what follows"
                problem = finding("R107", place, "unexpected `//!`", law, hint=hint)
            case "figure":
                law = "numbers are decimal integers such as `42` and `-7`"
                problem = finding("R105", place, f"malformed number {show(token.text)}", law)
            case _:
                leading = token.line == token.column == 1
                if _NEVER.match(token.text) and (leading or token.text != "\ufeff"):
                    return token._replace(kind="bad")
                problem = _refuse_character(token.text, place)
        self._findings.append(problem)
        return token._replace(kind="bad")


_SPACES: Final = frozenset(" \t\r\v\f")
_UNSPOKEN: Final = frozenset({"newline", "comment", "block", "end"})
_MARKS: Final = frozenset({"mark", "dot"})
_FAULTY: Final = frozenset({"figure", "unclosed", "inner", "stray", "#"})


def _refuse_character(char: str, place: Place) -> Diagnostic:
    if char == "\ufeff":
        hint = "save the file as UTF-8 without a byte order mark"
        return finding("R107", place, "byte order mark", hint=hint)
    if char == "\0":
        hint = "inside a symbol write `\\u{0}`"
        return finding("R107", place, "NUL character", hint=hint)
    if "\ud800" <= char <= "\udfff":
        law = "rule text is valid Unicode"
        return finding("R107", place, f"lone surrogate {show(char)}", law)
    law = "outside symbols and comments, text is ASCII words and marks"
    return finding("R107", place, f"unexpected character {show(char)}", law)
