"""The checker: verifies a certificate step by step, without search and without trusting its maker.

It settles absences and aggregates by its own evaluation of just the relations in question, by the
definition, from the given facts that the certificate names by digest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.arithmetic import ArithmeticFaultError
from engine.certificates import Certificate, certificate_digest, read
from engine.checked_steps import RefusedError, StepRules, check_step, named_premises
from engine.contributions import contribution
from engine.derivations import Absence, Aggregated, Given, Step, row_of
from engine.facts import Fact, FactRefusedError, fact_id, set_digest
from engine.json_values import Json, MalformedCertificateError, printable
from engine.limits import LimitReachedError, Limits
from engine.naive import evaluate_by_definition
from engine.program import Program
from engine.solutions import MatcherFaultError, Matchers, NoMatcherError, World, is_excluded
from engine.strata import restrict

_OBSTACLES: Final = (LimitReachedError, NoMatcherError, MatcherFaultError, ArithmeticFaultError)
"""What keeps an absence or an aggregate from being settled either way."""


class Status(StrEnum):
    """The verdicts. `unchecked`: every step holds, absences and given facts were not settled."""

    VERIFIED = "verified"
    REFUSED = "refused"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with its reason, one line; the reason names the step that failed."""

    status: Status
    reason: str


@dataclass(frozen=True, slots=True)
class _Rulebook:
    """The rules that a certificate is held against, with the matchers they need."""

    program: Program
    version: str
    matchers: Matchers


def check(
    certificate: object,
    program: Program,
    ruleset_version: str,
    given: Mapping[str, Sequence[Fact]] | None,
    limits: Limits,
    *,
    matchers: Matchers | None = None,
) -> Verdict:
    """Verify a certificate against rules and, when at hand, the given facts by set digest.

    `verified` iff every step holds by the rules, every given fact is in a named set and every
    absence and aggregate is true of the named sets. Without all the named sets, or without a
    matcher that the steps need, the best verdict is `unchecked`.
    """
    rulebook = _Rulebook(program, ruleset_version, matchers or {})
    try:
        parsed = read(certificate)
        _check_envelope(certificate, parsed, rulebook.version)
        steps, missing = _check_steps(parsed, rulebook)
        if given is None or any(name not in given for name in parsed.given_digests):
            return _unchecked("facts not at hand")
        facts = _named_facts(parsed, given)
        _check_given(steps, facts)
        _check_complete(steps, rulebook, facts, limits)
        if missing is not None:
            return _unchecked(printable(str(missing)))
    except (RefusedError, MalformedCertificateError, FactRefusedError) as refusal:
        return Verdict(Status.REFUSED, printable(str(refusal)))
    except UnicodeEncodeError:
        return Verdict(Status.REFUSED, "malformed certificate: text with a lone surrogate")
    except _OBSTACLES as obstacle:
        return _unchecked(printable(str(obstacle)))
    return Verdict(Status.VERIFIED, f"{len(steps)} steps hold")


def _unchecked(why: str) -> Verdict:
    return Verdict(Status.UNCHECKED, f"no step is false, not all could be checked: {why}")


def _check_envelope(value: object, parsed: Certificate, version: str) -> None:
    """The fields around the trace agree with the trace and with each other."""
    body: Mapping[str, Json] = value  # type: ignore[assignment]  # `read` has accepted its form
    derivation = parsed.derivation
    for is_true, problem in (
        (parsed.ruleset_version == version, "ruleset_version names other rules"),
        (bool(derivation.steps), "the trace is empty"),
        (parsed.input_fact_ids == derivation.input_fact_ids, "input_fact_ids differ from trace"),
        (
            parsed.supporting_rule_ids == derivation.supporting_rule_ids,
            "supporting_rule_ids differ from trace",
        ),
        (certificate_digest(body) == parsed.digest, "digest does not match the content"),
    ):
        if not is_true:
            raise RefusedError(problem)


def _check_steps(
    parsed: Certificate, rulebook: _Rulebook
) -> tuple[dict[str, Step], NoMatcherError | None]:
    """Each step by itself, premises before conclusions; the last one is the conclusion.

    A matcher that is missing keeps no other step from being checked.
    """
    missing: NoMatcherError | None = None
    rules = StepRules.of(rulebook.program, rulebook.matchers)
    steps: dict[str, Step] = {}
    used: set[str] = set()
    for step in parsed.derivation.steps:
        if step.id in steps:
            raise RefusedError(f"step `{step.id}` stands twice")
        try:
            check_step(step, rules, steps)
        except NoMatcherError as absent:
            missing = absent
        used.update(named_premises(step))
        steps[step.id] = step
    last = parsed.derivation.steps[-1]
    if row_of(last) != parsed.conclusion:
        raise RefusedError("the last step is not the conclusion")
    if used != set(steps) - {last.id}:
        raise RefusedError("the trace holds a step that nothing stands on")
    return steps, missing


def _named_facts(parsed: Certificate, given: Mapping[str, Sequence[Fact]]) -> list[Fact]:
    """The facts of the named sets, each set held against its digest."""
    facts: list[Fact] = []
    for name in parsed.given_digests:
        named = [replace(f, id=fact_id(f.relation, f.values, f.source)) for f in given[name]]
        if set_digest(named) != name:
            raise RefusedError(f"the facts at hand do not have the digest `{name}`")
        facts.extend(named)
    return facts


def _check_given(steps: Mapping[str, Step], facts: Sequence[Fact]) -> None:
    known = {fact.id for fact in facts}
    for step in steps.values():
        if isinstance(step, Given) and step.fact_id not in known:
            raise RefusedError(f"step `{step.id}`: the fact is not among the given facts")


def _check_complete(
    steps: Mapping[str, Step], rulebook: _Rulebook, facts: Sequence[Fact], limits: Limits
) -> None:
    """No absence and no aggregate is contradicted by the definition."""
    program = rulebook.program
    rules = StepRules.of(program, rulebook.matchers)
    absences = [step for step in steps.values() if isinstance(step, Absence)]
    aggregates = [step for step in steps.values() if isinstance(step, Aggregated)]
    relations = {step.relation for step in absences}
    relations.update(name for step in aggregates for name in rules.ranged_relations(step))
    if not absences and not aggregates:
        return
    slice_ = restrict(program, sorted(relations))
    model = evaluate_by_definition(slice_, facts, [], limits, rulebook.matchers)
    world = World(program, model.rows, rulebook.matchers, lambda _: None)
    for absence in absences:
        if not is_excluded(absence.relation, absence.pattern, world):
            raise RefusedError(f"step `{absence.id}`: wrong absence")
    for aggregate in aggregates:
        _check_aggregate(aggregate, rules, world, steps)


def _check_aggregate(
    step: Aggregated, rules: StepRules, world: World, steps: Mapping[str, Step]
) -> None:
    """The value, the number of solutions, their digest and the rows named are the definition's."""
    try:
        found = contribution(rules.aggregate_test(step), world, dict(step.binding))
    except ArithmeticFaultError as fault:
        raise RefusedError(f"step `{step.id}`: wrong aggregate: {fault}") from fault
    if found is None or found.claim != step.claim:
        raise RefusedError(f"step `{step.id}`: wrong aggregate")
    named = [steps[premise] for premise in step.premises]
    rows = tuple((s.relation, s.values) for s in named if not isinstance(s, Absence | Aggregated))
    if rows != (found.rows if found.is_few else ()):
        raise RefusedError(f"step `{step.id}`: wrong rows behind the aggregate")
