"""Derivations: why a row follows, as steps that each stand on earlier steps.

A step is addressed by its content: its id is a digest of what it says and of the ids of its
premises, so a derivation is a directed graph without cycles by construction.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.digests import Content, digest
from engine.terms import Pattern, Row, Value


@dataclass(frozen=True, slots=True)
class Given:
    """A given fact."""

    id: str
    fact_id: str
    relation: str
    values: Row
    source: str

    @classmethod
    def of(cls, fact_id: str, relation: str, values: Row, source: str) -> "Given":
        """The step with its id."""
        return cls(
            given_digest(fact_id, relation, values, source), fact_id, relation, values, source
        )


@dataclass(frozen=True, slots=True)
class Absence:
    """No row of the relation fits the pattern, in which `None` stands for any value."""

    id: str
    relation: str
    pattern: Pattern

    @classmethod
    def of(cls, relation: str, pattern: Pattern) -> "Absence":
        """The step with its id."""
        return cls(absence_digest(relation, pattern), relation, pattern)


@dataclass(frozen=True, slots=True)
class Computed:
    """A matcher says that a row of a computed relation holds."""

    id: str
    relation: str
    values: Row

    @classmethod
    def of(cls, relation: str, values: Row) -> "Computed":
        """The step with its id."""
        return cls(computed_digest(relation, values), relation, values)


@dataclass(frozen=True, slots=True)
class Aggregated:
    """The aggregate at a position of a rule's body has a value under its shared variables.

    `count` solutions contribute; `contributions` is a digest of them all. Where few different rows
    take part, `premises` are their steps, so that every fact behind the value is named; where many
    do, it is empty and the rows are to be had by `expand`.
    """

    id: str
    rule_id: str
    position: int
    binding: tuple[tuple[str, Value], ...]
    value: int
    count: int
    contributions: str
    premises: tuple[str, ...]

    @classmethod
    def of(cls, place: tuple[str, int], claim: "Claim", premises: tuple[str, ...]) -> "Aggregated":
        """The step with its id; `place` is a rule id and a position in the rule's body."""
        rule_id, position = place
        return cls(
            aggregated_digest(place, claim, premises),
            rule_id,
            position,
            claim.binding,
            claim.value,
            claim.count,
            claim.contributions,
            premises,
        )

    @property
    def claim(self) -> "Claim":
        """What the step says of the aggregate."""
        return Claim(self.binding, self.value, self.count, self.contributions)


@dataclass(frozen=True, slots=True)
class Claim:
    """An aggregate's value under a binding, the number of solutions and their digest."""

    binding: tuple[tuple[str, Value], ...]
    value: int
    count: int
    contributions: str


@dataclass(frozen=True, slots=True)
class Inference:
    """A rule under a binding gives a row; one premise for each atom of its body, in order."""

    id: str
    rule_id: str
    relation: str
    values: Row
    binding: tuple[tuple[str, Value], ...]
    premises: tuple[str, ...]

    @classmethod
    def of(
        cls,
        rule_id: str,
        relation: str,
        values: Row,
        binding: Mapping[str, Value],
        premises: tuple[str, ...],
    ) -> "Inference":
        """The step with its id; the binding is kept by variable name."""
        bound = tuple(sorted(binding.items()))
        step_id = inference_digest(rule_id, relation, values, bound, premises)
        return cls(step_id, rule_id, relation, values, bound, premises)


Step: TypeAlias = Given | Absence | Computed | Aggregated | Inference


@dataclass(frozen=True, slots=True)
class Derivation:
    """Steps in an order in which premises come first; the last one is the conclusion."""

    steps: tuple[Step, ...]

    @property
    def input_fact_ids(self) -> tuple[str, ...]:
        """The ids of the given facts it stands on, sorted."""
        return tuple(sorted({s.fact_id for s in self.steps if isinstance(s, Given)}))

    @property
    def supporting_rule_ids(self) -> tuple[str, ...]:
        """The ids of the rules it applies, sorted."""
        return tuple(sorted({s.rule_id for s in self.steps if isinstance(s, Inference)}))


def row_of(step: Step) -> tuple[str, Row] | None:
    """The relation and row that a step states; None for absences and aggregates."""
    return None if isinstance(step, Absence | Aggregated) else (step.relation, step.values)


def given_digest(fact_id: str, relation: str, values: Row, source: str) -> str:
    """The id of a given step."""
    return digest(["given", fact_id, relation, values, source])


def absence_digest(relation: str, pattern: Pattern) -> str:
    """The id of an absence step."""
    return digest(["absence", relation, pattern])


def inference_digest(
    rule_id: str,
    relation: str,
    values: Row,
    binding: tuple[tuple[str, Value], ...],
    premises: tuple[str, ...],
) -> str:
    """The id of a rule step."""
    return digest(["rule", rule_id, relation, values, binding, premises])


def computed_digest(relation: str, values: Row) -> str:
    """The id of a computed step."""
    return digest(["computed", relation, values])


def aggregated_digest(place: tuple[str, int], claim: Claim, premises: tuple[str, ...]) -> str:
    """The id of an aggregate step."""
    content: list[Content] = [claim.binding, claim.value, claim.count, claim.contributions]
    return digest(["aggregate", *place, *content, premises])
