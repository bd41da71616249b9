"""JSON bodies: one that cannot be read is refused with the place where reading stopped."""

import json
from typing import Any, cast

from litestar import Request
from litestar.exceptions import ClientException, SerializationException
from litestar.plugins.pydantic import PydanticPlugin


class UnreadableBodyError(ClientException):
    """A body is no JSON; the detail says where, and repeats nothing of it."""


class JsonRequest(Request[Any, Any, Any]):
    """A request whose JSON body is read again when the framework's decoder refuses it."""

    async def json(self) -> Any:
        """The value of the body; raises `UnreadableBodyError` iff it is no JSON."""
        try:
            return await super().json()
        except (SerializationException, RecursionError):
            return reread(await self.body())


def reread(body: bytes) -> Any:
    """The value of a body that the framework's decoder refused.

    That decoder refuses a lone surrogate without saying where; here it stays in the value, and the
    contract refuses it with record and field. Raises `UnreadableBodyError` iff it is no JSON.
    """
    try:
        return json.loads(body.decode(), parse_constant=_no_constant)
    except UnicodeDecodeError as cause:
        raise UnreadableBodyError(f"not UTF-8 at byte {cause.start}") from cause
    except json.JSONDecodeError as cause:
        place = f"line {cause.lineno}, column {cause.colno}"
        raise UnreadableBodyError(f"not JSON at {place}") from cause
    except RecursionError as cause:
        raise UnreadableBodyError("nested too deeply") from cause
    except ValueError as cause:
        raise UnreadableBodyError("it holds a number that is out of range") from cause


def strict_contracts() -> PydanticPlugin:
    """The plugin that reads contracts as strictly as they ask.

    The plugin's own choices are stricter than the contracts (a list is then no tuple) or laxer
    (`"true"` is then a truth value); without a choice a contract's own configuration holds.
    """
    return PydanticPlugin(validate_strict=cast("bool", None))


def _no_constant(_: str) -> None:
    problem = "neither NaN nor infinity is a number"
    raise ValueError(problem)
