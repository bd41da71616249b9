"""How a kind of refusal is answered."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """How a cause is answered. `location` names the field of the request that is at fault."""

    status: int
    code: str
    title: str
    hint: str
    location: str | None = None
    retry_after_seconds: int | None = None
