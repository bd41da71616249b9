"""Applications: a rule under a binding, and the least of them that gives a row.

The variables of a rule are bound one after another, each to its values in term order, taken from
the atom that leaves the fewest rows; an atom or a test that can no longer hold cuts a branch off.
So the first complete binding is the least one, and no other is ever built (generic join: H. Ngo,
C. Re, A. Rudra, Skew strikes back, 2013).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

from engine.joins import Binding, extend, passes, pattern_of
from engine.model import Model
from engine.program import Rule, terms_of, variables_of
from engine.rows import is_whole
from engine.strata import stratify
from engine.terms import (
    Atom,
    Comparison,
    Literal,
    Negated,
    Pattern,
    Row,
    Value,
    Variable,
    order_key,
)

Ground: TypeAlias = tuple[str, Row]

_MANY: Final = 16
"""From how many rows on the choice among rows of lower strata is kept for the next goal."""


@dataclass(frozen=True, slots=True)
class Application:
    """A rule under a binding, with the rows that its positive atoms stand on."""

    rule: Rule
    binding: Binding
    premises: tuple[Ground, ...]


@dataclass(frozen=True, slots=True)
class _Stage:
    """A variable, a column of it in each atom that holds it, and the tests that it completes."""

    variable: Variable
    atoms: tuple[tuple[Atom, int], ...]
    tests: tuple[Negated | Comparison, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The order of work for a rule once its head is bound."""

    rule: Rule
    atoms: tuple[Atom, ...]
    ground_atoms: tuple[Atom, ...]
    ground_tests: tuple[Negated | Comparison, ...]
    stages: tuple[_Stage, ...]


class Applications:
    """The least applications that give the rows of one model."""

    def __init__(self, model: Model) -> None:
        self._rows = model.rows
        self._stratum: dict[str, frozenset[str]] = {}
        self._rules: dict[str, list[Rule]] = {}
        self._plans: dict[str, tuple[_Plan, ...]] = {}
        for stratum in stratify(model.program.rules):
            self._stratum |= dict.fromkeys(stratum.relations, stratum.relations)
            for rule in stratum.rules:
                self._rules.setdefault(rule.head.relation, []).append(rule)
        self._values: dict[tuple[str, Pattern, int], list[Value]] = {}
        self._least: dict[tuple[str, Pattern], Row] = {}

    def least(self, relation: str, row: Row) -> Application | None:
        """The least application that gives a row from earlier rounds; None iff there is none.

        Least by rule id, then by binding in the order of `variables_of`, then by rows for `_`.
        """
        if relation not in self._plans:
            self._plans[relation] = tuple(map(_plan, self._rules.get(relation, ())))
        for plan in self._plans[relation]:
            start = extend(plan.rule.head, row, {})
            if start is not None:
                goal = (relation, row)
                binding = self._least_binding(goal, plan, start)
                if binding is not None:
                    premises = tuple(self._premise(goal, atom, binding) for atom in plan.atoms)
                    return Application(plan.rule, binding, premises)
        return None

    def _least_binding(self, goal: Ground, plan: _Plan, binding: Binding) -> Binding | None:
        """The least completion of a binding of the head; depth first, without recursion."""
        if not self._stand(goal, plan.ground_atoms, plan.ground_tests, binding):
            return None
        stages = plan.stages
        choices: list[Iterator[Value]] = []
        while len(choices) < len(stages):
            choices.append(iter(self._candidates(goal, stages[len(choices)], binding)))
            while choices and not self._advance(
                goal, stages[len(choices) - 1], choices[-1], binding
            ):
                choices.pop()
            if not choices:
                return None
        return binding

    def _advance(
        self, goal: Ground, stage: _Stage, choice: Iterator[Value], binding: Binding
    ) -> bool:
        """Bind a variable to the next value under which all still stands; unbind it if none is."""
        atoms = [atom for atom, _ in stage.atoms]
        for value in choice:
            binding[stage.variable.name] = value
            if self._stand(goal, atoms, stage.tests, binding):
                return True
        binding.pop(stage.variable.name, None)
        return False

    def _stand(
        self,
        goal: Ground,
        atoms: Iterable[Atom],
        tests: Iterable[Negated | Comparison],
        binding: Binding,
    ) -> bool:
        """Whether each atom has a row left under a binding, and the tests pass."""
        return all(passes(test, self._rows, binding) for test in tests) and all(
            any(True for _ in self._earlier(goal, atom.relation, pattern_of(atom, binding)))
            for atom in atoms
        )

    def _candidates(self, goal: Ground, stage: _Stage, binding: Binding) -> list[Value]:
        """The values that a variable may take, least first."""
        size, atom, column = min(
            (
                (len(self._rows.matching(atom.relation, pattern_of(atom, binding))), atom, column)
                for atom, column in stage.atoms
            ),
            key=lambda choice: choice[0],
        )
        key = (atom.relation, pattern_of(atom, binding), column)
        if key in self._values:
            return self._values[key]
        found = {row[column] for row in self._earlier(goal, *key[:2])}
        values = sorted(found, key=lambda value: order_key((value,)))
        if size >= _MANY and not self._is_mutual(goal, atom.relation):
            self._values[key] = values
        return values

    def _premise(self, goal: Ground, atom: Atom, binding: Binding) -> Ground:
        """The least row that an atom can stand on under a complete binding."""
        pattern = pattern_of(atom, binding)
        if is_whole(pattern):
            return (atom.relation, pattern)
        key = (atom.relation, pattern)
        if key not in self._least:
            row = min(self._earlier(goal, *key), key=order_key)
            if self._is_mutual(goal, atom.relation) or len(self._rows.matching(*key)) < _MANY:
                return (atom.relation, row)
            self._least[key] = row
        return (atom.relation, self._least[key])

    def _earlier(self, goal: Ground, relation: str, pattern: Pattern) -> Iterable[Row]:
        """The rows that a goal may stand on: in its own stratum only those of earlier rounds."""
        found = self._rows.matching(relation, pattern)
        if not self._is_mutual(goal, relation):
            return found
        limit = self._round(*goal)
        return takewhile(lambda row: self._round(relation, row) < limit, found)

    def _is_mutual(self, goal: Ground, relation: str) -> bool:
        return relation in self._stratum[goal[0]]

    def _round(self, relation: str, row: Row) -> int:
        return self._rows.round_of(relation, row) or 0


def _plan(rule: Rule) -> _Plan:
    """Atoms and tests come as soon as they say something: with the head, or with a variable."""
    atoms = tuple(literal for literal in rule.body if isinstance(literal, Atom))
    tests = [literal for literal in rule.body if not isinstance(literal, Atom)]
    order = {variable: number for number, variable in enumerate(variables_of(rule))}
    bound = {term for term in rule.head.terms if isinstance(term, Variable)}

    def last(literal: Literal) -> Variable | None:
        free = [t for t in terms_of(literal) if isinstance(t, Variable) and t not in bound]
        return max(free, key=order.__getitem__, default=None)

    stages = tuple(
        _Stage(
            variable,
            tuple((a, a.terms.index(variable)) for a in atoms if variable in a.terms),
            tuple(test for test in tests if last(test) == variable),
        )
        for variable in order
        if variable not in bound
    )
    ground_atoms = tuple(atom for atom in atoms if last(atom) is None)
    return _Plan(rule, atoms, ground_atoms, tuple(t for t in tests if last(t) is None), stages)
