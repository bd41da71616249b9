"""Constants: whether a value belongs to the type of its column."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.printer import write_value
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit
from rules.uses import base_of, base_of_value

_VALUES_SHOWN: Final = 20


def find_constant_faults(
    unit: Unit, column: syntax.Column, value: engine.Value, word: Token, atom: syntax.Atom
) -> Iterator[Diagnostic]:
    """A constant of another base than its column, or outside the column's enumeration."""
    if base_of(unit, column.type.text) != base_of_value(value):
        where = f"column {show(column.name.text)} of {show(atom.relation.text)}"
        written = show(write_value(value))
        message = f"{written} is a `{base_of_value(value)}`, {where} takes a `{column.type.text}`"
        yield finding("R205", word.place, message, f"declared at {column.type.place}")
    else:
        yield from find_enumeration_faults(unit, column.type.text, value, word)


def find_enumeration_faults(
    unit: Unit, type_name: str, value: engine.Value, word: Token
) -> Iterator[Diagnostic]:
    """A symbol that is not among the values of an enumeration."""
    values = unit.enumerations.get(type_name)
    if not values or not isinstance(value, str) or value in values:
        return
    shown = ", ".join(show(write_value(known)) for known in islice(values, _VALUES_SHOWN))
    more = f" and {len(values) - _VALUES_SHOWN} more" if len(values) > _VALUES_SHOWN else ""
    place = unit.types[type_name].name.place
    note = f"the values of `{type_name}` are {shown}{more}, declared at {place}"
    near = unit.spelling.nearest(value, values)
    hint = f"did you mean {show(write_value(near))}?" if near is not None else ""
    message = f"{show(write_value(value))} is not a value of `{type_name}`"
    yield finding("R206", word.place, message, note, hint=hint)
