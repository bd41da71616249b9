"""Diagnostics: what is wrong with rule text, where, and what to do about it.

`CODES` is the one table of codes. A code keeps its meaning for ever and is never given to another
fault: R1xx syntax, R2xx declarations and types, R3xx safety and strata, R4xx warnings, R5xx remarks
on what is no mistake by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "info"]

CODES: Final[Mapping[str, str]] = {
    "R101": "the text does not follow the grammar",
    "R102": "a symbol is not closed on its line",
    "R103": "a block comment is not closed",
    "R104": "an escape in a symbol is not known",
    "R105": "a number is not a plain decimal integer",
    "R106": "a number does not fit 64 bits",
    "R107": "a character may not stand where it stands",
    "R108": "a directive is not known",
    "R109": "a word of the language is used as a name",
    "R110": "a source has so many syntax errors that the rest is not read",
    "R111": "parentheses or operators nest too deep",
    "R112": "a part of Soufflé's language is left out of this one",
    "R113": "an aggregate stands elsewhere than alone beside `=`",
    "R114": "the body of an aggregate holds `;` or another aggregate",
    "R115": "something other than an atom is negated",
    "R116": "a rule stands for too many rules",
    "R117": "an included source cannot be read",
    "R118": "sources include one another",
    "R201": "a relation is not declared",
    "R202": "a type is not declared",
    "R203": "a name is declared twice",
    "R204": "an atom has more or fewer terms than its relation has columns",
    "R205": "a constant is not of its column's type",
    "R206": "a symbol is not one of the values of an enumeration",
    "R207": "a variable stands in columns whose types never meet",
    "R208": "a variable may hold values that the column of a head does not take",
    "R209": "a comparison of types that never meet",
    "R210": "two rules have one id",
    "R211": "a given relation is derived",
    "R212": "a relation marked `never` has no rules",
    "R213": "a given relation is marked `never`",
    "R214": "an annotation is not known",
    "R215": "an annotation stands before something it does not describe",
    "R216": "an annotation has a value that it does not take",
    "R217": "a type is made of something other than `symbol` or `number`",
    "R218": "an `.input` names a relation that cannot be given",
    "R219": "two columns of a relation have one name",
    "R220": "an annotation is repeated",
    "R221": "something other than a number is calculated with, or a number is no symbol",
    "R222": "a key or reference names a column that is not there",
    "R223": "a key or reference is about a relation that is not given",
    "R224": "a reference joins columns that do not fit",
    "R225": "a computed relation has rules or is given, never, input or output",
    "R226": "a matcher is not known",
    "R227": "a computed relation does not have two symbol columns",
    "R301": "a variable of a head is not bound",
    "R302": "a variable of a negated atom is not bound",
    "R303": "a variable of a comparison is not bound",
    "R304": "`_` stands in a head",
    "R305": "`_` stands in a comparison",
    "R306": "a relation depends on its own absence",
    "R307": "a variable of an aggregate is not bound",
    "R308": "a relation depends on an aggregate over itself",
    "R309": "the result of an aggregate stands inside it",
    "R310": "arithmetic in the head of a recursive rule",
    "R311": "a variable in the arithmetic of an atom is not bound",
    "R312": "`_` stands in arithmetic or in the target of an aggregate",
    "R313": "a variable of a computed relation is not bound",
    "R314": "`_` stands in a computed relation",
    "R315": "a variable in the target of an aggregate is named outside of it",
    "R316": "`_` stands in a sum that Soufflé would take over fewer rows",
    "R401": "a variable is used once",
    "R402": "a relation is read that has neither rules nor facts",
    "R403": "a rule can never fire",
    "R404": "documentation describes nothing",
    "R501": "a relation is neither read, nor output, nor meant to stay empty",
}

_SEVERITIES: Final[Mapping[str, Severity]] = {"R4": "warning", "R5": "info"}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of text stands: lines and columns from 1, in code points, never over a line."""

    source: str
    line: int
    column: int
    length: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. Notes state the law or the witness, the hint a way to put it right."""

    code: str
    severity: Severity
    place: Place
    message: str
    notes: tuple[str, ...] = ()
    hint: str = ""


def finding(code: str, place: Place, message: str, *notes: str, hint: str = "") -> Diagnostic:
    """A diagnostic of a code of the table: R4xx warns, R5xx informs, all others are errors."""
    if code not in CODES:
        raise KeyError(code)
    return Diagnostic(code, _SEVERITIES.get(code[:2], "error"), place, message, notes, hint)
