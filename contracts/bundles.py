"""A derivation with all that it takes to verify it elsewhere."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from contracts.texts import Contract

FactRow: TypeAlias = tuple[str, list[str | int], str]
"""A given fact: relation, values, and the record that it rests on."""


class Bundle(Contract):
    """A certificate, the text of its rules, and its sets of given facts by digest."""

    format: Literal["athanor.bundle.v1"] = "athanor.bundle.v1"
    certificate: dict[str, Any]
    rules: str
    fact_sets: dict[str, list[Annotated[FactRow, Field(strict=False)]]]
