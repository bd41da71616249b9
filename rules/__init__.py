"""Rule text and the engine's values: reading, judging, printing and trying.

`load` takes sources in a strict subset of Soufflé's syntax and meaning and gives back either a
`Ruleset` (the program, its canonical text, and the version that names both) or every fault of the
text at once, each a `Diagnostic` with a stable code, its place, the law and a hint; `render` prints
one as people read it; `parse_atoms` reads rows alone; `try_scenario` holds a case against rules.
Pure: texts in, values out; no text makes `load` raise, and what is behind `.include` is found by a
function that is passed in.
"""

from rules.atoms import parse_atoms
from rules.diagnostics import CODES, Diagnostic, Place, Severity
from rules.includes import Include
from rules.matchers import MATCHERS
from rules.printer import canonical
from rules.rendering import render
from rules.ruleset import LANGUAGE_VERSION, Loaded, Ruleset, load
from rules.scenarios import Scenario, ScenarioError, read_scenarios
from rules.syntax import Exchange, Tree
from rules.tokens import Source
from rules.trials import Trial, try_scenario, uncovered

__all__ = [
    "CODES",
    "LANGUAGE_VERSION",
    "MATCHERS",
    "Diagnostic",
    "Exchange",
    "Include",
    "Loaded",
    "Place",
    "Ruleset",
    "Scenario",
    "ScenarioError",
    "Severity",
    "Source",
    "Tree",
    "Trial",
    "canonical",
    "load",
    "parse_atoms",
    "read_scenarios",
    "render",
    "try_scenario",
    "uncovered",
]
