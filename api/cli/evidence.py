"""What a certificate is verified against: the rules it names and, where at hand, the facts."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import httpx
from pydantic import ValidationError

from api.cli.outcome import body_of
from contracts import Bundle, FactRow
from engine import Fact
from house import shipped
from rules import Ruleset, Source, load

NOT_FOUND = 404
_HIDDEN = (NOT_FOUND, 410)  # there is none to see, or it was forgotten


class NotACertificateError(Exception):
    """A file holds no certificate and no bundle; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ruleset, and sets of given facts by digest; None when no facts are at hand.

    `is_shown` is False iff a House was asked and shows no derivation of that digest.
    """

    ruleset: Ruleset
    given: Mapping[str, Sequence[Fact]] | None
    is_shown: bool = True


def read_file(content: bytes) -> dict[str, object] | Bundle:
    """The certificate or bundle in a file; raises `NotACertificateError` for anything else."""
    try:
        value: object = json.loads(content, object_pairs_hook=_unique)
        if not isinstance(value, dict):
            raise NotACertificateError("it is no JSON object")
        found = cast("dict[str, object]", value)
        return Bundle.model_validate(found) if "fact_sets" in found else found
    except RecursionError as cause:
        raise NotACertificateError("it is nested too deeply") from cause
    except ValidationError as cause:
        error = cause.errors(include_input=False)[0]
        place = ".".join(str(part) for part in error["loc"])
        raise NotACertificateError(f"`{place}`: {error['msg'].lower()}") from cause
    except ValueError as cause:
        raise NotACertificateError(f"it is no JSON: {cause}") from cause


def from_bundle(bundle: Bundle) -> Evidence | None:
    """The evidence inside a bundle, None iff its rules do not load."""
    ruleset = load([Source("bundle", bundle.rules)]).ruleset
    if ruleset is None:
        return None
    return Evidence(ruleset, {name: _facts(rows) for name, rows in bundle.fact_sets.items()})


def shipped_only() -> Evidence:
    """The shipped rules without any facts."""
    return Evidence(shipped(), None)


async def from_house(
    client: httpx.AsyncClient, certificate: Mapping[str, object]
) -> Evidence | None:
    """The evidence that a certificate names, from the House; None iff it has no such rules.

    Sets of facts that the House does not show are left out, so that the verdict is `unchecked`.
    Which sets belong together only the House can say: it shows each derivation that it gave.
    """
    ruleset = await _ruleset(client, str(certificate.get("ruleset_version")))
    if ruleset is None:
        return None
    given: dict[str, Sequence[Fact]] = {}
    for name in _names(certificate.get("given_digests")):
        response = await client.get("/v1/fact-sets/" + _segment(name))
        if response.status_code not in _HIDDEN:
            rows: list[FactRow] = body_of(response)["facts"]
            given[name] = _facts(rows)
    shown = await client.get("/v1/derivations/" + _segment(str(certificate.get("digest"))))
    return Evidence(ruleset, given, is_shown=shown.status_code not in _HIDDEN)


async def _ruleset(client: httpx.AsyncClient, version: str) -> Ruleset | None:
    if version == shipped().version:
        return shipped()
    response = await client.get("/v1/rulesets/" + _segment(version))
    if response.status_code == NOT_FOUND:
        return None
    return load([Source("ruleset", str(body_of(response)["text"]))]).ruleset


def _names(value: object) -> list[str]:
    """The texts of a list; whatever else it holds is the checker's to refuse."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str)]


def _segment(name: str) -> str:
    """A name that is safe as one segment of a path; a digest stays as it is."""
    return name if name.isascii() and name.isalnum() else "unknown"


def _facts(rows: Iterable[FactRow]) -> list[Fact]:
    return [Fact.of(relation, tuple(values), source) for relation, values, source in rows]


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        problem = "a name stands twice in one object"
        raise ValueError(problem)
    return found
