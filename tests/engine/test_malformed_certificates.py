"""The form of a certificate: what it is, and that anything else is refused."""

import pytest
from engine_certificates import honest, verdict_of
from engine_digest import digest_of, json_part
from engine_malformed import MALFORMED
from engine_models import VERSION
from engine_notation import case

from engine import (
    Json,
    Limits,
    MalformedCertificateError,
    Status,
    certificate,
    evaluate,
    prove,
)
from engine.derivations import Absence, Derivation


@pytest.mark.parametrize("name", MALFORMED)
def test_a_certificate_is_malformed_with(name: str) -> None:
    change, reason = MALFORMED[name]
    forged = honest()
    change(forged)
    verdict = verdict_of(forged)
    assert verdict.status is Status.REFUSED
    assert "malformed certificate" in verdict.reason
    assert reason.replace("\\\\", "\\") in verdict.reason
    assert verdict.reason.isprintable()
    assert len(verdict.reason) < 500


@pytest.mark.parametrize("value", [None, 1, "text", [], {}, [honest()]], ids=str)
def test_what_is_no_certificate_at_all_is_refused(value: object) -> None:
    assert verdict_of(value).status is Status.REFUSED


def test_an_absence_alone_is_no_conclusion() -> None:
    with pytest.raises(MalformedCertificateError, match="the last step concludes no row"):
        certificate(Derivation((Absence.of("closed", (1, None)),)), VERSION, [], {})


def test_a_certificate_has_this_form() -> None:
    made = case("r: p x :- a x, x > 0, !b x _", a=[(1,)], b=[("s", 2)])
    derivation = prove(evaluate(made.program, made.facts[:1], [], Limits()), "p", (1,))
    found = certificate(derivation, "v", ["d"], {"rounds": {"limit": 2, "used": 1}})
    fact = digest_of(["fact", "a", [1], "a record"])
    given = digest_of(["given", fact, "a", [1], "a record"])
    absent = digest_of(["absence", "b", [1, None]])
    body: dict[str, Json] = {
        "format": "athanor.derivation.v1",
        "ruleset_version": "v",
        "given_digests": ["d"],
        "conclusion": {"relation": "p", "values": [1]},
        "input_fact_ids": [fact],
        "supporting_rule_ids": ["r"],
        "derivation_trace": [
            {
                "id": given,
                "kind": "given",
                "fact_id": fact,
                "relation": "a",
                "values": [1],
                "source": "a record",
            },
            {"id": absent, "kind": "absence", "relation": "b", "pattern": [1, None]},
            {
                "id": digest_of(["rule", "r", "p", [1], [["x", 1]], [given, absent]]),
                "kind": "rule",
                "rule_id": "r",
                "relation": "p",
                "values": [1],
                "binding": {"x": 1},
                "premises": [given, absent],
            },
        ],
        "execution_bounds": {"rounds": {"limit": 2, "used": 1}},
    }
    assert found == {**body, "digest": digest_of(json_part(body))}
