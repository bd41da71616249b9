"""Rulesets: a program with the text and the version that name it, and how sources become one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import engine
from rules import syntax
from rules.annotations import find_annotation_faults
from rules.cycles import find_cycles
from rules.declarations import find_declaration_faults
from rules.diagnostics import Diagnostic
from rules.lowering import lower
from rules.misfits import find_misfits
from rules.parser import parse
from rules.printer import canonical
from rules.references import find_unresolved
from rules.roles import find_role_faults
from rules.safety import find_unsafe
from rules.spelling import Spelling
from rules.suspicions import find_suspicions
from rules.tokens import Source
from rules.unit import Unit, unite

LANGUAGE_VERSION: Final = 1
"""Goes up whenever some text that could be loaded before would mean something else."""

Pass: TypeAlias = Callable[[Unit], Iterator[Diagnostic]]

PASSES: Final[tuple[Pass, ...]] = (
    find_annotation_faults,
    find_declaration_faults,
    find_unresolved,
    find_role_faults,
    find_misfits,
    find_unsafe,
    find_cycles,
    find_suspicions,
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

    `trees` are the sources as written, one each, with documentation, keys, references and sources.
    """

    ruleset: Ruleset | None
    diagnostics: tuple[Diagnostic, ...]
    trees: tuple[syntax.Tree, ...]


def load(sources: Sequence[Source]) -> Loaded:
    """The ruleset of some sources, or everything that is wrong with them; it never raises."""
    spelling = Spelling()
    trees: list[syntax.Tree] = []
    findings: list[Diagnostic] = []
    for source in sources:
        tree, faults = parse(source, spelling)
        trees.append(tree)
        findings.extend(faults)
    unit = unite(tuple(trees), spelling)
    for find in PASSES:
        findings.extend(find(unit))
    ordered = _in_order(sources, findings)
    refused = any(finding.severity == "error" for finding in ordered)
    return Loaded(None if refused else seal(lower(unit)), ordered, unit.trees)


def seal(program: engine.Program) -> Ruleset:
    """The ruleset of a program that is known to be right."""
    text = canonical(program)
    return Ruleset(engine.digest(["ruleset", LANGUAGE_VERSION, text]), program, text)


def _in_order(sources: Sequence[Source], findings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each finding once, by source, line, column and code."""
    index: dict[str, int] = {}
    for source in sources:
        index.setdefault(source.name, len(index))
    return tuple(
        sorted(
            dict.fromkeys(findings),
            key=lambda found: (
                index[found.place.source],
                found.place.line,
                found.place.column,
                found.code,
                found.message,
            ),
        )
    )
