"""Bodies as pyDatalog needs them: each literal behind all that bind its variables.

pyDatalog resolves a body from left to right. An equality whose variables are not bound yet fails
there without a word, a comparison raises, and a negated atom holds iff no value at all does. Tests
come as early as they can, before tests that our evaluator would try first: in pyDatalog none of
them can fault.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from engine import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Literal,
    Term,
    Variable,
    terms_of,
    variables_in,
)


class UnboundError(Exception):
    """Nothing binds these variables of a rule."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted(names))
        super().__init__(f"unbound: {', '.join(f'`{name}`' for name in self.names)}")


def flattened(atom: Atom, fresh: Iterator[Variable]) -> tuple[Atom, list[Comparison]]:
    """The atom with fresh variables for arithmetic, and the equalities that these must satisfy."""
    terms: list[Term] = []
    equalities: list[Comparison] = []
    for term in atom.terms:
        if isinstance(term, Arithmetic):
            variable = next(fresh)
            equalities.append(Comparison("=", variable, term))
            terms.append(variable)
        else:
            terms.append(term)
    return Atom(atom.relation, tuple(terms)), equalities


def ordered(
    body: Iterable[Literal], known: Iterable[str], outside: Collection[str]
) -> tuple[Literal, ...]:
    """A body without arithmetic in positive atoms, in an order in which it can be resolved.

    `known` variables are bound before it; `outside` are those that its aggregates share. Of the
    positive atoms the one with most bound columns comes next; aggregates come behind all of them.
    Raises `UnboundError`.
    """
    waiting, bound = list(body), set(known)
    found: list[Literal] = []
    while waiting:
        chosen = _next(waiting, bound, outside)
        if chosen is None:
            raise UnboundError({n for w in waiting for n in _needs(w, outside)} - bound)
        waiting.remove(chosen)
        bound |= _binds(chosen)
        found.append(chosen)
    return tuple(found)


def require_bound(terms: Iterable[Term], body: Iterable[Literal], known: Iterable[str]) -> None:
    """Check that a body binds every variable of some terms; raises `UnboundError`."""
    bound = {*known, *(name for literal in body for name in _binds(literal))}
    if missing := names_in(terms) - bound:
        raise UnboundError(missing)


def names_in(terms: Iterable[Term]) -> set[str]:
    """The names of the variables of terms."""
    return {variable.name for variable in variables_in(terms)}


def shared_by(aggregate: Aggregate, outside: Collection[str]) -> list[Variable]:
    """The variables of an aggregate that its rule names outside of aggregates too."""
    target = () if aggregate.target is None else (aggregate.target,)
    terms = (*(term for literal in aggregate.body for term in terms_of(literal)), *target)
    return [v for v in dict.fromkeys(variables_in(terms)) if v.name in outside]


def _next(waiting: Sequence[Literal], bound: set[str], outside: Collection[str]) -> Literal | None:
    atoms = [literal for literal in waiting if isinstance(literal, Atom)]
    ready = [w for w in waiting if not isinstance(w, Atom) and _is_ready(w, bound, outside)]
    for literal in ready:
        if not (atoms and isinstance(literal, Aggregate)):
            return literal
    return max(atoms, key=lambda atom: _bound_columns(atom, bound), default=None)


def _is_ready(literal: Literal, bound: set[str], outside: Collection[str]) -> bool:
    """Whether a test can be resolved; `=` needs one side only if the other is a variable."""
    if isinstance(literal, Comparison) and literal.operator == "=":
        sides = (literal.left, literal.right), (literal.right, literal.left)
        return any(
            names_in((side,)) <= bound
            and (isinstance(other, Variable) or names_in((other,)) <= bound)
            for side, other in sides
        )
    return _needs(literal, outside) <= bound


def _needs(literal: Literal, outside: Collection[str]) -> set[str]:
    if isinstance(literal, Aggregate):
        return {variable.name for variable in shared_by(literal, outside)}
    return names_in(terms_of(literal))


def _binds(literal: Literal) -> set[str]:
    """The variables that are bound behind a literal that can be resolved."""
    if isinstance(literal, Atom | Aggregate) or (
        isinstance(literal, Comparison) and literal.operator == "="
    ):
        return names_in(terms_of(literal))
    return set()


def _bound_columns(atom: Atom, bound: set[str]) -> int:
    return sum(
        isinstance(term, Constant) or (isinstance(term, Variable) and term.name in bound)
        for term in atom.terms
    )
