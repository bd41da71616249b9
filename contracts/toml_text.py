"""Fields written as TOML, in one way only, with nothing in it that does not show."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from contracts.signs import HIDDEN

Value: TypeAlias = str | int | bool | list[str] | Mapping[str, "Value"]

_LONGEST_LIST: Final = 88
_ESCAPED: Final = re.compile(rf'["\\{HIDDEN}]')
_END_OF_LINE: Final = re.compile(r"[^\S\n]$", re.MULTILINE)
_FENCE: Final = re.compile(r"^\+", re.MULTILINE)


def toml_lines(fields: Mapping[str, Value]) -> Iterator[str]:
    """The lines of a TOML document: plain fields in the order given, then tables."""
    tables = {name: value for name, value in fields.items() if isinstance(value, Mapping)}
    for name, value in fields.items():
        if not isinstance(value, Mapping):
            yield f"{name} = {_value(value)}"
    for name, table in tables.items():
        yield f"[{name}]"
        yield from toml_lines(table)


def _value(value: str | int | bool | list[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _lines(value) if "\n" in value else _string(value)
    items = [_string(item) for item in value]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= _LONGEST_LIST else "[\n" + "".join(f"  {i},\n" for i in items) + "]"


def _string(text: str) -> str:
    return f'"{_escaped(text)}"'.replace("\t", r"\t")


def _lines(text: str) -> str:
    """A string over several lines, none of which an editor trims or a reader takes for `+++`."""
    escaped = _FENCE.sub(r"\\u002B", _escaped(text))
    return '"""\n' + _END_OF_LINE.sub(lambda found: _code(found[0]), escaped) + '"""'


def _escaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _escape(found[0]), text)


def _escape(sign: str) -> str:
    return f"\\{sign}" if sign in '"\\' else _code(sign)


def _code(sign: str) -> str:
    point = ord(sign)
    return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"  # noqa: PLR2004
