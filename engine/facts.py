"""Facts: given rows, each with the record that it rests on and an id made of its content."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.digests import digest
from engine.program import NUMBER, Program, Relation
from engine.terms import NUMBER_MAX, NUMBER_MIN, Row, Value


class FactRefusedError(Exception):
    """A given fact does not fit the program's declarations."""

    def __init__(self, relation: str, problem: str) -> None:
        super().__init__(f"fact of `{relation}` refused: {problem}")
        self.relation = relation
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Fact:
    """A given row. `source` names the record and version that it was projected from."""

    relation: str
    values: Row
    source: str
    id: str

    @classmethod
    def of(cls, relation: str, values: Row, source: str) -> "Fact":
        """The fact with its id: the digest of relation, values and source."""
        return cls(relation, values, source, fact_id(relation, values, source))


def fact_id(relation: str, values: Row, source: str) -> str:
    """The id of a fact: a digest of all that is visible of it, never of a sequence.

    Raises `FactRefusedError` for content that has no digest.
    """
    try:
        return digest(["fact", relation, values, source])
    except UnicodeEncodeError:
        raise FactRefusedError(relation, "text with a lone surrogate") from None
    except TypeError:
        raise FactRefusedError(relation, "a value is neither a symbol nor a number") from None


def set_digest(facts: Iterable[Fact]) -> str:
    """The digest that names a set of facts, whatever their order."""
    return digest(["facts", sorted({fact.id for fact in facts})])


def admit(program: Program, facts: Iterable[Fact]) -> None:
    """Check each fact against the declarations, by itself.

    Raises `FactRefusedError` for an undeclared or derived relation, a wrong number of columns, a
    value of the wrong type or outside its enumeration, and for text that is not valid Unicode.
    """
    for fact in facts:
        relation = program.relations.get(fact.relation)
        if relation is None:
            raise FactRefusedError(fact.relation, "the relation is not declared")
        if not relation.given:
            raise FactRefusedError(fact.relation, "the relation is derived, not given")
        admit_row(program, relation, fact.values)
        if not _is_text(fact.source):
            raise FactRefusedError(fact.relation, "source: text with a lone surrogate")


def admit_row(program: Program, relation: Relation, row: Row) -> None:
    """Check a row against its relation's columns; raises `FactRefusedError`."""
    if len(row) != len(relation.columns):
        problem = f"{len(relation.columns)} columns declared, {len(row)} given"
        raise FactRefusedError(relation.name, problem)
    for column, value in zip(relation.columns, row, strict=True):
        problem = _misfit(program, column.type, value)
        if problem:
            raise FactRefusedError(relation.name, f"column `{column.name}`: {problem}")


def _misfit(program: Program, type_name: str, value: Value) -> str:
    """Why a value does not belong to a type; empty iff it does."""
    declared = program.types.get(type_name)
    if program.base_of(type_name) == NUMBER:
        if isinstance(value, bool) or not isinstance(value, int):
            return "not a number"
        return "" if NUMBER_MIN <= value <= NUMBER_MAX else "outside 64 bits"
    if not isinstance(value, str):
        return "not a symbol"
    if not _is_text(value):
        return "text with a lone surrogate"
    if declared and declared.values is not None and value not in declared.values:
        return f"`{value}` is not one of {', '.join(declared.values)}"
    return ""


def _is_text(value: str) -> bool:
    """Whether a text is valid Unicode, without lone surrogates."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return True
