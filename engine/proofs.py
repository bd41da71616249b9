"""Canonical proofs, rebuilt on demand from the rounds of a model.

A proof of a row applies a rule whose premises from the row's own stratum all appeared in earlier
rounds; such a proof exists, is well founded, and has the least height inside the stratum (D. Zhao,
P. Subotic, B. Scholz, Debugging large-scale Datalog: a scalable provenance evaluation strategy,
2020). Among these: least rule id, then least binding, then least rows for `_`, all in term order.
Rows of lower strata count as height 0, so the choice depends on rules and facts alone.
"""

from collections.abc import Iterator

from engine.applications import Application, Applications, Ground
from engine.contributions import Contribution, contribution
from engine.derivations import (
    Absence,
    Aggregated,
    Computed,
    Derivation,
    Given,
    Inference,
    Step,
)
from engine.model import Model
from engine.solutions import ground, pattern_of
from engine.terms import Aggregate, Atom, Comparison, Negated, Row


class NotDerivedError(Exception):
    """The row is not in the model, so there is nothing to explain."""

    def __init__(self, relation: str, row: Row) -> None:
        super().__init__(f"`{relation}` has no row {list(row)}")
        self.relation = relation
        self.row = row


def prove(model: Model, relation: str, row: Row) -> Derivation:
    """The canonical derivation of a row of the model; raises `NotDerivedError` iff there is none.

    Iterative, so the depth of a proof is no limit; it reads the model and changes nothing.
    """
    if model.rows.round_of(relation, row) is None or any(isinstance(v, bool) for v in row):
        raise NotDerivedError(relation, row)
    work = _Work(model)
    stack: list[Ground] = [(relation, row)]
    while stack:
        goal = stack[-1]
        waiting = [] if goal in work.done else work.waiting(goal)
        if waiting:
            stack.extend(reversed(waiting))
            continue
        if goal not in work.done:
            work.finish(goal)
        stack.pop()
    return Derivation(tuple(work.steps.values()))


class _Work:
    """A proof under way: goals that are proved, and the steps so far, premises first."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._applications = Applications(model)
        self._chosen: dict[Ground, Application] = {}
        self._ranged: dict[tuple[Ground, int], Contribution] = {}
        self.done: dict[Ground, Step] = {}
        self.steps: dict[str, Step] = {}

    def waiting(self, goal: Ground) -> list[Ground]:
        """The premises of a goal that are not proved yet; none for a given row."""
        if goal in self._model.facts:
            return []
        if goal not in self._chosen:
            self._choose(goal)
        chosen = self._chosen[goal]
        behind = [
            pair
            for position, literal in enumerate(chosen.rule.body)
            if isinstance(literal, Aggregate)
            for pair in self._named_rows(goal, position)
        ]
        wanted = dict.fromkeys((*chosen.premises, *behind))
        return [premise for premise in wanted if premise not in self.done]

    def finish(self, goal: Ground) -> None:
        """Append the step of a goal whose premises are proved."""
        fact = self._model.facts.get(goal)
        step: Step = (
            self._infer(goal)
            if fact is None
            else Given.of(fact.id, fact.relation, fact.values, fact.source)
        )
        self.done[goal] = self._kept(step)

    def _choose(self, goal: Ground) -> None:
        least = self._applications.least(*goal)
        if least is None:
            raise NotDerivedError(*goal)
        self._chosen[goal] = least
        tests = {test.literal: test for test in least.planned.plan.tests}
        for position, literal in enumerate(least.rule.body):
            if isinstance(literal, Aggregate):
                found = contribution(tests[literal], self._applications.world, least.binding)
                if found is None:
                    raise NotDerivedError(*goal)
                self._ranged[goal, position] = found

    def _named_rows(self, goal: Ground, position: int) -> tuple[Ground, ...]:
        """The rows behind an aggregate that the derivation names one by one."""
        found = self._ranged[goal, position]
        return found.rows if found.is_few else ()

    def _infer(self, goal: Ground) -> Inference:
        """The rule step of a goal; absences, matches and aggregates become steps on the way."""
        chosen = self._chosen[goal]
        rows = iter(chosen.premises)
        premises: list[str] = []
        for position, literal in enumerate(chosen.rule.body):
            match literal:
                case Atom():
                    premises.append(self._atom_step(literal, chosen, rows).id)
                case Negated():
                    pattern = pattern_of(literal.atom, chosen.binding)
                    premises.append(self._kept(Absence.of(literal.atom.relation, pattern)).id)
                case Aggregate():
                    named = tuple(self.done[g].id for g in self._named_rows(goal, position))
                    claim = self._ranged[goal, position].claim
                    step = Aggregated.of((chosen.rule.id, position), claim, named)
                    premises.append(self._kept(step).id)
                case Comparison():
                    pass
        return Inference.of(chosen.rule.id, *goal, chosen.binding, tuple(premises))

    def _atom_step(self, atom: Atom, chosen: Application, rows: Iterator[Ground]) -> Step:
        if self._model.program.relations[atom.relation].computed is None:
            return self.done[next(rows)]
        return self._kept(Computed.of(atom.relation, ground(atom, chosen.binding)))

    def _kept(self, step: Step) -> Step:
        return self.steps.setdefault(step.id, step)
