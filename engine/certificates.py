"""Certificates: a derivation as a JSON object that travels and can be checked elsewhere.

The object names the rules by `ruleset_version` and the sets of given facts by their digests, and
its `digest` covers every other field. `read` is strict: it refuses what it does not know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.derivations import Derivation, row_of
from engine.digests import digest
from engine.json_values import (
    Json,
    MalformedCertificateError,
    content_of,
    read_bound,
    read_list,
    read_object,
    read_row,
    read_text,
    read_texts,
)
from engine.step_objects import read_step, step_object
from engine.terms import Row

FORMAT: Final = "athanor.derivation.v1"

Bounds: TypeAlias = Mapping[str, Mapping[str, int]]


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
    last = row_of(derivation.steps[-1])
    if last is None:
        raise MalformedCertificateError("the last step concludes no row")
    body: dict[str, Json] = {
        "format": FORMAT,
        "ruleset_version": ruleset_version,
        "given_digests": list(given_digests),
        "conclusion": {"relation": last[0], "values": list(last[1])},
        "input_fact_ids": list(derivation.input_fact_ids),
        "supporting_rule_ids": list(derivation.supporting_rule_ids),
        "derivation_trace": [step_object(step) for step in derivation.steps],
        "execution_bounds": {name: dict(bound) for name, bound in bounds.items()},
    }
    return {**body, "digest": certificate_digest(body)}


def certificate_digest(body: Mapping[str, Json]) -> str:
    """The digest over every field of a certificate but `digest` itself."""
    return digest(content_of({name: body[name] for name in body if name != "digest"}))


def read(value: object) -> Certificate:
    """The certificate in a JSON value; raises `MalformedCertificateError` naming the problem."""
    fields = read_object(value, "certificate", _FIELDS)
    if fields["format"] != FORMAT:
        raise MalformedCertificateError(f"format is not `{FORMAT}`")
    conclusion = read_object(fields["conclusion"], "conclusion", {"relation", "values"})
    trace = read_list(fields["derivation_trace"], "derivation_trace")
    bounds = read_object(fields["execution_bounds"], "execution_bounds")
    return Certificate(
        ruleset_version=read_text(fields["ruleset_version"], "ruleset_version"),
        given_digests=read_texts(fields["given_digests"], "given_digests"),
        conclusion=(
            read_text(conclusion["relation"], "conclusion.relation"),
            read_row(conclusion["values"], "conclusion.values"),
        ),
        derivation=Derivation(tuple(read_step(step, i) for i, step in enumerate(trace))),
        input_fact_ids=read_texts(fields["input_fact_ids"], "input_fact_ids"),
        supporting_rule_ids=read_texts(fields["supporting_rule_ids"], "supporting_rule_ids"),
        execution_bounds={name: read_bound(bound, name) for name, bound in bounds.items()},
        digest=read_text(fields["digest"], "digest"),
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
