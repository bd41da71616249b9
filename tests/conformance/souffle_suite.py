"""Soufflé's own tests, those that our subset can hold, against the answers kept beside them.

A case is a folder of Soufflé's layout: `NAME/NAME.dl`, `NAME/facts/*.facts`, `NAME/*.csv`. Facts
are read as `athanor rules run` reads them.
"""

from collections.abc import Iterator
from pathlib import Path

from suite_report import Answer, Case, FormError, OutsideError, program_of

import engine
from api.cli.fact_files import Input, inputs_of, read_facts
from api.cli.outcome import CommandError
from rules import Loaded, Source, load


def programs(root: Path) -> list[Path]:
    """The programs of the cases below a folder."""
    return [file for file in sorted(root.rglob("*.dl")) if file.stem == file.parent.name]


def prepare(file: Path) -> Case:
    """The case of a program; raises `OutsideError` and `FormError`."""
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        raise OutsideError("not UTF-8") from None
    loaded = load([Source(str(file), text)], include=_include)
    program = program_of(loaded)
    try:
        inputs = inputs_of(loaded.trees)
    except CommandError as cause:
        raise OutsideError(str(cause)) from cause
    answers = list(_answers(file, loaded, program))
    return Case(program, _facts(file, program, inputs) if answers else (), answers)


def _include(including: str, wanted: str) -> Source | None:
    path = Path(including).parent / wanted
    return Source(str(path), path.read_text(encoding="utf-8")) if path.is_file() else None


def _facts(file: Path, program: engine.Program, inputs: list[Input]) -> list[engine.Fact]:
    try:
        return read_facts(program, file.parent / "facts", inputs)
    except CommandError as cause:
        raise FormError(str(cause).replace(f"{file.parent}/", "")) from cause


def _answers(file: Path, loaded: Loaded, program: engine.Program) -> Iterator[Answer]:
    """The answers for each `.output` that has a file, in the form that it asks for."""
    for exchange in (exchange for tree in loaded.trees for exchange in tree.exchanges):
        name = exchange.relation.text
        given = {key.text.lower(): value.text for key, value in exchange.parameters}
        path = file.parent / given.get("filename", f"{name}.csv")
        if exchange.direction == "output" and path.is_file():
            unknown = sorted(set(given) - {"io", "filename", "delimiter"})
            if unknown:
                raise FormError(f"{path.name}: output parameter `{unknown[0]}`")
            delimiter = given.get("delimiter", "\t").replace("\\t", "\t")
            yield Answer(name, name, _rows(program, name, path, delimiter))


def _rows(program: engine.Program, name: str, path: Path, delimiter: str) -> frozenset[engine.Row]:
    bases = [program.base_of(column.type) for column in program.relations[name].columns]
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[-1] == "":
        lines.pop()
    found: set[engine.Row] = set()
    for line in lines:
        cells = [] if not bases and line == "()" else line.removesuffix("\r").split(delimiter)
        if len(cells) != len(bases):
            raise FormError(f"{path.name}: columns: {len(bases)}, cells: {len(cells)}")
        pairs = zip(cells, bases, strict=True)
        try:
            found.add(tuple(int(c) if base == engine.NUMBER else c for c, base in pairs))
        except ValueError as cause:
            raise FormError(f"{path.name}: {cause}") from cause
    return frozenset(found)
