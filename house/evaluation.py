"""Evaluation off the event loop, behind a bounded queue."""

import asyncio
from collections.abc import Sequence
from time import monotonic

from engine import Fact, Limits, Model, Program, evaluate
from rules import MATCHERS


class BusyError(Exception):
    """So many evaluations wait already that another one would not be answered in time."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} evaluations are waiting already")


class InvariantBrokenError(Exception):
    """A relation that must stay empty has a row: the rules contradict themselves."""

    def __init__(self, relation: str) -> None:
        super().__init__(f"invariant `{relation}` is broken")
        self.relation = relation


class Evaluator:
    """Runs at most `at_once` evaluations, and lets at most `waiting` others wait."""

    def __init__(
        self, limits: Limits, *, wall_seconds: float = 2.0, at_once: int = 2, waiting: int = 64
    ) -> None:
        self._limits = limits
        self._wall_seconds = wall_seconds
        self._slots = asyncio.Semaphore(at_once)
        self._room = at_once + waiting
        self._inside = 0

    @property
    def limits(self) -> Limits:
        """What one evaluation may use."""
        return self._limits

    async def run(self, program: Program, base: Sequence[Fact], request: Sequence[Fact]) -> Model:
        """The model, every invariant of it held.

        Raises `BusyError`, `InvariantBrokenError`, and what `engine.evaluate` raises.
        """
        if self._inside >= self._room:
            raise BusyError(self._inside)
        self._inside += 1
        try:
            async with self._slots:
                model = await asyncio.to_thread(self._evaluate, program, base, request)
        finally:
            self._inside -= 1
        for relation in program.relations.values():
            if relation.never and model.of(relation.name):
                raise InvariantBrokenError(relation.name)
        return model

    def _evaluate(self, program: Program, base: Sequence[Fact], request: Sequence[Fact]) -> Model:
        """The model, within the wall time counted from now."""
        end = monotonic() + self._wall_seconds
        return evaluate(
            program, base, request, self._limits, MATCHERS, expired=lambda: monotonic() > end
        )
