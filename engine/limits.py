"""Limits of one evaluation: counts that hold before anything is materialised."""

from dataclasses import dataclass, field


class LimitReachedError(Exception):
    """An evaluation hit one of its limits; there is no answer, and none was denied."""

    def __init__(self, limit: str, value: int, relation: str, rule_id: str | None) -> None:
        place = f"relation `{relation}`" + (f", rule `{rule_id}`" if rule_id else "")
        super().__init__(f"limit `{limit}` of {value} reached in {place}")
        self.limit = limit
        self.value = value
        self.relation = relation
        self.rule_id = rule_id


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one evaluation may use, in rows and rounds."""

    request_facts: int = 200_000
    base_facts: int = 5_000_000
    derived_rows: int = 1_000_000
    join_rows: int = 5_000_000
    rounds: int = 10_000


@dataclass(slots=True)
class Meter:
    """What an evaluation has used so far; each count raises `LimitReachedError` at its limit."""

    limits: Limits
    used: dict[str, int] = field(default_factory=dict[str, int])

    def count(self, limit: str, amount: int, relation: str, rule_id: str | None = None) -> None:
        """Add `amount` to what is used of a limit."""
        total = self.used.get(limit, 0) + amount
        allowed: int = getattr(self.limits, limit)
        if total > allowed:
            raise LimitReachedError(limit, allowed, relation, rule_id)
        self.used[limit] = total

    def bounds(self) -> dict[str, dict[str, int]]:
        """Each limit with its value and what was used of it."""
        return {
            name: {"limit": getattr(self.limits, name), "used": self.used.get(name, 0)}
            for name in ("base_facts", "request_facts", "derived_rows", "join_rows", "rounds")
        }
