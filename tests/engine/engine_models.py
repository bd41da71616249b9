"""Cases, their models, and what to read from them."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import Fact, Model, Program, Row, set_digest

VERSION = "rules of a test"


@dataclass(frozen=True)
class Case:
    """A program with given facts for it."""

    program: Program
    facts: tuple[Fact, ...]


def derived_rows(model: Model) -> list[tuple[str, Row]]:
    """Every row that is not given, by relation and in order of appearance."""
    return [ground for ground in all_rows(model) if ground not in model.facts]


def all_rows(model: Model) -> list[tuple[str, Row]]:
    return [(name, row) for name in model.program.relations for row in model.rows.of(name)]


def named(*sets: Sequence[Fact]) -> dict[str, Sequence[Fact]]:
    """Sets of facts by the digest that a certificate names them by."""
    return {set_digest(facts): facts for facts in sets}
