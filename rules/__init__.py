"""Rule text and the engine's values: reading, judging and printing.

`load` takes sources in a strict subset of Soufflé's syntax and meaning and gives back either a
`Ruleset` (the program, its canonical text, and the version that names both) or every fault of the
text at once, each a `Diagnostic` with a stable code, its place, the law and a hint; `render` prints
one as people read it. Pure: texts in, values out; no text makes it raise.
"""

from rules.diagnostics import CODES, Diagnostic, Place, Severity
from rules.matchers import MATCHERS
from rules.printer import canonical
from rules.rendering import render
from rules.ruleset import LANGUAGE_VERSION, Loaded, Ruleset, load
from rules.tokens import Source

__all__ = [
    "CODES",
    "LANGUAGE_VERSION",
    "MATCHERS",
    "Diagnostic",
    "Loaded",
    "Place",
    "Ruleset",
    "Severity",
    "Source",
    "canonical",
    "load",
    "render",
]
