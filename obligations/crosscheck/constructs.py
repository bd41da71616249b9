"""Constructs: what pyDatalog cannot be told of the language, and what it is not left to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

COMPUTED: Final = "computed relation"
UNSAFE: Final = "unsafe variable"

INEXPRESSIBLE: Final[Mapping[str, str]] = {
    COMPUTED: "TODO",
    UNSAFE: "TODO",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that cannot be expressed: the construct, and the relation or variable that it is."""

    construct: str
    rule_id: str
    name: str

    def __str__(self) -> str:
        return f"rule `{self.rule_id}`: {self.construct} `{self.name}`"
