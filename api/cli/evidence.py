"""What a certificate is verified against: the rules it names and, where at hand, the facts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import httpx

from api.cli.outcome import body_of
from engine import Fact
from house import shipped
from rules import Ruleset, Source, load

BUNDLE_FORMAT: Final = "athanor.bundle.v1"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ruleset, and sets of given facts by digest; None when no facts are at hand."""

    ruleset: Ruleset
    given: Mapping[str, Sequence[Fact]] | None


def parsed(content: bytes) -> Any:
    """The JSON value of a file; raises `ValueError` for what is no JSON or repeats a name."""
    try:
        return json.loads(content, object_pairs_hook=_unique)
    except RecursionError as cause:
        problem = "nested too deeply"
        raise ValueError(problem) from cause


def from_bundle(bundle: Mapping[str, Any]) -> Evidence | None:
    """The evidence inside a bundle, None iff its rules do not load or its form is wrong."""
    text, sets = bundle.get("rules"), bundle.get("fact_sets")
    if not isinstance(text, str) or not isinstance(sets, dict):
        return None
    ruleset = load([Source("bundle", text)]).ruleset
    if ruleset is None:
        return None
    try:
        given = {str(name): [_fact(row) for row in rows] for name, rows in sets.items()}
    except (TypeError, ValueError):
        return None
    return Evidence(ruleset, given)


def shipped_only() -> Evidence:
    """The shipped rules without any facts."""
    return Evidence(shipped(), None)


async def from_house(client: httpx.AsyncClient, certificate: Any) -> Evidence | None:
    """The evidence that a certificate names, from the House; None iff it has no such rules.

    Sets of facts that the House does not show are left out, so that the verdict is `unchecked`.
    """
    if not isinstance(certificate, dict):
        return shipped_only()
    ruleset = await _ruleset(client, str(certificate.get("ruleset_version")))
    if ruleset is None:
        return None
    given: dict[str, Sequence[Fact]] = {}
    names = certificate.get("given_digests")
    for name in names if isinstance(names, list) else []:
        response = await client.get(f"/v1/fact-sets/{httpx.URL(path=str(name)).path}")
        if response.status_code == httpx.codes.NOT_FOUND:
            continue
        given[str(name)] = [_fact(row) for row in body_of(response)["facts"]]
    return Evidence(ruleset, given)


async def _ruleset(client: httpx.AsyncClient, version: str) -> Ruleset | None:
    if version == shipped().version:
        return shipped()
    response = await client.get(f"/v1/rulesets/{version}")
    if response.status_code == httpx.codes.NOT_FOUND:
        return None
    return load([Source("ruleset", str(body_of(response)["text"]))]).ruleset


def _fact(row: Sequence[Any]) -> Fact:
    """A fact from its row of relation, values and source."""
    relation, values, source = row
    return Fact.of(str(relation), tuple(values), str(source))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        problem = "a name stands twice in one object"
        raise ValueError(problem)
    return found
