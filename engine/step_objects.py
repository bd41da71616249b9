"""Steps of a derivation as JSON objects, and back."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.derivations import Absence, Aggregated, Computed, Given, Inference, Step
from engine.json_values import (
    Json,
    MalformedCertificateError,
    read_number,
    read_object,
    read_pattern,
    read_row,
    read_text,
    read_texts,
    read_value,
)
from engine.terms import Value


def step_object(step: Step) -> dict[str, Json]:
    """The JSON object of a step."""
    match step:
        case Given():
            return {
                "id": step.id,
                "kind": "given",
                "fact_id": step.fact_id,
                "relation": step.relation,
                "values": list(step.values),
                "source": step.source,
            }
        case Absence():
            pattern: list[Json] = list(step.pattern)
            return {"id": step.id, "kind": "absence", "relation": step.relation, "pattern": pattern}
        case Computed():
            values: list[Json] = list(step.values)
            return {"id": step.id, "kind": "computed", "relation": step.relation, "values": values}
        case Aggregated():
            return {
                "id": step.id,
                "kind": "aggregate",
                "rule_id": step.rule_id,
                "position": step.position,
                "binding": dict(step.binding),
                "value": step.value,
                "count": step.count,
                "contributions": step.contributions,
                "premises": list(step.premises),
            }
        case Inference():
            return {
                "id": step.id,
                "kind": "rule",
                "rule_id": step.rule_id,
                "relation": step.relation,
                "values": list(step.values),
                "binding": dict(step.binding),
                "premises": list(step.premises),
            }


def read_step(value: object, position: int) -> Step:
    """The step in a JSON value; raises `MalformedCertificateError` naming its position."""
    place = f"step {position}"
    kind = read_object(value, place).get("kind")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise MalformedCertificateError(f"{place}: unknown kind")
    return reader(value, place)


def _given(value: object, place: str) -> Given:
    step = read_object(value, place, {"id", "kind", "fact_id", "relation", "values", "source"})
    return Given(
        read_text(step["id"], place),
        read_text(step["fact_id"], place),
        read_text(step["relation"], place),
        read_row(step["values"], place),
        read_text(step["source"], place),
    )


def _absence(value: object, place: str) -> Absence:
    step = read_object(value, place, {"id", "kind", "relation", "pattern"})
    return Absence(
        read_text(step["id"], place),
        read_text(step["relation"], place),
        read_pattern(step["pattern"], place),
    )


def _computed(value: object, place: str) -> Computed:
    step = read_object(value, place, {"id", "kind", "relation", "values"})
    return Computed(
        read_text(step["id"], place),
        read_text(step["relation"], place),
        read_row(step["values"], place),
    )


_AGGREGATE_FIELDS: Final = {
    "id",
    "kind",
    "rule_id",
    "position",
    "binding",
    "value",
    "count",
    "contributions",
    "premises",
}


def _aggregate(value: object, place: str) -> Aggregated:
    step = read_object(value, place, _AGGREGATE_FIELDS)
    return Aggregated(
        read_text(step["id"], place),
        read_text(step["rule_id"], place),
        read_number(step["position"], place),
        _binding(step["binding"], place),
        read_number(step["value"], place),
        read_number(step["count"], place),
        read_text(step["contributions"], place),
        read_texts(step["premises"], place),
    )


def _inference(value: object, place: str) -> Inference:
    names = {"id", "kind", "rule_id", "relation", "values", "binding", "premises"}
    step = read_object(value, place, names)
    return Inference(
        read_text(step["id"], place),
        read_text(step["rule_id"], place),
        read_text(step["relation"], place),
        read_row(step["values"], place),
        _binding(step["binding"], place),
        read_texts(step["premises"], place),
    )


def _binding(value: object, place: str) -> tuple[tuple[str, Value], ...]:
    bound = read_object(value, place)
    return tuple((name, read_value(item, place)) for name, item in sorted(bound.items()))


_READERS: Final[Mapping[str, Callable[[object, str], Step]]] = {
    "given": _given,
    "absence": _absence,
    "computed": _computed,
    "aggregate": _aggregate,
    "rule": _inference,
}
