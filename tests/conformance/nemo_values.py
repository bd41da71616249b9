"""Nemo's values as ours: integers are numbers; IRIs and strings are symbols that never meet.

The symbol of an IRI is its text, that of a string is its text between quotes, a language tag behind
them. A cell of a file is read as Nemo reads it, following `nemo/src/io/formats/dsv` of its sources.
"""

import re

from suite_report import OutsideError

import engine

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FRACTION = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)")
_STRING = re.compile(r'".*"(@[^"]+)?', re.DOTALL)
_TYPED = re.compile(r'"(.*)"\^\^<(.+)>', re.DOTALL)
_XSD = "http://www.w3.org/2001/XMLSchema#"


def string(text: str) -> str:
    """The symbol of a plain string."""
    return f'"{text}"'


def number(text: str) -> int:
    """The integer of a decimal; raises `OutsideError` for one that 64 bits cannot hold."""
    value = int(text)
    if not engine.NUMBER_MIN <= value <= engine.NUMBER_MAX:
        raise OutsideError("integer outside 64 bits")
    return value


def typed(text: str, datatype: str) -> engine.Value:
    """The value of a literal with a datatype; raises `OutsideError` for one that we lack."""
    if datatype == f"{_XSD}string":
        return string(text)
    if datatype == f"{_XSD}integer" and _INTEGER.fullmatch(text):
        return number(text)
    raise OutsideError("literal of another datatype")


def cell(text: str, form: str = "any") -> engine.Value | None:
    """The value of a cell in a format of Nemo, None iff Nemo drops such a row.

    Raises `OutsideError` for a value or a format that we lack.
    """
    match form:
        case "any":
            return _any(text.strip())
        case "string":
            return string(text)
        case "int":
            return number(text) if _INTEGER.fullmatch(text) else None
        case _:
            raise OutsideError(f"format `{form}`")


def _any(text: str) -> engine.Value:
    """The value of a cell by its look: an integer, a literal with a datatype, or a symbol."""
    if _FRACTION.fullmatch(text):
        raise OutsideError("number with a fraction")
    if _INTEGER.fullmatch(text):
        return number(text)
    if found := _TYPED.fullmatch(text):
        return typed(*found.groups())
    return _symbol(text)


def _symbol(text: str) -> str:
    """A string when it is quoted, empty or no possible IRI, else an IRI."""
    if text.startswith("<") and text.endswith(">"):
        return text[1:-1]
    if _STRING.fullmatch(text):
        return text
    return string(text) if not text or re.search(r"[> \n]", text) else text
