"""Canonical proofs, rebuilt on demand from the rounds of a model.

A proof of a row applies a rule whose premises from the row's own stratum all appeared in earlier
rounds; such a proof exists, is well founded, and has the least height inside the stratum (D. Zhao,
P. Subotic, B. Scholz, Debugging large-scale Datalog: a scalable provenance evaluation strategy,
2020). Among these: least rule id, then least binding, then least rows for `_`, all in term order.
Rows of lower strata count as height 0, so the choice depends on rules and facts alone.
"""

from engine.applications import Application, Applications, Ground
from engine.derivations import Absence, Derivation, Given, Inference, Step
from engine.joins import pattern_of
from engine.model import Model
from engine.terms import Atom, Comparison, Negated, Row


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
    applications = Applications(model)
    chosen: dict[Ground, Application] = {}
    done: dict[Ground, Step] = {}
    steps: dict[str, Step] = {}
    stack: list[Ground] = [(relation, row)]
    while stack:
        goal = stack[-1]
        if goal in done:
            stack.pop()
            continue
        if goal in model.facts:
            fact = model.facts[goal]
            step: Step = Given.of(fact.id, fact.relation, fact.values, fact.source)
        else:
            if goal not in chosen:
                chosen[goal] = _chosen(applications, goal)
            waiting = [premise for premise in chosen[goal].premises if premise not in done]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            step = _infer(goal, chosen[goal], done, steps)
        done[goal] = step
        steps.setdefault(step.id, step)
        stack.pop()
    return Derivation(tuple(steps.values()))


def _chosen(applications: Applications, goal: Ground) -> Application:
    least = applications.least(*goal)
    if least is None:
        raise NotDerivedError(*goal)
    return least


def _infer(
    goal: Ground, application: Application, done: dict[Ground, Step], steps: dict[str, Step]
) -> Inference:
    """The rule step of a goal whose premises are proved; absences become steps on the way."""
    rows = iter(application.premises)
    premises: list[str] = []
    for literal in application.rule.body:
        match literal:
            case Atom():
                premises.append(done[next(rows)].id)
            case Negated():
                absence = Absence.of(
                    literal.atom.relation, pattern_of(literal.atom, application.binding)
                )
                steps.setdefault(absence.id, absence)
                premises.append(absence.id)
            case Comparison():
                pass
    rule = application.rule
    return Inference.of(rule.id, *goal, application.binding, tuple(premises))
