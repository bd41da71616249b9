"""Generated literals, whose variables a scope keeps track of."""

from dataclasses import dataclass, field

from generated_declarations import Declared, constants, numbers
from hypothesis import strategies as st

import engine

VARIABLES = ("x", "y", "z", "_u", "V", "w1", "fresh", "n")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass
class Scope:
    """The variables that are bound so far, each with its type; `loose` ones fit every subtype."""

    types: dict[str, str] = field(default_factory=dict[str, str])
    loose: set[str] = field(default_factory=set[str])
    drawn: set[str] = field(default_factory=set[str])
    fresh: list[str] = field(default_factory=lambda: list(VARIABLES))

    def fitting(self, declared: Declared, wanted: str) -> list[str]:
        """The variables whose values all belong to a type."""
        return [
            name
            for name, own in self.types.items()
            if wanted in {own, declared.base(own)}
            or (name in self.loose and declared.base(own) == declared.base(wanted))
        ]

    def of_numbers(self, declared: Declared) -> list[str]:
        return [n for n, own in self.types.items() if declared.base(own) == engine.NUMBER]

    def bind(self, type_name: str, *, drawn: bool) -> engine.Variable:
        name = self.fresh.pop(0)
        self.types[name] = type_name
        if drawn:
            self.drawn.add(name)
        else:
            self.loose.add(name)
        return engine.Variable(name)


def expressions(names: list[str]) -> st.SearchStrategy[engine.Term]:
    """Arithmetic over some variables and constants, at least one operator deep."""
    leaf: st.SearchStrategy[engine.Term] = numbers.map(engine.Constant)
    if names:
        leaf = st.one_of(leaf, st.sampled_from(names).map(engine.Variable))
    operators = st.sampled_from("+-*/%")
    once = st.builds(engine.Arithmetic, operators, leaf, leaf)
    deeper = st.one_of(leaf, once)
    return st.builds(engine.Arithmetic, operators, deeper, deeper)


@st.composite
def positive_atoms(
    draw: st.DrawFn, declared: Declared, relation: engine.Relation, scope: Scope, *, wild: bool
) -> engine.Atom:
    terms: list[engine.Term] = []
    for column in relation.columns:
        kind = draw(st.sampled_from(["variable", "known", "constant", "wildcard", "arithmetic"]))
        known = [n for n in scope.fitting(declared, column.type) if n in scope.drawn]
        if kind == "constant":
            terms.append(draw(constants(declared, column.type)))
        elif kind == "arithmetic" and declared.base(column.type) == engine.NUMBER:
            terms.append(draw(expressions(scope.of_numbers(declared))))
        elif kind == "known" and known:
            terms.append(engine.Variable(draw(st.sampled_from(known))))
        elif (kind == "wildcard" and wild) or not scope.fresh:
            terms.append(engine.Wildcard() if wild else draw(constants(declared, column.type)))
        else:
            terms.append(scope.bind(column.type, drawn=True))
    return engine.Atom(relation.name, tuple(terms))


@st.composite
def bound_atoms(
    draw: st.DrawFn,
    declared: Declared,
    relation: engine.Relation,
    scope: Scope,
    *,
    wild: bool,
    arithmetic: bool,
) -> engine.Atom:
    terms: list[engine.Term] = []
    for column in relation.columns:
        choices = [constants(declared, column.type)]
        known = scope.fitting(declared, column.type)
        if known:
            choices.append(st.sampled_from(known).map(engine.Variable))
        if arithmetic and declared.base(column.type) == engine.NUMBER:
            choices.append(expressions(scope.of_numbers(declared)))
        if wild:
            choices.append(st.just(engine.Wildcard()))
        terms.append(draw(st.one_of(choices)))
    return engine.Atom(relation.name, tuple(terms))


@st.composite
def comparisons(draw: st.DrawFn, declared: Declared, scope: Scope) -> engine.Comparison:
    name = draw(st.sampled_from(sorted(scope.types)))
    own = scope.types[name]
    other = draw(
        st.one_of(
            constants(declared, own),
            st.sampled_from(scope.fitting(declared, own)).map(engine.Variable),
            *(
                [expressions(scope.of_numbers(declared))]
                if declared.base(own) == engine.NUMBER
                else []
            ),
        )
    )
    pair: list[engine.Term] = [engine.Variable(name), other]
    left, right = draw(st.permutations(pair))
    return engine.Comparison(draw(st.sampled_from(COMPARISONS)), left, right)


@st.composite
def bindings(draw: st.DrawFn, declared: Declared, scope: Scope) -> engine.Comparison | None:
    """`=` that binds a new variable to arithmetic or to another variable."""
    known = sorted(scope.types)
    if not scope.fresh:
        return None
    if draw(st.booleans()) and known:
        copied = draw(st.sampled_from(known))
        variable = scope.bind(scope.types[copied], drawn=False)
        if copied not in scope.loose:
            scope.loose.discard(variable.name)
        other: engine.Term = engine.Variable(copied)
    else:
        other = draw(expressions(scope.of_numbers(declared)))
        variable = scope.bind(engine.NUMBER, drawn=False)
    pair: list[engine.Term] = [variable, other]
    left, right = draw(st.permutations(pair))
    return engine.Comparison("=", left, right)


@st.composite
def aggregates(
    draw: st.DrawFn, declared: Declared, readable: list[engine.Relation], scope: Scope
) -> engine.Aggregate | None:
    """An aggregate over one or two atoms; it shares what it does not name anew."""
    if not scope.fresh:
        return None
    function = draw(st.sampled_from(["count", "sum", "min", "max"]))
    inner = Scope(dict(scope.types), set(scope.loose), set(scope.drawn), ["L", "_l", "local", "i"])
    body: list[engine.Atom | engine.Negated | engine.Comparison] = [
        draw(positive_atoms(declared, draw(st.sampled_from(readable)), inner, wild=False))
        for _ in range(draw(st.integers(1, 2)))
    ]
    local = [name for name in inner.of_numbers(declared) if name not in scope.types]
    if draw(st.booleans()):
        chosen = draw(st.sampled_from(readable))
        atom = draw(bound_atoms(declared, chosen, inner, wild=True, arithmetic=True))
        body.append(engine.Negated(atom))
    if draw(st.booleans()) and inner.types:
        body.append(draw(comparisons(declared, inner)))
    target: engine.Term | None = None
    type_name = engine.NUMBER
    if function != "count":
        target = draw(expressions(local))
        if draw(st.booleans()) and local:
            name = draw(st.sampled_from(local))
            target, type_name = engine.Variable(name), inner.types[name]
    result = scope.bind(type_name, drawn=False)
    if isinstance(target, engine.Variable):
        scope.loose.discard(result.name)
    return engine.Aggregate(result, function, target, tuple(draw(st.permutations(body))))
