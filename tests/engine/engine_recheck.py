"""Whether a certificate is true by the definition, in the most obvious way.

It reads the JSON alone, evaluates by `engine_reference`, and uses nothing of the engine but the
types of values. A certificate is taken to be well formed; what is not is the table of the parser.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine_bodies import (
    SIGNS,
    Binding,
    FaultError,
    behind,
    hole,
    instance,
    names_of,
    shared_names,
    total,
    unify,
    value,
)
from engine_digest import digest_of, json_part
from engine_reference import Rounds, in_term_order, relations_of, rounds_of
from engine_repair import Step, fact_id, step_id

from engine import (
    NUMBER,
    Aggregate,
    Atom,
    Comparison,
    Constant,
    Fact,
    Literal,
    Negated,
    Program,
    Rule,
    Wildcard,
)

FEW = 32
VERIFIED, REFUSED, UNCHECKED = "verified", "refused", "unchecked"


def recheck(
    certificate: Mapping[str, Any],
    program: Program,
    version: str,
    at_hand: Mapping[str, Sequence[Fact]] | None,
) -> str:
    """The verdict that the checker must give."""
    steps: list[Step] = certificate["derivation_trace"]
    if not (_is_framed(certificate, steps, version) and _is_connected(steps)):
        return REFUSED
    if not all(_follows(step, steps[:place], program) for place, step in enumerate(steps)):
        return REFUSED
    names = certificate["given_digests"]
    if at_hand is None or not set(names) <= set(at_hand):
        return UNCHECKED
    facts = [fact for name in names for fact in at_hand[name]]
    return VERIFIED if _agrees(steps, program, facts) else REFUSED


def _is_framed(certificate: Mapping[str, Any], steps: Sequence[Step], version: str) -> bool:
    """The fields around the trace say what the trace says."""
    body = {name: value for name, value in certificate.items() if name != "digest"}
    last = steps[-1]
    return bool(
        certificate["ruleset_version"] == version
        and certificate["digest"] == digest_of(json_part(body))
        and "values" in last
        and certificate["conclusion"] == {"relation": last["relation"], "values": last["values"]}
        and certificate["input_fact_ids"]
        == sorted({step["fact_id"] for step in steps if step["kind"] == "given"})
        and certificate["supporting_rule_ids"]
        == sorted({step["rule_id"] for step in steps if step["kind"] == "rule"})
    )


def _is_connected(steps: Sequence[Step]) -> bool:
    """No step stands twice, and the conclusion alone is no premise."""
    names = [step["id"] for step in steps]
    used = {name for step in steps for name in step.get("premises", ())}
    return len(set(names)) == len(names) and set(names) - {names[-1]} == used & set(names)


def _follows(step: Step, earlier: Sequence[Step], program: Program) -> bool:
    if step["id"] != step_id(step):
        return False
    if step["kind"] in ("aggregate", "rule"):
        try:
            return {"aggregate": _ranges, "rule": _applies}[step["kind"]](step, earlier, program)
        except (FaultError, TypeError):
            return False
    relation = program.relations.get(step["relation"])
    row = step["pattern"] if step["kind"] == "absence" else step["values"]
    if relation is None or len(relation.columns) != len(row):
        return False
    if step["kind"] == "absence":
        return True
    types = [int if column.type == NUMBER else str for column in relation.columns]
    return (
        relation.given
        and step["fact_id"] == fact_id(step)
        and [type(found) for found in row] == types
    )


def _aggregate_of(step: Step, program: Program) -> tuple[Rule, Aggregate] | None:
    for rule in program.rules:
        if rule.id == step["rule_id"] and 0 <= step["position"] < len(rule.body):
            literal = rule.body[step["position"]]
            return (rule, literal) if isinstance(literal, Aggregate) else None
    return None


def _ranges(step: Step, earlier: Sequence[Step], program: Program) -> bool:
    """It is an aggregate of the rules, its shared variables are bound, rows are of its relations.

    Whether it is true is left to `_agrees`.
    """
    place = _aggregate_of(step, program)
    if place is None:
        return False
    rule, aggregate = place
    known = {found["id"]: found for found in earlier}
    return set(step["binding"]) == shared_names(aggregate, frozenset(names_of(rule))) and all(
        "values" in known.get(name, {}) and known[name]["relation"] in relations_of(aggregate)
        for name in step["premises"]
    )


def _applies(step: Step, earlier: Sequence[Step], program: Program) -> bool:
    """The rule exists, its binding is total, head and comparisons agree, and so do the premises."""
    known = {found["id"]: found for found in earlier}
    binding: Binding = step["binding"]
    for rule in program.rules:
        if rule.id == step["rule_id"]:
            break
    else:
        return False
    if set(binding) != set(names_of(rule)):
        return False
    if (rule.head.relation, [*instance(rule.head, binding)]) != (step["relation"], step["values"]):
        return False
    for literal in rule.body:
        if isinstance(literal, Comparison):
            left, right = value(literal.left, binding), value(literal.right, binding)
            alike = isinstance(left, str) == isinstance(right, str)
            if not alike or not SIGNS[literal.operator](left, right):
                return False
    asked = [(n, x) for n, x in enumerate(rule.body) if not isinstance(x, Comparison)]
    return len(asked) == len(step["premises"]) and all(
        name in known and _answers(known[name], (rule, *place), binding)
        for name, place in zip(step["premises"], asked, strict=True)
    )


def _answers(premise: Step, place: tuple[Rule, int, Literal], binding: Binding) -> bool:
    """Whether a premise is what a literal asks for under a total binding."""
    rule, position, literal = place
    if isinstance(literal, Aggregate):
        return (
            premise["kind"] == "aggregate"
            and (premise["rule_id"], premise["position"]) == (rule.id, position)
            and premise["binding"].items() <= binding.items()
            and premise["value"] == binding[literal.result.name]
        )
    if isinstance(literal, Comparison) or premise["kind"] == "aggregate":
        return False
    atom = literal.atom if isinstance(literal, Negated) else literal
    wanted = [hole(term, binding) for term in atom.terms]
    if premise["relation"] != atom.relation:
        return False
    if isinstance(literal, Negated):
        return (premise["kind"], premise.get("pattern")) == ("absence", wanted)
    row = premise.get("values")
    return (
        row is not None
        and len(row) == len(wanted)
        and all(hole_ in (None, found) for hole_, found in zip(wanted, row, strict=True))
    )


def _agrees(steps: Sequence[Step], program: Program, facts: Sequence[Fact]) -> bool:
    """Given steps are facts of the named sets; their model bears out absences and aggregates."""
    content = {(fact.relation, fact.values, fact.source) for fact in facts}
    rows = rounds_of(program, facts)
    known = {step["id"]: step for step in steps}
    for step in steps:
        if step["kind"] == "given":
            if (step["relation"], tuple(step["values"]), step["source"]) not in content:
                return False
        elif step["kind"] == "absence":
            holes = (Wildcard() if v is None else Constant(v) for v in step["pattern"])
            atom = Atom(step["relation"], tuple(holes))
            if any(unify(atom, ground, {}) is not None for ground in rows):
                return False
        elif step["kind"] == "aggregate" and not _is_total(step, known, program, rows):
            return False
    return True


def _is_total(step: Step, known: Mapping[str, Step], program: Program, rows: Rounds) -> bool:
    """Value, number and digest of the solutions, and the rows named, are those of the model."""
    place = _aggregate_of(step, program)
    assert place is not None
    rule, aggregate = place
    names = frozenset(names_of(rule))
    found = [premises for _, premises in behind(aggregate, rows, step["binding"], names)]
    each = sorted(digest_of([[name, [*row]] for name, row in premises]) for premises in found)
    distinct = {ground for premises in found for ground in premises}
    ordered = sorted(distinct, key=lambda g: (g[0], [in_term_order(v) for v in g[1]]))
    named = [(known[n]["relation"], tuple(known[n]["values"])) for n in step["premises"]]
    return (
        step["value"] == total(aggregate, rows, step["binding"], names)
        and step["count"] == len(found)
        and step["contributions"] == digest_of(["contributions", each])
        and named == (ordered if len(ordered) <= FEW else [])
    )
