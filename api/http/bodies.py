"""JSON bodies: one that cannot be read is refused with the place where reading stopped.

They are read strictly: no name twice in one object, no NaN, no infinity, and no number that would
become one. What a number may be is then the contract's to say.
"""

import json
from collections.abc import Iterator
from functools import partial
from itertools import islice
from math import isfinite
from typing import Any, Final, cast

from litestar import Request
from litestar.exceptions import ClientException
from litestar.plugins.pydantic import PydanticPlugin

MAX_BODY_BYTES: Final = 10_000_000
MAX_IMPORT_BYTES: Final = 64 * 1024 * 1024

_MOST_PLACES: Final = 100


class UnreadableBodyError(ClientException):
    """A body is no JSON; the detail says where, and repeats nothing of it."""


class RepeatedNameError(ClientException):
    """Objects of a body have a name twice: `places` are the first hundred, in document order."""

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__(f"`{places[0]}` stands twice in one object")
        self.places = places


class JsonRequest(Request[Any, Any, Any]):
    """A request whose JSON body is read strictly, once."""

    async def json(self) -> Any:
        """The value of the body; raises `UnreadableBodyError` or `RepeatedNameError`."""
        if "body" not in self.scope["state"]:
            self.scope["state"]["body"] = read_body(await self.body())
        return self.scope["state"]["body"]


def body_of(request: Request[Any, Any, Any]) -> Any:
    """The value of the body if it was read, else None."""
    return request.scope["state"].get("body")


class _Pairs(list[tuple[str, Any]]):
    """An object in which a name stands twice."""


def read_body(body: bytes) -> Any:
    """The value of a body; None for no body at all.

    A lone surrogate stays in the value, and the contract refuses it with its field. Raises
    `UnreadableBodyError` iff the body is no JSON, and `RepeatedNameError` iff a name stands twice.
    """
    if not body:
        return None
    repeating: list[_Pairs] = []
    try:
        value = json.loads(
            body.decode(),
            object_pairs_hook=partial(_object, repeating),
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except UnicodeDecodeError as cause:
        raise UnreadableBodyError(f"not UTF-8 at byte {cause.start}") from cause
    except json.JSONDecodeError as cause:
        place = f"line {cause.lineno}, column {cause.colno}"
        raise UnreadableBodyError(f"not JSON at {place}") from cause
    except RecursionError as cause:
        raise UnreadableBodyError("nested too deeply") from cause
    except ValueError as cause:
        raise UnreadableBodyError("it holds a number that is out of range") from cause
    if repeating:
        raise RepeatedNameError(tuple(islice(_repeated(value), _MOST_PLACES)))
    return value


def strict_contracts() -> PydanticPlugin:
    """The plugin that reads contracts as strictly as they ask.

    The plugin's own choices are stricter than the contracts (a list is then no tuple) or laxer
    (`"true"` is then a truth value); without a choice a contract's own configuration holds.
    """
    return PydanticPlugin(validate_strict=cast("bool", None))


def _object(repeating: list[_Pairs], pairs: list[tuple[str, Any]]) -> object:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating.append(_Pairs(pairs))
    return repeating[-1]


def _repeated(value: object) -> Iterator[str]:
    """The places of names that stand twice, in document order."""
    stack: list[tuple[str, object]] = [("", value)]
    while stack:
        place, item = stack.pop()
        if isinstance(item, _Twice):
            yield place
            continue
        stack += reversed([(f"{place}.{name}" if place else name, v) for name, v in _parts(item)])


class _Twice:
    """Stands where a name stands for the second time."""


def _parts(item: object) -> Iterator[tuple[str, object]]:
    """What lies in a value, by name or number; a name that repeats comes first as `_Twice`."""
    if isinstance(item, _Pairs):
        seen: set[str] = set()
        for name, value in item:
            if name in seen:
                yield name, _Twice()
            seen.add(name)
            yield name, value
    elif isinstance(item, dict):
        yield from cast("dict[str, object]", item).items()
    elif isinstance(item, list):
        for number, value in enumerate(cast("list[object]", item)):
            yield str(number), value


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        problem = "out of range"
        raise ValueError(problem)
    return number


def _no_constant(_: str) -> None:
    problem = "neither NaN nor infinity is a number"
    raise ValueError(problem)
