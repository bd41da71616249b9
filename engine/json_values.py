"""Strict reading of JSON values: the kind that is asked for, or a refusal naming the place."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from engine.digests import Content
from engine.terms import NUMBER_MAX, NUMBER_MIN, Pattern, Row, Value

Json: TypeAlias = "str | int | Sequence[Json] | Mapping[str, Json] | None"


_LONGEST_REASON: Final = 400


class MalformedCertificateError(Exception):
    """A certificate does not have the form that the format demands."""

    def __init__(self, problem: str) -> None:
        self.problem = printable(problem)
        super().__init__(f"malformed certificate: {self.problem}")


def content_of(value: Json) -> Content:
    """A JSON value as digest content; an object becomes its sorted pairs behind a tag."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        pairs: list[Content] = [[name, content_of(value[name])] for name in sorted(value)]
        return ["object", pairs]
    return ["list", _Contents(value)]


class _Contents(Collection[Content]):
    """The items of a JSON list as digest contents, made one at a time: a trace can be long."""

    def __init__(self, items: Sequence[Json]) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Content]:
        return map(content_of, self._items)

    def __contains__(self, item: object) -> bool:
        return item in tuple(self)


def read_object(value: object, place: str, names: set[str] | None = None) -> dict[str, object]:
    """An object, with just the named fields if names are given."""
    if not isinstance(value, dict):
        raise MalformedCertificateError(f"{place}: not an object")
    if not all(isinstance(name, str) for name in cast("dict[object, object]", value)):
        raise MalformedCertificateError(f"{place}: a field name that is not a text")
    found = cast("dict[str, object]", value)
    if names is not None and set(found) != names:
        odd = ", ".join(f"`{name}`" for name in sorted(set(found) ^ names))
        raise MalformedCertificateError(f"{place}: missing or unknown field {odd}")
    return found


def read_list(value: object, place: str) -> list[object]:
    """A list."""
    if not isinstance(value, list):
        raise MalformedCertificateError(f"{place}: not a list")
    return cast("list[object]", value)


def read_text(value: object, place: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise MalformedCertificateError(f"{place}: not a text")
    return value


def read_number(value: object, place: str) -> int:
    """An integer; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedCertificateError(f"{place}: not a number")
    if not NUMBER_MIN <= value <= NUMBER_MAX:
        raise MalformedCertificateError(f"{place}: a number outside 64 bits")
    return value


def read_texts(value: object, place: str) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(read_text(item, place) for item in read_list(value, place))


def read_value(value: object, place: str) -> Value:
    """A symbol or a number; a truth value is neither."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise MalformedCertificateError(f"{place}: neither a symbol nor a number")
    return value if isinstance(value, str) else read_number(value, place)


def read_row(value: object, place: str) -> Row:
    """A list of symbols and numbers."""
    return tuple(read_value(item, place) for item in read_list(value, place))


def read_pattern(value: object, place: str) -> Pattern:
    """A list of symbols, numbers and nulls."""
    items = read_list(value, place)
    return tuple(None if item is None else read_value(item, place) for item in items)


def read_bound(value: object, name: str) -> dict[str, int]:
    """What a limit allows and what was used of it."""
    place = f"execution_bounds.{name}"
    bound = read_object(value, place, {"limit", "used"})
    return {key: read_number(number, place) for key, number in bound.items()}


def printable(text: str) -> str:
    """The text as one line that any output can carry; what cannot be printed is escaped."""
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text[:_LONGEST_REASON]
    )
    return shown if len(text) <= _LONGEST_REASON else f"{shown} …"
