"""Certificates: a derivation as a JSON object that travels and can be checked elsewhere.

The object names the rules by `ruleset_version` and the sets of given facts by their digests, and
its `digest` covers every other field. `read` is strict: it refuses what it does not know.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from engine.derivations import Absence, Derivation, Given, Inference, Step
from engine.digests import Content, digest
from engine.terms import NUMBER_MAX, NUMBER_MIN, Pattern, Row, Value

FORMAT: Final = "athanor.derivation.v1"
_LONGEST_REASON: Final = 400

Json: TypeAlias = "str | int | Sequence[Json] | Mapping[str, Json] | None"
Bounds: TypeAlias = Mapping[str, Mapping[str, int]]


class MalformedCertificateError(Exception):
    """A certificate does not have the form that the format demands."""

    def __init__(self, problem: str) -> None:
        self.problem = printable(problem)
        super().__init__(f"malformed certificate: {self.problem}")


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a certificate says, read strictly from its JSON object."""

    ruleset_version: str
    given_digests: tuple[str, ...]
    conclusion: tuple[str, Row]
    derivation: Derivation
    input_fact_ids: tuple[str, ...]
    supporting_rule_ids: tuple[str, ...]
    execution_bounds: Bounds
    digest: str


def certificate(
    derivation: Derivation, ruleset_version: str, given_digests: Sequence[str], bounds: Bounds
) -> dict[str, Json]:
    """The JSON object of a derivation whose last step is a given fact or a rule step."""
    last = derivation.steps[-1]
    if isinstance(last, Absence):
        raise MalformedCertificateError("an absence alone is no conclusion")
    body: dict[str, Json] = {
        "format": FORMAT,
        "ruleset_version": ruleset_version,
        "given_digests": list(given_digests),
        "conclusion": {"relation": last.relation, "values": list(last.values)},
        "input_fact_ids": list(derivation.input_fact_ids),
        "supporting_rule_ids": list(derivation.supporting_rule_ids),
        "derivation_trace": [_step_object(step) for step in derivation.steps],
        "execution_bounds": {name: dict(bound) for name, bound in bounds.items()},
    }
    return {**body, "digest": certificate_digest(body)}


def certificate_digest(body: Mapping[str, Json]) -> str:
    """The digest over every field of a certificate but `digest` itself."""
    return digest(_content({name: body[name] for name in body if name != "digest"}))


def read(value: object) -> Certificate:
    """The certificate in a JSON value; raises `MalformedCertificateError` naming the problem."""
    fields = _object(value, "certificate", _FIELDS)
    if fields["format"] != FORMAT:
        raise MalformedCertificateError(f"format is not `{FORMAT}`")
    conclusion = _object(fields["conclusion"], "conclusion", {"relation", "values"})
    trace = _list(fields["derivation_trace"], "derivation_trace")
    bounds = _object(fields["execution_bounds"], "execution_bounds")
    return Certificate(
        ruleset_version=_text(fields["ruleset_version"], "ruleset_version"),
        given_digests=_texts(fields["given_digests"], "given_digests"),
        conclusion=(
            _text(conclusion["relation"], "conclusion.relation"),
            _row(conclusion["values"], "conclusion.values"),
        ),
        derivation=Derivation(tuple(_read_step(step, i) for i, step in enumerate(trace))),
        input_fact_ids=_texts(fields["input_fact_ids"], "input_fact_ids"),
        supporting_rule_ids=_texts(fields["supporting_rule_ids"], "supporting_rule_ids"),
        execution_bounds={name: _bound(bound, name) for name, bound in bounds.items()},
        digest=_text(fields["digest"], "digest"),
    )


_FIELDS: Final = {
    "format",
    "ruleset_version",
    "given_digests",
    "conclusion",
    "input_fact_ids",
    "supporting_rule_ids",
    "derivation_trace",
    "execution_bounds",
    "digest",
}


def _step_object(step: Step) -> dict[str, Json]:
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


def _read_step(value: object, position: int) -> Step:
    place = f"step {position}"
    kind = _object(value, place).get("kind")
    if kind == "given":
        step = _object(value, place, {"id", "kind", "fact_id", "relation", "values", "source"})
        return Given(
            _text(step["id"], place),
            _text(step["fact_id"], place),
            _text(step["relation"], place),
            _row(step["values"], place),
            _text(step["source"], place),
        )
    if kind == "absence":
        step = _object(value, place, {"id", "kind", "relation", "pattern"})
        return Absence(
            _text(step["id"], place),
            _text(step["relation"], place),
            _pattern(step["pattern"], place),
        )
    if kind == "rule":
        names = {"id", "kind", "rule_id", "relation", "values", "binding", "premises"}
        step = _object(value, place, names)
        binding = _object(step["binding"], place)
        return Inference(
            _text(step["id"], place),
            _text(step["rule_id"], place),
            _text(step["relation"], place),
            _row(step["values"], place),
            tuple((name, _value(bound, place)) for name, bound in sorted(binding.items())),
            _texts(step["premises"], place),
        )
    raise MalformedCertificateError(f"{place}: unknown kind")


def _content(value: Json) -> Content:
    """A JSON value as digest content; an object becomes its sorted pairs behind a tag."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, Mapping):
        pairs: list[Content] = [[name, _content(value[name])] for name in sorted(value)]
        return ["object", pairs]
    return ["list", _Contents(value)]


class _Contents(Collection[Content]):
    """The items of a JSON list as digest contents, made one at a time: a trace can be long."""

    def __init__(self, items: Sequence[Json]) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Content]:
        return map(_content, self._items)

    def __contains__(self, item: object) -> bool:
        return item in tuple(self)


def _object(value: object, place: str, names: set[str] | None = None) -> dict[str, object]:
    if not isinstance(value, dict):
        raise MalformedCertificateError(f"{place}: not an object")
    found = cast("dict[str, object]", value)
    if not all(isinstance(name, str) for name in cast("dict[object, object]", value)):
        raise MalformedCertificateError(f"{place}: a field name that is not a text")
    if names is not None and set(found) != names:
        odd = ", ".join(f"`{name}`" for name in sorted(set(found) ^ names))
        raise MalformedCertificateError(f"{place}: missing or unknown field {odd}")
    return found


def _list(value: object, place: str) -> list[object]:
    if not isinstance(value, list):
        raise MalformedCertificateError(f"{place}: not a list")
    return cast("list[object]", value)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise MalformedCertificateError(f"{place}: not a text")
    return value


def _texts(value: object, place: str) -> tuple[str, ...]:
    return tuple(_text(item, place) for item in _list(value, place))


def _value(value: object, place: str) -> Value:
    return value if isinstance(value, str) else _number(value, place)


def _number(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise MalformedCertificateError(f"{place}: neither a symbol nor a number")
    if not NUMBER_MIN <= value <= NUMBER_MAX:
        raise MalformedCertificateError(f"{place}: a number outside 64 bits")
    return value


def _row(value: object, place: str) -> Row:
    return tuple(_value(item, place) for item in _list(value, place))


def _pattern(value: object, place: str) -> Pattern:
    return tuple(None if i is None else _value(i, place) for i in _list(value, place))


def _bound(value: object, name: str) -> dict[str, int]:
    place = f"execution_bounds.{name}"
    bound = _object(value, place, {"limit", "used"})
    return {key: _number(number, place) for key, number in bound.items()}


def printable(text: str) -> str:
    """The text as one line that any output can carry; what cannot be printed is escaped."""
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text[:_LONGEST_REASON]
    )
    return shown if len(text) <= _LONGEST_REASON else f"{shown} …"
