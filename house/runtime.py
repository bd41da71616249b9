"""What every command of a House works with."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from house.evaluation import Evaluator
from rules import Ruleset
from store import Database, RacedError

Answer = TypeVar("Answer")
_ATTEMPTS = 8
_WAIT_SECONDS = 0.002


@dataclass(frozen=True, slots=True)
class Runtime:
    """The database, the evaluator and the active ruleset; made once by an entry point."""

    database: Database
    evaluator: Evaluator
    ruleset: Ruleset


async def unraced(attempt: Callable[[], Awaitable[Answer]]) -> Answer:
    """The answer of the first attempt that no other transaction gets in the way of.

    Every attempt is a whole transaction; the wait between two doubles. Raises `RacedError` after
    eight.
    """
    for turn in range(_ATTEMPTS - 1):
        try:
            return await attempt()
        except RacedError:
            await asyncio.sleep(_WAIT_SECONDS * 2**turn)
    return await attempt()
