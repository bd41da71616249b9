"""Canonical proofs, rebuilt on demand from the rounds of a model.

A proof of a row applies a rule whose premises from the row's own stratum all appeared in earlier
rounds; such a proof exists, is well founded, and has the least height inside the stratum (D. Zhao,
P. Subotic, B. Scholz, Debugging large-scale Datalog: a scalable provenance evaluation strategy,
2020). Among these: least rule id, then least binding, then least rows for `_`, all in term order.
Rows of lower strata count as height 0, so the choice depends on rules and facts alone.
"""

from dataclasses import dataclass

from engine.derivations import Absence, Derivation, Given, Inference, Step
from engine.joins import Binding, extend, passes, pattern_of
from engine.model import Model
from engine.program import Rule, variables_of
from engine.strata import stratify
from engine.terms import Atom, Comparison, Negated, Row, order_key


class NotDerivedError(Exception):
    """The row is not in the model, so there is nothing to explain."""

    def __init__(self, relation: str, row: Row) -> None:
        super().__init__(f"`{relation}` has no row {list(row)}")
        self.relation = relation
        self.row = row


Ground = tuple[str, Row]


@dataclass(frozen=True, slots=True)
class _Application:
    """A rule under a binding, with the rows that its positive atoms stand on."""

    rule: Rule
    binding: Binding
    premises: tuple[Ground, ...]


def prove(model: Model, relation: str, row: Row) -> Derivation:
    """The canonical derivation of a row of the model; raises `NotDerivedError` iff there is none.

    Iterative, so the depth of a proof is no limit; it reads the model and changes nothing.
    """
    if model.rows.round_of(relation, row) is None:
        raise NotDerivedError(relation, row)
    strata = {name: s.relations for s in stratify(model.program.rules) for name in s.relations}
    chosen: dict[Ground, _Application] = {}
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
                chosen[goal] = _least_application(model, strata[goal[0]], goal)
            waiting = [premise for premise in chosen[goal].premises if premise not in done]
            if waiting:
                stack.extend(reversed(waiting))
                continue
            step = _infer(goal, chosen[goal], done, steps)
        done[goal] = step
        steps.setdefault(step.id, step)
        stack.pop()
    return Derivation(tuple(steps.values()))


def _infer(
    goal: Ground, application: _Application, done: dict[Ground, Step], steps: dict[str, Step]
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


def _least_application(model: Model, stratum: frozenset[str], goal: Ground) -> _Application:
    """The least application that gives a derived row from earlier rounds of its stratum."""
    relation, row = goal
    limit = model.rows.round_of(relation, row) or 0
    mine = [rule for rule in model.program.rules if rule.head.relation == relation]
    for rule in sorted(mine, key=lambda r: r.id):
        found = _applications(model, stratum, rule, row, limit)
        if found:
            names = [variable.name for variable in variables_of(rule)]
            return min(
                found,
                key=lambda a: (
                    order_key(tuple(a.binding[name] for name in names)),
                    tuple(order_key(premise) for _, premise in a.premises),
                ),
            )
    raise NotDerivedError(relation, row)


def _applications(
    model: Model, stratum: frozenset[str], rule: Rule, row: Row, limit: int
) -> list[_Application]:
    """All applications of a rule that give the row, on rows of the stratum before round `limit`."""
    start = extend(rule.head, row, {})
    if start is None:
        return []
    atoms = [literal for literal in rule.body if isinstance(literal, Atom)]
    tests = [literal for literal in rule.body if not isinstance(literal, Atom)]
    partial: list[tuple[Binding, tuple[Ground, ...]]] = [(start, ())]
    for atom in atoms:
        extended: list[tuple[Binding, tuple[Ground, ...]]] = []
        for binding, premises in partial:
            for candidate in model.rows.matching(atom.relation, pattern_of(atom, binding)):
                number = model.rows.round_of(atom.relation, candidate) or 0
                bound = extend(atom, candidate, binding)
                if bound is not None and (atom.relation not in stratum or number < limit):
                    extended.append((bound, (*premises, (atom.relation, candidate))))
        partial = extended
    return [
        _Application(rule, binding, premises)
        for binding, premises in partial
        if all(passes(test, model.rows, binding) for test in tests)
    ]
