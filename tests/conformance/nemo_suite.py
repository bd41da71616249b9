"""Nemo's test cases, those that our subset can hold, against the answers kept beside them.

A case is a file `NAME.rls`; the folder `NAME` beside it holds the files that its exports write.
What is imported lies where the program says, from its own folder.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from column_types import ColumnTypes
from nemo_files import answered, exported_name, form_of, imported, oddities_of
from nemo_reader import read
from nemo_syntax import Program, widths_of
from nemo_text import name, oddities
from nemo_translation import copied, rules_of
from suite_report import Answer, Case, FormError, OutsideError, program_of

import engine
from rules import Source, load


def programs(root: Path) -> list[Path]:
    """The programs of the cases below a folder."""
    return sorted(root.rglob("*.rls"))


def prepare(file: Path) -> Case:
    """The case of a program; raises `OutsideError` with all that is left out, and `FormError`."""
    try:
        theirs = read(file.read_bytes().decode())
    except UnicodeDecodeError:
        raise OutsideError("not UTF-8") from None
    odd = oddities(theirs)
    odd.update(reason for one in theirs.imports for reason in oddities_of(one, "import"))
    odd.update(reason for one in theirs.exports for reason in oddities_of(one, "export"))
    if odd:
        raise OutsideError(", ".join(sorted(odd)))
    rows = {one.predicate: set[engine.Row]() for one in theirs.imports}
    widths = widths_of(theirs)
    for one in theirs.imports:
        width = widths.get(one.predicate, 0)
        rows[one.predicate].update(imported(file.parent, form_of(one), width))
    facts = [
        engine.Fact.of(name("i", predicate), row, "suite")
        for predicate, found in rows.items()
        for row in sorted(found, key=engine.order_key)
    ]
    return Case(_typed(theirs, rows), facts, list(_answers(file, theirs)))


def _typed(theirs: Program, rows: Mapping[str, set[engine.Row]]) -> engine.Program:
    """A program over what it imports, with the types that follow from both.

    Raises `OutsideError` when some would have to meet, and with the codes that refuse the rules.
    """
    lines, widths = rules_of(theirs), widths_of(theirs)
    for predicate, found in rows.items():
        of_rows = dict.fromkeys(map(len, found), None)
        if len(of_rows) > 1:
            raise OutsideError("imports of different widths")
        lines += [copied(predicate, n) for n in of_rows or [widths.get(predicate, 0)] if n]
    types = ColumnTypes(numeric_order=True)
    untyped = load([Source("case", "\n".join(lines))])
    for rule in (rule for tree in untyped.trees for rule in tree.rules):
        types.see_rule(rule)
    for predicate, found in rows.items():
        for row in found:
            types.see_row(name("i", predicate), row)
    if types.mixed():
        raise OutsideError("numbers and symbols in one column")
    declared = types.declarations({name("i", predicate) for predicate in rows})
    return program_of(load([Source("case", "\n".join([*declared, *lines]))]))


def _answers(file: Path, theirs: Program) -> Iterator[Answer]:
    """The answer for each file that an export of a program must write."""
    exports = {exported_name(one): one for one in theirs.exports}
    for answer in sorted(file.with_suffix("").glob("*")):
        if answer.name not in exports:
            raise FormError(f"no export writes `{answer.name}`")
        export = exports[answer.name]
        found = answered(answer, form_of(export))
        yield Answer(name("p", export.predicate), export.predicate, found)
