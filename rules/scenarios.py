"""Scenarios: facts in, conclusions and absences expected, as data beside a pack.

A file is TOML with a list `scenario` of tables: `name`; `facts`, a text of facts; `holds` and
`absent`, texts of atoms in which `_` stands for any value; `exactly`, relations whose rows are just
those that `holds` lists. Facts under `[common]` belong to every scenario of the file.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import engine
from rules.atoms import parse_atoms
from rules.diagnostics import Diagnostic


class ScenarioError(Exception):
    """A scenario file cannot be read; the message names the scenario and the place in it."""

    def __init__(self, file: str, place: str, problem: str) -> None:
        super().__init__(f"{file}: {place}: {problem}")
        self.file = file
        self.place = place
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Scenario:
    """One case: what is given, what must follow, and what must not."""

    name: str
    facts: tuple[engine.Fact, ...]
    holds: tuple[engine.Atom, ...]
    absent: tuple[engine.Atom, ...]
    exactly: tuple[str, ...]


_FIELDS = {"name", "facts", "holds", "absent", "exactly"}


def read_scenarios(file: str, text: str) -> tuple[Scenario, ...]:
    """The scenarios of a file in order; raises `ScenarioError` for the first that is wrong."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as cause:
        raise ScenarioError(file, "file", str(cause).lower()) from cause
    if set(content) - {"scenario", "common"}:
        raise ScenarioError(file, "file", "only `scenario` and `common` may stand at the top")
    common = _table(file, "common", content.get("common", {}), {"facts"})
    shared = _facts(file, "common", common.get("facts", ""))
    tables = content.get("scenario", [])
    if not isinstance(tables, list) or not tables:
        raise ScenarioError(file, "file", "there is no `[[scenario]]`")
    found = [
        _scenario(file, n, table, shared) for n, table in enumerate(cast("list[object]", tables))
    ]
    names = [scenario.name for scenario in found]
    for name in names:
        if names.count(name) > 1:
            raise ScenarioError(file, f"scenario `{name}`", "the name stands twice")
    return tuple(found)


def _scenario(file: str, number: int, value: object, shared: tuple[engine.Fact, ...]) -> Scenario:
    place = f"scenario {number + 1}"
    table = _table(file, place, value, _FIELDS)
    name = table.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ScenarioError(file, place, "`name` is missing")
    place = f"scenario `{name}`"
    exactly = table.get("exactly", [])
    if not isinstance(exactly, list) or not all(
        isinstance(item, str) for item in cast("list[object]", exactly)
    ):
        raise ScenarioError(file, place, "`exactly` is not a list of relations")
    holds = _atoms(file, place, table.get("holds", ""))
    absent = _atoms(file, place, table.get("absent", ""))
    if not holds and not absent and not exactly:
        raise ScenarioError(file, place, "it expects nothing")
    facts = (*shared, *_facts(file, place, table.get("facts", "")))
    return Scenario(name, facts, holds, absent, tuple(cast("list[str]", exactly)))


def _table(file: str, place: str, value: object, names: set[str]) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ScenarioError(file, place, "not a table")
    table = cast("dict[str, object]", value)
    unknown = sorted(set(table) - names)
    if unknown:
        raise ScenarioError(file, place, f"unknown field `{unknown[0]}`")
    return table


def _atoms(file: str, place: str, value: object) -> tuple[engine.Atom, ...]:
    if not isinstance(value, str):
        raise ScenarioError(file, place, "facts and expectations are texts")
    found = parse_atoms(value, file)
    if found and isinstance(found[0], Diagnostic):
        raise ScenarioError(file, place, found[0].message)
    return tuple(atom for atom in found if isinstance(atom, engine.Atom))


def _facts(file: str, place: str, value: object) -> tuple[engine.Fact, ...]:
    facts: list[engine.Fact] = []
    for atom in _atoms(file, place, value):
        row = tuple(t.value for t in atom.terms if isinstance(t, engine.Constant))
        if len(row) != len(atom.terms):
            raise ScenarioError(file, place, f"`_` in a fact of `{atom.relation}`")
        facts.append(engine.Fact.of(atom.relation, row, "scenario"))
    return tuple(facts)
