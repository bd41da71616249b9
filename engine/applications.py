"""Applications: a rule under a binding, and the least of them that gives a row.

The variables of a rule are bound one after another, each to its values in term order, taken from
the atom that leaves the fewest rows; an atom or a test that can no longer hold cuts a branch off.
So the first complete binding is the least one, and no other is ever built (generic join: H. Ngo,
C. Re, A. Rudra, Skew strikes back, 2013). Variables that an equality or an aggregate binds follow
from the others and take no part in the order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, TypeAlias

from engine.model import Model
from engine.plans import Test
from engine.program import Rule, terms_of, variables_in, variables_of
from engine.rows import is_whole
from engine.rule_plans import RulePlan
from engine.solutions import Binding, World, extend, ground, pattern_of, tested
from engine.strata import stratify
from engine.terms import Atom, Literal, Pattern, Row, Value, Variable, order_key

Ground: TypeAlias = tuple[str, Row]

_MANY: Final = 16
"""From how many rows on the choice among rows of lower strata is kept for the next goal."""


@dataclass(frozen=True, slots=True)
class Application:
    """A rule under a binding, with the rows that its positive atoms stand on."""

    planned: RulePlan
    binding: Binding
    premises: tuple[Ground, ...]

    @property
    def rule(self) -> Rule:
        """The rule that is applied."""
        return self.planned.rule


@dataclass(frozen=True, slots=True)
class _Stage:
    """A variable, a column of it in each atom that holds it, and the tests that it completes."""

    variable: Variable
    atoms: tuple[tuple[Atom, int], ...]
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class _Search:
    """The order of work for a rule once its head is bound."""

    planned: RulePlan
    atoms: tuple[Atom, ...]
    ground_atoms: tuple[Atom, ...]
    ground_tests: tuple[Test, ...]
    stages: tuple[_Stage, ...]


class Applications:
    """The least applications that give the rows of one model."""

    def __init__(self, model: Model) -> None:
        self._rows = model.rows
        self.world = World(model.program, model.rows, model.matchers, _uncounted)
        self._stratum: dict[str, frozenset[str]] = {}
        self._rules: dict[str, list[Rule]] = {}
        self._searches: dict[str, tuple[_Search, ...]] = {}
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
        goal = (relation, row)
        if relation not in self._searches:
            planned = (RulePlan.of(r, self.world.program) for r in self._rules.get(relation, ()))
            self._searches[relation] = tuple(map(_search, planned))
        for search in self._searches[relation]:
            start = extend(search.planned.rule.head, row, {})
            binding = None if start is None else self._least_binding(goal, search, start)
            if binding is not None:
                premises = tuple(self._premise(goal, atom, binding) for atom in search.atoms)
                named = {v.name for v in variables_of(search.planned.rule)}
                kept = {name: value for name, value in binding.items() if name in named}
                return Application(search.planned, kept, premises)
        return None

    def _least_binding(self, goal: Ground, search: _Search, start: Binding) -> Binding | None:
        """The least completion of a binding of the head; depth first, without recursion."""
        binding = dict(start)
        if not self._stand(goal, search.ground_atoms, search.ground_tests, binding):
            return None
        stages = search.stages
        choices: list[Iterator[Value]] = []
        while True:
            if len(choices) == len(stages):
                finished = self._finished(goal, search, binding)
                if finished is not None:
                    return finished
            else:
                choices.append(iter(self._candidates(goal, stages[len(choices)], binding)))
            while choices and not self._advance(
                goal, stages[len(choices) - 1], choices[-1], binding
            ):
                choices.pop()
            if not choices:
                return None

    def _finished(self, goal: Ground, search: _Search, binding: Binding) -> Binding | None:
        """The binding once every test of the rule was passed and the head is the goal."""
        with search.planned.blamed():
            full = tested(search.planned.plan.tests, self.world, binding)
            if full is None or ground(search.planned.rule.head, full) != goal[1]:
                return None
        return full

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
        self, goal: Ground, atoms: Iterable[Atom], tests: Sequence[Test], binding: Binding
    ) -> bool:
        """Whether each atom has a row left under a binding, and the tests pass."""
        return tested(tests, self.world, binding) is not None and all(
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


def _uncounted(_amount: int) -> None:
    """Explaining has no limits of its own: it walks what an evaluation within limits built."""


def _search(planned: RulePlan) -> _Search:
    """Harmless tests come as soon as their last variable is bound; at the end all come again."""
    rule = planned.rule
    atoms = tuple(scan.atom for scan in planned.plan.scans)
    scanned = dict.fromkeys(variable for atom in atoms for variable in variables_in(terms_of(atom)))
    bound = {term for term in rule.head.terms if isinstance(term, Variable)}
    named = [v for v in variables_of(rule) if v in scanned]
    order = {v: n for n, v in enumerate((*named, *(v for v in scanned if v not in set(named))))}
    known = bound | set(order)
    tests = [
        test
        for test in planned.plan.tests
        if test.is_harmless and set(variables_in(terms_of(test.literal))) <= known
    ]

    def last(literal: Literal) -> Variable | None:
        free = [v for v in variables_in(terms_of(literal)) if v not in bound]
        return max(free, key=order.__getitem__, default=None)

    stages = tuple(
        _Stage(
            variable,
            tuple((a, a.terms.index(variable)) for a in atoms if variable in a.terms),
            tuple(test for test in tests if last(test.literal) == variable),
        )
        for variable in order
        if variable not in bound
    )
    ground_atoms = tuple(atom for atom in atoms if last(atom) is None)
    ground_tests = tuple(test for test in tests if last(test.literal) is None)
    return _Search(planned, atoms, ground_atoms, ground_tests, stages)
