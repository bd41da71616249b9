"""Questions: what a vote is about, and which of it can be put to the second evaluator."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from engine import Fact, Model, Program, Row, Rule, atoms_of
from obligations.crosscheck.bodies import UnboundError
from obligations.crosscheck.clauses import Clause, Fold, clauses_of
from obligations.crosscheck.constructs import COMPUTED, UNSAFE, Finding


@dataclass(frozen=True, slots=True)
class Question:
    """A program over base and request facts, and our rows of the relations to compare.

    `computed` has, of relations that matchers decide, the rows that hold among those that an
    evaluation may ask about; rules with such a relation cannot be expressed without them.
    """

    program: Program
    facts: tuple[Fact, ...]
    ours: Mapping[str, Collection[Row]]
    computed: Mapping[str, Collection[Row]] = field(default_factory=dict[str, Collection[Row]])

    @classmethod
    def of(
        cls,
        model: Model,
        facts: Iterable[Fact],
        relations: Iterable[str] | None = None,
        computed: Mapping[str, Collection[Row]] | None = None,
    ) -> "Question":
        """The question whether a model is right in some relations, by default all derived ones."""
        derived = sorted({rule.head.relation for rule in model.program.rules})
        ours = {name: model.of(name) for name in (derived if relations is None else relations)}
        return cls(model.program, tuple(facts), ours, computed or {})


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The rules behind some relations as clauses and folds; incomplete iff there are findings."""

    clauses: tuple[Clause, ...]
    folds: tuple[Fold, ...]
    findings: tuple[Finding, ...]


def unfolded(
    program: Program, relations: Iterable[str], computed: Collection[str] = ()
) -> Unfolded:
    """The rules that some relations depend on; the rows of `computed` relations are given."""
    clauses: list[Clause] = []
    folds: list[Fold] = []
    findings: list[Finding] = []
    for rule in _needed(program, relations):
        asked = dict.fromkeys(atom.relation for atom, _ in atoms_of(rule.body))
        findings += (
            Finding(COMPUTED, rule.id, name)
            for name in asked
            if program.relations[name].computed is not None and name not in computed
        )
        try:
            mine, its = clauses_of(rule)
        except UnboundError as error:
            findings += (Finding(UNSAFE, rule.id, name) for name in error.names)
        else:
            clauses += mine
            folds += its
    return Unfolded(tuple(clauses), tuple(folds), tuple(findings))


def _needed(program: Program, relations: Iterable[str]) -> list[Rule]:
    """The rules that some relations depend on, in the order of the program."""
    rules: dict[str, list[Rule]] = {}
    for rule in program.rules:
        rules.setdefault(rule.head.relation, []).append(rule)
    found, stack = set[str](), list(relations)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack += (
                atom.relation for rule in rules.get(name, ()) for atom, _ in atoms_of(rule.body)
            )
    return [rule for rule in program.rules if rule.head.relation in found]
