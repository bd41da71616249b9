"""Plans: in which order the literals of a body are tried.

Positive atoms come first, then every other literal in the order written, each as soon as its
variables are bound. A test that is false keeps those behind it from being tried, so that
`x != 0, y = 10 / x` never faults. `hastened` reorders without changing what holds or faults.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.program import Program, Rule, terms_of, variables_in, variables_inside
from engine.terms import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Literal,
    Negated,
    Term,
    Variable,
)


class UnsafeBodyError(Exception):
    """Some variable of a body is bound by nothing; `rules` refuses such a rule with its place."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"unbound: {', '.join(f'`{name}`' for name in names)}")
        self.names = tuple(names)


@dataclass(frozen=True, slots=True)
class Test:
    """A literal that is tried under a binding; an aggregate brings the plan of its own body.

    `is_harmless` iff trying it never faults and is cheap: no arithmetic, matcher or aggregate.
    """

    literal: Literal
    is_harmless: bool
    inner: "Plan | None" = None
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """A positive atom over rows, `position` counting the atoms of the body as written.

    `tests` are tried as soon as the atom has a row.
    """

    atom: Atom
    position: int
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Scans one inside the other, then tests; `early` are tests that need no scan at all."""

    scans: tuple[Scan, ...]
    tests: tuple[Test, ...]
    early: tuple[Test, ...] = ()


def plan_of(rule: Rule, program: Program) -> Plan:
    """The plan of a rule as the definition has it; raises `UnsafeBodyError`."""
    outside = {v.name for b in (rule.head, *rule.body) for v in variables_in(terms_of(b))}
    plan = _planned(rule.body, program, frozenset(), outside)
    bound = _bound_by(plan, frozenset())
    _require_bound((rule.head,), bound)
    return plan


def _planned(
    body: Sequence[Literal], program: Program, start: frozenset[str], outside: set[str]
) -> Plan:
    """The plan of a body whose `start` variables are bound; `outside` are the rule's own."""
    scans: list[Scan] = []
    waiting: list[Literal] = []
    for literal in body:
        if isinstance(literal, Atom) and program.relations[literal.relation].computed is None:
            atom, equalities = _flattened(literal, len(scans))
            scans.append(Scan(atom, len(scans)))
            waiting.extend(equalities)
        else:
            waiting.append(literal)
    known = set(start) | {v.name for scan in scans for v in _plain(scan.atom.terms)}
    tests: list[Test] = []
    while ready := next((w for w in waiting if _is_ready(w, known, outside)), None):
        waiting.remove(ready)
        tests.append(_test(ready, program, known, outside))
        known |= _binds(ready)
    _require_bound(waiting, known)
    if waiting:
        inside = [v.name for w in waiting if isinstance(w, Aggregate) for v in variables_inside(w)]
        raise UnsafeBodyError(sorted({n for n in inside if n in outside and n not in known}))
    return Plan(tuple(scans), tuple(tests))


def _flattened(atom: Atom, position: int) -> tuple[Atom, list[Comparison]]:
    """The atom with fresh variables for arithmetic, and the equalities that these must satisfy."""
    terms: list[Term] = []
    equalities: list[Comparison] = []
    for column, term in enumerate(atom.terms):
        if isinstance(term, Arithmetic):
            fresh = Variable(f"#{position}.{column}")
            equalities.append(Comparison("=", fresh, term))
            terms.append(fresh)
        else:
            terms.append(term)
    return Atom(atom.relation, tuple(terms)), equalities


def _test(literal: Literal, program: Program, known: set[str], outside: set[str]) -> Test:
    if not isinstance(literal, Aggregate):
        return Test(literal, _is_harmless(literal, program))
    shared = shared_by(literal, outside)
    inner = _planned(literal.body, program, frozenset(shared), outside | set(shared))
    target = () if literal.target is None else (Comparison("=", literal.target, literal.target),)
    _require_bound(target, known | _bound_by(inner, frozenset(shared)))
    return Test(literal, is_harmless=False, inner=inner, shared=shared)


