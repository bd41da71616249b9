"""Facts as Soufflé writes them: one file a relation, a line a row, columns between tabs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from api.cli.outcome import CommandError, Exit, counted
from engine import NUMBER, NUMBER_MAX, NUMBER_MIN, Fact, Program, Relation, Value
from rules import Exchange, Tree

_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Input:
    """One `.input` of a relation: a file in the folder of facts, and what divides its columns."""

    relation: str
    file: str
    delimiter: str = "\t"


def inputs_of(trees: Iterable[Tree]) -> list[Input]:
    """What the `.input` directives of some sources ask for.

    Raises `CommandError` for a parameter that changes how a file is read and is not known here:
    reading it otherwise would be a wrong answer.
    """
    return [
        _input(exchange)
        for tree in trees
        for exchange in tree.exchanges
        if exchange.direction == "input"
    ]


def read_facts(program: Program, folder: Path, inputs: Sequence[Input]) -> list[Fact]:
    """The facts of every given relation, from the files of its inputs, else `RELATION.facts`.

    Symbols are taken as they stand. Raises `CommandError` for a missing file, and for a line that
    does not fit, naming file, line and column.
    """
    facts: list[Fact] = []
    for name in sorted(program.relations):
        if program.relations[name].given:
            asked = [i for i in inputs if i.relation == name] or [Input(name, f"{name}.facts")]
            for each in asked:
                facts.extend(_of_relation(program, program.relations[name], folder, each))
    return facts


def write_rows(rows: Mapping[str, list[list[Value]]]) -> str:
    """Relations as Soufflé prints them: a heading, then a line a row, columns between tabs."""
    lines: list[str] = []
    for name, found in rows.items():
        lines.append(f"---------------\n{name}\n===============")
        lines += ["\t".join(str(value) for value in row) if row else "()" for row in found]
    return "\n".join(lines)


def _input(exchange: Exchange) -> Input:
    name = exchange.relation.text
    given = {key.text.lower(): value.text for key, value in exchange.parameters}
    unknown = sorted(set(given) - {"io", "filename", "delimiter"})
    if unknown or given.get("io", "file") != "file":
        odd = unknown[0] if unknown else "IO"
        raise CommandError(f"input of `{name}`: parameter `{odd}` is not supported", Exit.USAGE)
    file = given.get("filename", f"{name}.facts")
    if Path(file).is_absolute() or ".." in Path(file).parts:
        raise CommandError(f"input of `{name}`: `{file}` is outside the folder", Exit.USAGE)
    return Input(name, file, given.get("delimiter", "\t").replace("\\t", "\t") or "\t")


def _of_relation(
    program: Program, relation: Relation, folder: Path, asked: Input
) -> Iterator[Fact]:
    file = folder / asked.file
    try:
        lines = file.read_bytes().decode().split("\n")
    except FileNotFoundError as cause:
        message = f"no facts for given relation `{relation.name}`: `{file}` is missing"
        raise CommandError(message, Exit.USAGE) from cause
    except (OSError, UnicodeDecodeError) as cause:
        raise CommandError(f"`{file}` cannot be read as UTF-8", Exit.USAGE) from cause
    if lines[-1] == "":
        lines.pop()
    bases = [program.base_of(column.type) for column in relation.columns]
    for number, line in enumerate(lines, 1):
        cells = _cells(line, len(bases), asked.delimiter)
        if len(cells) != len(bases):
            message = (
                f"{file}:{number}: {counted(len(bases), 'column')} declared, {len(cells)} found"
            )
            raise CommandError(message, Exit.USAGE)
        row = tuple(
            _value(cell, base, f"{file}:{number}: column `{column.name}`")
            for cell, base, column in zip(cells, bases, relation.columns, strict=True)
        )
        yield Fact.of(relation.name, row, f"{file.name}:{number}")


def _cells(line: str, columns: int, delimiter: str) -> list[str]:
    text = line.removesuffix("\r")
    return [] if columns == 0 and text in {"", "()"} else text.split(delimiter)


def _value(cell: str, base: str, place: str) -> Value:
    if base != NUMBER:
        return cell
    digits = cell.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < _MOST_DIGITS):
        raise CommandError(f"{place}: `{cell[:40]}` is not a number", Exit.USAGE)
    number = int(cell)
    if not NUMBER_MIN <= number <= NUMBER_MAX:
        raise CommandError(f"{place}: number outside 64 bits", Exit.USAGE)
    return number
