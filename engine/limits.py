"""Limits of one evaluation: counts that hold before anything is materialised."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

_ASKED_EVERY: Final = 10_000
"""After how many counted rows the clock is asked again."""


class LimitReachedError(Exception):
    """An evaluation hit one of its limits; there is no answer, and none was denied.

    `value` is what the limit allows, None for the wall time.
    """

    def __init__(self, limit: str, value: int | None, relation: str, rule_id: str | None) -> None:
        place = f"relation `{relation}`" + (f", rule `{rule_id}`" if rule_id else "")
        amount = "" if value is None else f" of {value}"
        super().__init__(f"limit `{limit}`{amount} reached in {place}")
        self.limit = limit
        self.value = value
        self.relation = relation
        self.rule_id = rule_id


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one evaluation may use, in rows and rounds.

    The counts are the contract: the same rules and facts always reach them or never do.
    """

    request_facts: int = 200_000
    base_facts: int = 5_000_000
    derived_rows: int = 1_000_000
    join_rows: int = 5_000_000
    rounds: int = 10_000


@dataclass(slots=True)
class Meter:
    """What an evaluation has used so far; each count raises `LimitReachedError` at its limit.

    `expired` is the net beneath the counts: it is asked now and then whether the time is up.
    """

    limits: Limits
    expired: Callable[[], bool] = _never
    used: dict[str, int] = field(default_factory=dict[str, int])
    unasked: int = 0

    def count(self, limit: str, amount: int, relation: str, rule_id: str | None = None) -> None:
        """Add `amount` to what is used of a limit."""
        total = self.used.get(limit, 0) + amount
        allowed: int = getattr(self.limits, limit)
        if total > allowed:
            raise LimitReachedError(limit, allowed, relation, rule_id)
        self.used[limit] = total
        self.unasked += 1 + amount
        if self.unasked > _ASKED_EVERY:
            self.unasked = 0
            if self.expired():
                raise LimitReachedError("wall_time", None, relation, rule_id)

    def bounds(self) -> dict[str, dict[str, int]]:
        """Each limit with its value and what was used of it."""
        return {
            name: {"limit": getattr(self.limits, name), "used": self.used.get(name, 0)}
            for name in ("base_facts", "request_facts", "derived_rows", "join_rows", "rounds")
        }