def shared_by(aggregate: Aggregate, outside: Iterable[str]) -> tuple[str, ...]:
    """The variables of an aggregate that its rule names outside of aggregates too, sorted."""
    names = set(outside)
    return tuple(sorted(v.name for v in variables_inside(aggregate) if v.name in names))


def _plain(terms: Iterable[Term]) -> list[Variable]:
    return [term for term in terms if isinstance(term, Variable)]


def _binds(literal: Literal) -> set[str]:
    """The variables that a ready literal binds, if they are not bound yet."""
    if isinstance(literal, Aggregate):
        return {literal.result.name}
    if isinstance(literal, Comparison) and literal.operator == "=":
        return {v.name for v in _plain((literal.left, literal.right))}
    return set()


def _bound_by(plan: Plan, start: frozenset[str]) -> set[str]:
    """Every variable that is bound once a plan has run."""
    scanned = {v.name for scan in plan.scans for v in _plain(scan.atom.terms)}
    return {*start, *scanned, *(n for test in plan.tests for n in _binds(test.literal))}


def _is_ready(literal: Literal, known: set[str], outside: set[str]) -> bool:
    """Whether a literal can be tried once the known variables are bound."""
    if isinstance(literal, Aggregate):
        return set(shared_by(literal, outside)) <= known
    if isinstance(literal, Comparison) and literal.operator == "=":
        left, right = (
            {v.name for v in variables_in((side,))} <= known
            for side in (literal.left, literal.right)
        )
        return (left and (right or isinstance(literal.right, Variable))) or (
            right and isinstance(literal.left, Variable)
        )
    return all(v.name in known for v in variables_in(terms_of(literal)))


def _require_bound(literals: Sequence[Literal], known: Iterable[str]) -> None:
    names = set(known)
    terms = [term for b in literals if not isinstance(b, Aggregate) for term in terms_of(b)]
    missing = sorted({v.name for v in variables_in(terms) if v.name not in names})
    if missing:
        raise UnsafeBodyError(missing)


def hastened(plan: Plan, bound: Iterable[str] = (), first: int | None = None) -> Plan:
    """The plan with scans in greedy order and tests as early as they cannot change a fault.

    `bound` are variables that are bound before; `first` is the position of the scan to begin with.
    A test moves forward only if neither it nor any test before it can fault.
    """
    known = set(bound)
    left = list(plan.scans)
    harmless = 0
    while harmless < len(plan.tests) and plan.tests[harmless].is_harmless:
        harmless += 1
    movable, fixed = list(plan.tests[:harmless]), plan.tests[harmless:]
    early = _take_ready(movable, known)
    scans: list[Scan] = []
    while left:
        chosen = next((s for s in left if s.position == first and not scans), None) or max(
            left, key=lambda s: (_fixed_columns(s.atom, known), -s.position)
        )
        left.remove(chosen)
        known |= {v.name for v in _plain(chosen.atom.terms)}
        scans.append(replace(chosen, tests=_take_ready(movable, known)))
    return Plan(tuple(scans), (*movable, *fixed), early)


def _take_ready(movable: list[Test], known: set[str]) -> tuple[Test, ...]:
    """Take out the tests whose variables are all known, growing `known` by what they bind."""
    taken: list[Test] = []
    while ready := next((t for t in movable if _is_ready(t.literal, known, known)), None):
        movable.remove(ready)
        taken.append(ready)
        known |= _binds(ready.literal)
    return tuple(taken)


def _fixed_columns(atom: Atom, known: set[str]) -> int:
    return sum(
        isinstance(term, Constant) or (isinstance(term, Variable) and term.name in known)
        for term in atom.terms
    )


def _is_harmless(literal: Atom | Negated | Comparison, program: Program) -> bool:
    """Whether a literal has no arithmetic and asks no matcher."""
    atom = literal.atom if isinstance(literal, Negated) else literal
    if isinstance(atom, Atom) and program.relations[atom.relation].computed is not None:
        return False
    return not any(isinstance(term, Arithmetic) for term in terms_of(literal))
