"""Diagnostics: what is wrong with rule text, where, and what to do about it.

`CODES` is the one table of codes. A code keeps its meaning for ever and is never given to another
fault: R1xx syntax, R2xx declarations and types, R3xx safety and strata, R4xx warnings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning"]

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
    "R218": "an `.input` names a relation that is not given",
    "R219": "two columns of a relation have one name",
    "R220": "an annotation is repeated",
    "R301": "a variable of a head is not bound",
    "R302": "a variable of a negated atom is not bound",
    "R303": "a variable of a comparison is not bound",
    "R304": "`_` stands in a head",
    "R305": "`_` stands in a comparison",
    "R306": "a relation depends on its own absence",
    "R401": "a variable is used once",
    "R402": "a relation is read that has neither rules nor facts",
    "R403": "a rule can never fire",
    "R404": "documentation describes nothing",
}


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
    """A diagnostic of a code of the table, a warning iff the code is R4xx."""
    if code not in CODES:
        raise KeyError(code)
    severity: Severity = "warning" if code.startswith("R4") else "error"
    return Diagnostic(code, severity, place, message, notes, hint)
