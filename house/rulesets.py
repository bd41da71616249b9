"""The rulesets that a House runs: the shipped packs, or a kept one by its version."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from engine import Program
from rules import Ruleset, Source, load
from store import Connection, facts, proofs

PACKS = ("routing", "eligibility", "context")


class RulesetBrokenError(Exception):
    """Rule text that was accepted once does not load now."""

    def __init__(self, name: str, finding: str) -> None:
        super().__init__(f"ruleset `{name}` does not load: {finding}")


class ProjectionMismatchError(Exception):
    """The rules declare other given relations than the House projects."""

    def __init__(self, relation: str, problem: str) -> None:
        super().__init__(f"given relation `{relation}`: {problem}")
        self.relation = relation


@cache
def shipped() -> Ruleset:
    """The shipped packs as one ruleset, held against the projection.

    Raises `RulesetBrokenError` when they do not load, and `ProjectionMismatchError`.
    """
    ruleset = _loaded("shipped", shipped_sources())
    hold_projection(ruleset.program)
    return ruleset


def hold_projection(program: Program) -> None:
    """Compare the given relations of a program with what `store.facts` projects.

    Raises `ProjectionMismatchError` for the first that is on one side only, or of another width or
    other kinds of column.
    """
    declared = {
        relation.name: tuple(program.base_of(column.type) for column in relation.columns)
        for relation in program.relations.values()
        if relation.given
    }
    for name in sorted({*declared, *facts.PROJECTED}):
        if name not in facts.PROJECTED:
            raise ProjectionMismatchError(name, "declared, but nothing projects it")
        if name not in declared:
            raise ProjectionMismatchError(name, "projected, but not declared")
        if declared[name] != facts.PROJECTED[name]:
            wanted, found = ", ".join(declared[name]), ", ".join(facts.PROJECTED[name])
            raise ProjectionMismatchError(name, f"declared with {wanted}, projected with {found}")


def shipped_sources() -> list[Source]:
    """The texts of `facts.dl` and of every pack, given relations first."""
    root = files("rules")
    found = [Source("rules/facts.dl", (root / "facts.dl").read_text(encoding="utf-8"))]
    for pack in PACKS:
        for entry in sorted((root / "packs" / pack).iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith(".dl"):
                name = f"rules/packs/{pack}/{entry.name}"
                found.append(Source(name, entry.read_text(encoding="utf-8")))
    return found


def scenario_files(packs: Sequence[str]) -> list[tuple[str, str]]:
    """The scenario files of some shipped packs: name and text."""
    root = files("rules") / "packs"
    return [
        (f"rules/packs/{pack}/scenarios.toml", (root / pack / "scenarios.toml").read_text("utf-8"))
        for pack in packs
    ]


async def kept(connection: Connection, version: str) -> Ruleset | None:
    """The kept ruleset of that version, None iff there is none."""
    stored = await proofs.ruleset(connection, version)
    return None if stored is None else _loaded(version, [Source("ruleset", stored.text)])


async def ruleset_of(connection: Connection, active: Ruleset, version: str) -> Ruleset | None:
    """The ruleset of a version: the active one, or one that was kept; None iff it is neither."""
    return active if version == active.version else await kept(connection, version)


def _loaded(name: str, sources: list[Source]) -> Ruleset:
    loaded = load(sources)
    if loaded.ruleset is None:
        first = loaded.diagnostics[0]
        raise RulesetBrokenError(name, f"{first.code} {first.message}")
    return loaded.ruleset
