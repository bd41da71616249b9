"""The four outcomes of a question, which stay apart up to the answer and the exit code."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from engine.arithmetic import ArithmeticFaultError
from engine.facts import Fact
from engine.limits import LimitReachedError, Limits
from engine.model import Model
from engine.program import Program
from engine.seminaive import evaluate
from engine.solutions import MatcherFaultError, Matchers, NoMatcherError
from engine.strata import restrict
from engine.terms import Pattern, Row, order_key


@dataclass(frozen=True, slots=True)
class Derived:
    """Rows follow that fit the question: all of them, in term order."""

    rows: tuple[Row, ...]
    model: Model


@dataclass(frozen=True, slots=True)
class NotDerivable:
    """No row follows that fits the question; `model` is what does follow."""

    model: Model


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit was hit: nothing was concluded."""

    limit: str
    relation: str
    rule_id: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Arithmetic or a matcher failed in a rule: nothing was concluded."""

    message: str


Outcome: TypeAlias = Derived | NotDerivable | LimitReached | Failed


def answer(
    program: Program,
    facts: Iterable[Fact],
    question: tuple[str, Pattern],
    limits: Limits,
    matchers: Matchers | None = None,
) -> Outcome:
    """What follows for a relation and a pattern in which `None` stands for any value.

    A truth value in the pattern fits no row. Raises `FactRefusedError` for facts that do not fit
    the declarations: they are no question.
    """
    relation, pattern = question
    try:
        model = evaluate(restrict(program, [relation]), facts, [], limits, matchers)
    except LimitReachedError as reached:
        return LimitReached(reached.limit, reached.relation, reached.rule_id, str(reached))
    except (ArithmeticFaultError, MatcherFaultError, NoMatcherError) as fault:
        return Failed(str(fault))
    is_odd = any(isinstance(value, bool) for value in pattern)
    found = [] if is_odd else sorted(model.rows.matching(relation, pattern), key=order_key)
    return Derived(tuple(found), model) if found else NotDerivable(model)
