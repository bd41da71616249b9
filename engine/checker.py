"""The checker: verifies a certificate step by step, without search and without trusting its maker.

It settles absences by its own evaluation of just the relations in question, by the definition, from
the given facts that the certificate names by digest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.certificates import (
    Certificate,
    Json,
    MalformedCertificateError,
    certificate_digest,
    printable,
    read,
)
from engine.derivations import (
    Absence,
    Given,
    Inference,
    Step,
    absence_digest,
    given_digest,
    inference_digest,
)
from engine.facts import Fact, FactRefusedError, admit, fact_id, set_digest
from engine.joins import ground, holds, pattern_of
from engine.limits import LimitReachedError, Limits
from engine.naive import evaluate
from engine.program import Program, Rule, variables_of
from engine.strata import restrict
from engine.terms import Atom, Comparison, Negated, Value


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


class _RefusedError(Exception):
    """A step or field is false; the message says which and why."""


def check(
    certificate: object,
    program: Program,
    ruleset_version: str,
    given: Mapping[str, Sequence[Fact]] | None,
    limits: Limits,
) -> Verdict:
    """Verify a certificate against rules and, when at hand, the given facts by set digest.

    `verified` iff every step holds by the rules, every given fact is in a named set and every
    absence is true of the named sets. Without all the named sets the best verdict is `unchecked`.
    """
    try:
        parsed = read(certificate)
        _check_envelope(certificate, parsed, ruleset_version)
        steps = _check_steps(parsed, program)
        if given is None or any(name not in given for name in parsed.given_digests):
            return Verdict(Status.UNCHECKED, "steps hold, absences unchecked: facts not at hand")
        facts = _named_facts(parsed, given)
        _check_given(steps, facts)
        _check_absences(steps, program, facts, limits)
    except (_RefusedError, MalformedCertificateError, FactRefusedError) as refusal:
        return Verdict(Status.REFUSED, printable(str(refusal)))
    except UnicodeEncodeError:
        return Verdict(Status.REFUSED, "malformed certificate: text with a lone surrogate")
    except LimitReachedError as limit:
        return Verdict(Status.UNCHECKED, f"steps hold, absences unchecked: {printable(str(limit))}")
    return Verdict(Status.VERIFIED, f"{len(steps)} steps hold")


def _check_envelope(value: object, parsed: Certificate, ruleset_version: str) -> None:
    """The fields around the trace agree with the trace and with each other."""
    body: Mapping[str, Json] = value  # type: ignore[assignment]  # `read` has accepted its form
    derivation = parsed.derivation
    for holds_true, problem in (
        (parsed.ruleset_version == ruleset_version, "ruleset_version names other rules"),
        (bool(derivation.steps), "the trace is empty"),
        (parsed.input_fact_ids == derivation.input_fact_ids, "input_fact_ids differ from trace"),
        (
            parsed.supporting_rule_ids == derivation.supporting_rule_ids,
            "supporting_rule_ids differ from trace",
        ),
        (certificate_digest(body) == parsed.digest, "digest does not match the content"),
    ):
        if not holds_true:
            raise _RefusedError(problem)


def _check_steps(parsed: Certificate, program: Program) -> dict[str, Step]:
    """Each step by itself, premises before conclusions; the last one is the conclusion."""
    rules = {rule.id: rule for rule in program.rules}
    steps: dict[str, Step] = {}
    used: set[str] = set()
    for step in parsed.derivation.steps:
        if step.id in steps:
            raise _RefusedError(f"step `{step.id}` stands twice")
        match step:
            case Given():
                _check_given_step(step, program)
            case Absence():
                _require(step.id == absence_digest(step.relation, step.pattern), step, "id")
                _check_pattern(step, program)
            case Inference():
                _check_inference(step, rules, steps)
                used.update(step.premises)
        steps[step.id] = step
    last = parsed.derivation.steps[-1]
    if isinstance(last, Absence) or (last.relation, last.values) != parsed.conclusion:
        raise _RefusedError("the last step is not the conclusion")
    if used != set(steps) - {last.id}:
        raise _RefusedError("the trace holds a step that nothing stands on")
    return steps


def _check_given_step(step: Given, program: Program) -> None:
    content = (step.relation, step.values, step.source)
    _require(step.id == given_digest(step.fact_id, *content), step, "id")
    _require(step.fact_id == fact_id(*content), step, "fact id")
    admit(program, [Fact(step.relation, step.values, step.source, step.fact_id)])


def _check_pattern(step: Absence, program: Program) -> None:
    relation = program.relations.get(step.relation)
    fits = relation is not None and len(relation.columns) == len(step.pattern)
    _require(fits, step, "relation")


def _check_inference(step: Inference, rules: Mapping[str, Rule], earlier: dict[str, Step]) -> None:
    """The rule exists, its binding is total, its head gives the row, and its body holds."""
    content = (step.relation, step.values, step.binding, step.premises)
    _require(step.id == inference_digest(step.rule_id, *content), step, "id")
    rule = rules.get(step.rule_id)
    if rule is None:
        raise _RefusedError(f"step `{step.id}`: there is no rule `{step.rule_id}`")
    binding = dict(step.binding)
    names = {variable.name for variable in variables_of(rule)}
    _require(set(binding) == names, step, "binding")
    conclusion = (rule.head.relation, ground(rule.head, binding))
    _require(conclusion == (step.relation, step.values), step, "conclusion")
    premises = iter(step.premises)
    for literal in rule.body:
        if isinstance(literal, Comparison):
            _require(_comparable(literal, binding), step, f"comparison `{literal.operator}`")
            continue
        premise = earlier.get(next(premises, ""))
        _require(premise is not None and _fits(literal, premise, binding), step, "premise")
    _require(next(premises, None) is None, step, "number of premises")


def _comparable(comparison: Comparison, binding: Mapping[str, Value]) -> bool:
    """Whether a comparison is true; a comparison of a number with a symbol never is."""
    try:
        return holds(comparison, binding)
    except TypeError:
        return False


def _fits(literal: Atom | Negated, premise: Step, binding: Mapping[str, Value]) -> bool:
    """Whether a premise is what a literal asks for under a binding."""
    if isinstance(literal, Negated):
        atom = literal.atom
        wanted = (atom.relation, pattern_of(atom, binding))
        return isinstance(premise, Absence) and (premise.relation, premise.pattern) == wanted
    if isinstance(premise, Absence) or premise.relation != literal.relation:
        return False
    pattern = pattern_of(literal, binding)
    return len(pattern) == len(premise.values) and all(
        hole is None or hole == value for hole, value in zip(pattern, premise.values, strict=True)
    )


def _named_facts(parsed: Certificate, given: Mapping[str, Sequence[Fact]]) -> list[Fact]:
    """The facts of the named sets, each set held against its digest."""
    facts: list[Fact] = []
    for name in parsed.given_digests:
        named = [replace(f, id=fact_id(f.relation, f.values, f.source)) for f in given[name]]
        if set_digest(named) != name:
            raise _RefusedError(f"the facts at hand do not have the digest `{name}`")
        facts.extend(named)
    return facts


def _check_given(steps: Mapping[str, Step], facts: Sequence[Fact]) -> None:
    known = {fact.id for fact in facts}
    for step in steps.values():
        if isinstance(step, Given):
            _require(step.fact_id in known, step, "fact: not among the given facts")


def _check_absences(
    steps: Mapping[str, Step], program: Program, facts: Sequence[Fact], limits: Limits
) -> None:
    """No absence is contradicted by the definition."""
    absences = [step for step in steps.values() if isinstance(step, Absence)]
    if not absences:
        return
    slice_ = restrict(program, [step.relation for step in absences])
    model = evaluate(slice_, facts, [], limits)
    for step in absences:
        found = model.rows.matching(step.relation, step.pattern)
        _require(not found, step, "absence")


def _require(condition: bool, step: Step, what: str) -> None:
    if not condition:
        raise _RefusedError(f"step `{step.id}`: wrong {what}")
