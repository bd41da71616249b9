"""Rulesets: a program with the text and the version that name it, and how sources become one."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import engine
from rules import syntax
from rules.annotations import find_annotation_faults
from rules.computed import find_computed_faults
from rules.constraints import find_constraint_faults
from rules.cycles import find_cycles
from rules.declarations import find_declaration_faults
from rules.diagnostics import Diagnostic, Place
from rules.emptiness import find_dead_rules
from rules.includes import Include, read_all
from rules.leftovers import find_leftovers
from rules.lowering import lower
from rules.matchers import MATCHERS
from rules.misfits import find_misfits
from rules.oversized import find_oversized
from rules.printer import canonical
from rules.references import find_unresolved
from rules.roles import find_role_faults
from rules.safety import find_unsafe
from rules.spelling import Spelling
from rules.suspicions import find_suspicions
from rules.tokens import Source
from rules.unit import Unit, unite

LANGUAGE_VERSION: Final = 2
"""Goes up whenever some text that could be loaded before would mean something else."""

Pass: TypeAlias = Callable[[Unit], Iterator[Diagnostic]]

PASSES: Final[tuple[Pass, ...]] = (
    find_annotation_faults,
    find_declaration_faults,
    find_constraint_faults,
    find_computed_faults,
    find_oversized,
    find_unresolved,
    find_role_faults,
    find_misfits,
    find_unsafe,
    find_cycles,
    find_suspicions,
    find_dead_rules,
    find_leftovers,
)
"""What is looked for, each pass on its own; their findings are put in source order at the end."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A program that may be evaluated, its canonical print, and the digest of that."""

    version: str
    program: engine.Program
    text: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of some sources: all findings in source order; a ruleset iff none is an error.

    `sources` are all that were read, those that were included too; `trees` are the sources as
    written, one each, with documentation, parameters and sources of facts.
    """

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    trees: tuple[syntax.Tree, ...]
    sources: tuple[Source, ...]


def load(
    sources: Sequence[Source],
    include: Include | None = None,
    matchers: Collection[str] = MATCHERS,
) -> Loaded:
    """The ruleset of some sources, or everything that is wrong with them; no text makes it raise.

    `include` finds what `.include` names; without it every include is a fault. `matchers` are the
    names that `@[computed]` may take.
    """
    spelling = Spelling()
    reading = read_all(sources, spelling, include)
    unit = unite(tuple(reading.trees), spelling, matchers)
    findings = reading.findings
    for find in PASSES:
        findings.extend(find(unit))
    ordered = _in_order(reading.sources, findings)
    refused = any(finding.severity == "error" for finding in ordered)
    ruleset = None if refused else seal(lower(unit))
    return Loaded(ruleset, ordered, unit.trees, tuple(reading.sources))


def seal(program: engine.Program) -> Ruleset:
    """The ruleset of a program that is known to be right."""
    text = canonical(program)
    return Ruleset(engine.digest(["ruleset", LANGUAGE_VERSION, text]), program, text)


def _in_order(sources: Sequence[Source], findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each finding once, by source, line, column and code; alternatives repeat one another."""
    index: dict[str, int] = {}
    for source in sources:
        index.setdefault(source.name, len(index))
    once: dict[tuple[str, Place, str], Diagnostic] = {}
    for found in findings:
        once.setdefault((found.code, found.place, found.message), found)
    return tuple(
        sorted(
            once.values(),
            key=lambda found: (
                index[found.place.source],
                found.place.line,
                found.place.column,
                found.code,
                found.message,
            ),
        )
    )
