"""Rule files on the command line: files, folders, and the names of shipped packs."""

from dataclasses import replace
from os.path import normpath
from pathlib import Path

import click

from api.cli.fact_files import Input, inputs_of
from api.cli.outcome import CommandError, Exit
from engine import Program
from house import PACKS, shipped_sources
from rules import Loaded, Ruleset, Source, load, render


def sources_of(names: tuple[str, ...]) -> list[Source]:
    """The sources that are named: a `.dl` file, all `.dl` files of a folder, or a shipped pack.

    `shipped` stands for all packs; the name of one pack brings the given relations and the packs
    that it builds on. Raises `CommandError` for what is none of these.
    """
    found: list[Source] = []
    for name in names:
        path = Path(name)
        if path.is_file():
            found.append(read_source(path))
        elif path.is_dir():
            files = sorted(path.glob("*.dl"))
            if not files:
                raise CommandError(f"`{name}` holds no `.dl` file", Exit.USAGE)
            found.extend(read_source(file) for file in files)
        elif name == "shipped" or name in PACKS:
            found.extend(shipped_sources())
        else:
            message = f"`{name}` is no file, no folder and no shipped pack"
            raise CommandError(message, Exit.USAGE)
    return list({source.name: source for source in found}.values())


def read_source(path: Path) -> Source:
    """The source in a file; raises `CommandError` for what is not UTF-8."""
    try:
        return Source(str(path), path.read_bytes().decode())
    except UnicodeDecodeError as cause:
        raise CommandError(f"{path}: not UTF-8 at byte {cause.start}", Exit.USAGE) from cause
    except OSError as cause:
        raise CommandError(f"`{path}` cannot be read", Exit.USAGE) from cause


def include(including: str, wanted: str) -> Source | None:
    """The file that a source includes, beside it; None iff there is none."""
    path = Path(normpath(Path(including).parent / wanted))
    return read_source(path) if path.is_file() else None


def load_named(names: tuple[str, ...]) -> tuple[Loaded, dict[str, str]]:
    """What became of the named sources, and the text of each by name."""
    loaded = load(sources_of(names), include=include)
    return loaded, {source.name: source.text for source in loaded.sources}


def ruleset_of(names: tuple[str, ...]) -> Ruleset:
    """The ruleset of the named sources; prints the findings and leaves with 2 iff it has errors."""
    return _ruleset_of(load_named(names))


def with_inputs(names: tuple[str, ...]) -> tuple[Ruleset, list[Input]]:
    """The ruleset of the named sources, and what their `.input` directives ask for."""
    loaded, texts = load_named(names)
    return _ruleset_of((loaded, texts)), inputs_of(loaded.trees)


def own_rules(names: tuple[str, ...]) -> Program:
    """The rules that the names stand for: of packs that are named alone, just their own."""
    loaded, texts = load_named(names)
    program = _ruleset_of((loaded, texts)).program
    packs = [name for name in names if name in PACKS and not Path(name).exists()]
    if len(packs) < len(names):
        return program
    folders = tuple(f"rules/packs/{pack}/" for pack in packs)
    own = {
        relation.name.text
        for source, tree in zip(loaded.sources, loaded.trees, strict=True)
        if source.name.startswith(folders)
        for relation in tree.relations
    }
    return replace(program, rules=tuple(r for r in program.rules if r.head.relation in own))


def _ruleset_of(found: tuple[Loaded, dict[str, str]]) -> Ruleset:
    loaded, texts = found
    for diagnostic in loaded.diagnostics:
        click.echo(render(diagnostic, texts[diagnostic.place.source]), err=True)
    if loaded.ruleset is None:
        raise SystemExit(Exit.USAGE)
    return loaded.ruleset
