"""Models of cases, and what to read from them."""

from engine_programs import Case
from hypothesis import assume

from engine import Fact, LimitReachedError, Limits, Model, Row, evaluate, set_digest

MODEST = Limits(join_rows=30_000)
SMALL = Limits(join_rows=2_000)
VERSION = "rules of a test"


def model_of(case: Case, limits: Limits) -> Model:
    """The model of a case; the case is set aside when it is so dense that it costs too much."""
    try:
        return evaluate(case.program, case.facts, [], limits)
    except LimitReachedError:
        assume(False)
        raise


def derived_rows(model: Model) -> list[tuple[str, Row]]:
    """Every row that is not given, by relation and in order of appearance."""
    return [ground for ground in all_rows(model) if ground not in model.facts]


def all_rows(model: Model) -> list[tuple[str, Row]]:
    return [(name, row) for name in model.program.relations for row in model.rows.of(name)]


def named(*sets: tuple[Fact, ...]) -> dict[str, tuple[Fact, ...]]:
    """Sets of facts by the digest that a certificate names them by."""
    return {set_digest(facts): facts for facts in sets}
