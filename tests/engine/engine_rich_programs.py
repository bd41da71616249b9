"""Random programs with arithmetic, binding equalities and aggregates, safe by construction.

As in `engine_programs`, a rule reads relations of its head's level and below, and negates or
aggregates only those below. Arithmetic in a recursive head is taken modulo a small number, so that
every recursion ends. Domains are small; in some cases they hold both ends of 64 bits, so that
arithmetic fails now and then, and divisors are guarded now and then.
"""

from dataclasses import dataclass, field
from itertools import product
from math import ceil
from random import Random

from engine_models import Case
from hypothesis import strategies as st

from engine import (
    NUMBER,
    NUMBER_MAX,
    NUMBER_MIN,
    SYMBOL,
    Aggregate,
    Arithmetic,
    Atom,
    Column,
    Comparison,
    Constant,
    Fact,
    Literal,
    Negated,
    Program,
    Relation,
    Rule,
    Term,
    Value,
    Variable,
    Wildcard,
)

GIVEN_LEVEL = -1
MOST_FACTS = 9
WIDE = 12
SIGNS = ("!=", "!=", "<", "<=", ">", "=")
FUNCTIONS = ("count", "sum", "min", "max")
Kinds = tuple[str, ...]


@dataclass(frozen=True)
class World:
    """What rules may speak of, and whether their arithmetic may fail."""

    random: Random
    is_wild: bool
    domain: dict[str, list[Value]]
    kinds: dict[str, Kinds] = field(default_factory=dict)
    level: dict[str, int] = field(default_factory=dict)


def rich_cases(*, is_wild: bool | None = None) -> st.SearchStrategy[Case]:
    """Cases whose arithmetic may fail iff `is_wild`; None leaves it to chance."""
    return st.randoms(use_true_random=True).map(lambda random: rich_case(random, is_wild))


def rich_case(random: Random, is_wild: bool | None) -> Case:
    wild = random.random() < 0.4 if is_wild is None else is_wild
    numbers: list[Value] = [*random.sample((-2, -1, 0, 1, 2, 3), random.choice((2, 3, 3)))]
    if wild:
        numbers.append(random.choice((NUMBER_MAX, NUMBER_MIN, 0)))
    world = World(random, wild, {NUMBER: numbers, SYMBOL: ["a", "", "5"]})
    for i in range(random.choice((2, 3))):
        _declare(world, f"g{i}", GIVEN_LEVEL)
    current = 0
    for i in range(random.choice((2, 3, 4))):
        _declare(world, f"d{i}", current)
        current += random.choice((0, 1, 1))
    if random.random() < 0.1:
        world.kinds["g_wide"] = world.kinds["d_wide"] = (NUMBER,) * WIDE
        world.level["g_wide"], world.level["d_wide"] = GIVEN_LEVEL, current
    relations = {
        name: Relation(
            name,
            tuple(Column(f"c{i}", kind) for i, kind in enumerate(kinds)),
            given=world.level[name] == GIVEN_LEVEL,
        )
        for name, kinds in world.kinds.items()
    }
    derived = [name for name, level in world.level.items() if level != GIVEN_LEVEL]
    heads = [name for name in derived for _ in range(random.choice((1, 2, 2)))]
    ids = random.sample(range(100), len(heads))
    rules = tuple(_rule(world, head, f"r{n}") for head, n in zip(heads, ids, strict=True))
    facts = tuple(f for name in world.level if name not in derived for f in _facts(world, name))
    return Case(Program({}, relations, rules), facts)


def _declare(world: World, name: str, level: int) -> None:
    arity = world.random.choice((0, 1, 1, 2, 2, 2, 3))
    symbols = (SYMBOL, NUMBER, NUMBER, NUMBER)
    kinds = tuple(world.random.choice(symbols) for _ in range(arity))
    like = sorted(world.kinds)
    world.kinds[name] = (
        world.kinds[world.random.choice(like)] if like and world.random.random() < 0.6 else kinds
    )
    world.level[name] = level


def _facts(world: World, relation: str) -> list[Fact]:
    random, kinds = world.random, world.kinds[relation]
    if len(kinds) == WIDE:
        rows = [tuple(random.choice(world.domain[kind]) for kind in kinds) for _ in range(3)]
    else:
        rows = list(product(*(world.domain[kind] for kind in kinds)))
    share = random.choice((0, 0.3, 0.5, 0.7, 0.9))
    chosen = random.sample(rows, min(MOST_FACTS, ceil(share * len(rows))))
    return [Fact.of(relation, row, random.choice(("s1", "s2"))) for row in chosen]


class _Body:
    """A body under way: its literals, and the variables of each kind that are bound so far."""

    def __init__(self, world: World, letters: str) -> None:
        self.world = world
        self.letters = letters
        self.literals: list[Literal] = []
        self.bound: dict[str, list[Variable]] = {NUMBER: [], SYMBOL: []}

    def atom(self, relation: str) -> None:
        """A positive atom; arithmetic in it speaks of variables that earlier atoms bind."""
        random, terms = self.world.random, list[Term]()
        for kind in self.world.kinds[relation]:
            choice = random.random()
            if choice < 0.08:
                terms.append(Wildcard())
            elif choice < 0.14:
                terms.append(Constant(random.choice(self.world.domain[kind])))
            elif choice < 0.24 and kind == NUMBER and self.bound[NUMBER]:
                terms.append(self.sum_of(self.bound[NUMBER]))
            else:
                terms.append(Variable(f"{random.choice(self.letters)}_{kind}"))
        self.literals.append(Atom(relation, tuple(terms)))
        for term, kind in zip(terms, self.world.kinds[relation], strict=True):
            if isinstance(term, Variable) and term not in self.bound[kind]:
                self.bound[kind].append(term)

    def sum_of(self, variables: list[Variable]) -> Term:
        """Arithmetic that cannot fail unless the case is wild, then also with `/` and `%`."""
        random = self.world.random
        left = self.leaf(variables)
        right = self.leaf(variables)
        if random.random() < 0.25:
            left = Arithmetic(random.choice("+-*"), left, self.leaf(variables))
        if self.world.is_wild:
            return Arithmetic(random.choice("+-*/%"), left, right)
        if random.random() < 0.2:
            return Arithmetic(random.choice("/%"), left, Constant(random.choice((-2, 2, 3))))
        return Arithmetic(random.choice("+-*"), left, right)

    def leaf(self, variables: list[Variable]) -> Term:
        random = self.world.random
        if variables and random.random() < 0.7:
            return random.choice(variables)
        return Constant(random.choice(self.world.domain[NUMBER]))

    def term(self, kind: str) -> Term:
        """A term over what is bound."""
        random = self.world.random
        if kind == NUMBER and random.random() < 0.15:
            return self.sum_of(self.bound[NUMBER])
        if self.bound[kind] and random.random() < 0.9:
            return random.choice(self.bound[kind])
        return Constant(random.choice(self.world.domain[kind]))

    def negation(self, relation: str) -> None:
        holes = (
            Wildcard() if self.world.random.random() < 0.3 else self.term(kind)
            for kind in self.world.kinds[relation]
        )
        self.literals.append(Negated(Atom(relation, tuple(holes))))

    def comparison(self) -> None:
        kind = self.world.random.choice((NUMBER, NUMBER, NUMBER, SYMBOL))
        sign = self.world.random.choice(SIGNS)
        self.literals.append(Comparison(sign, self.term(kind), self.term(kind)))

    def guard(self) -> None:
        """`x != 0` and later `10 / x`, mostly in this order."""
        if self.bound[NUMBER]:
            x = self.world.random.choice(self.bound[NUMBER])
            pair: list[Literal] = [
                Comparison("!=", x, Constant(0)),
                Comparison("<", Arithmetic("/", Constant(10), x), Constant(7)),
            ]
            self.literals += pair if self.world.random.random() < 0.8 else pair[::-1]

    def equality(self, name: str) -> None:
        """A fresh variable that an equality binds, written on either side."""
        fresh, term = Variable(name), self.term(NUMBER)
        sides = (fresh, term) if self.world.random.random() < 0.6 else (term, fresh)
        self.literals.append(Comparison("=", *sides))
        self.bound[NUMBER].append(fresh)


def _rule(world: World, head: str, rule_id: str) -> Rule:
    random, mine = world.random, world.level[head]
    if random.random() < 0.5 and len(world.kinds[head]) == 2:
        return _chain(world, head, rule_id)
    names = [name for name, level in world.level.items() if level <= mine]
    names += [name for name, level in world.level.items() if level == mine]
    below = [name for name, level in world.level.items() if level < mine]
    body = _filled(world, names, below)
    reads = {x.relation for x in body.literals if isinstance(x, Atom)}
    is_recursive = any(world.level[name] == mine for name in reads)
    literals = body.literals
    if random.random() < 0.5:
        random.shuffle(literals)
    row: list[Term] = []
    for kind in world.kinds[head]:
        term = body.term(kind)
        derived_number = isinstance(term, Arithmetic) or (
            isinstance(term, Variable) and term.name[0] in "en"
        )
        modulus = Constant(random.choice((2, 3)))
        row.append(Arithmetic("%", term, modulus) if derived_number and is_recursive else term)
    return Rule(rule_id, Atom(head, tuple(row)), tuple(literals))


def _filled(world: World, names: list[str], below: list[str]) -> _Body:
    """A body that reads some relations, and denies or aggregates those below."""
    random = world.random
    body = _Body(world, "zyx")
    for name in random.choices(names, k=random.choice((0, 1, 1, 2, 2, 2, 3))):
        body.atom(name)
    for i in range(random.choice((0, 0, 0, 1, 2))):
        body.equality(f"e{i}")
    for i in range(random.choice((0, 0, 1, 1, 2))):
        _aggregate(world, body, below, f"n{i}")
    for name in random.choices(below, k=random.choice((0, 0, 0, 1))):
        body.negation(name)
    for _ in range(random.choice((0, 0, 1))):
        body.comparison()
    if world.is_wild and random.random() < 0.3:
        body.guard()
    return body


def _chain(world: World, head: str, rule_id: str) -> Rule:
    """`head(x, z) :- a(x, y), b(y, z)`, `head(x, y + 1) :- a(x, y)` or a copy: many rounds."""
    random, kinds = world.random, world.kinds[head]
    like = [n for n, k in world.kinds.items() if k == kinds and world.level[n] <= world.level[head]]
    x, y, z = (Variable(name) for name in "xyz")
    left, right = random.choice(like), random.choice(like)
    if world.level[left] == GIVEN_LEVEL or left == right == head:
        given = [name for name in like if world.level[name] < world.level[head]]
        return Rule(rule_id, Atom(head, (x, y)), (Atom(random.choice(given or like), (x, y)),))
    if kinds[1] == NUMBER and random.random() < 0.5:
        onward = Arithmetic("%", Arithmetic("+", y, Constant(1)), Constant(5))
        small = Comparison("<", y, Constant(9))
        return Rule(rule_id, Atom(head, (x, onward)), (Atom(left, (x, y)), small))
    if kinds[0] != kinds[1]:
        return Rule(rule_id, Atom(head, (x, y)), (Atom(left, (x, y)),))
    return Rule(rule_id, Atom(head, (x, z)), (Atom(left, (x, y)), Atom(right, (y, z))))


def _aggregate(world: World, outer: _Body, below: list[str], name: str) -> None:
    """An aggregate over relations of lower levels; `z`, `y`, `x` are shared, other names local."""
    random = world.random
    inner = _Body(world, "zyxuv" if outer.bound[NUMBER] else "uv")
    shared = {v for kind in outer.bound.values() for v in kind}
    for relation in random.choices(below, k=random.choice((0, 1, 1, 1, 2))):
        inner.atom(relation)
    missing = {v for kind in inner.bound.values() for v in kind if v.name[0] in "zyx"} - shared
    for kind in (NUMBER, SYMBOL):
        inner.bound[kind] += [v for v in outer.bound[kind] if v not in inner.bound[kind]]
    if random.random() < 0.3:
        inner.equality(f"w{name}")
    if random.random() < 0.3:
        inner.comparison()
    if random.random() < 0.3 and below:
        inner.negation(random.choice(below))
    if world.is_wild and random.random() < 0.2:
        inner.guard()
    random.shuffle(inner.literals)
    function = random.choice(FUNCTIONS)
    target = None if function == "count" else inner.term(NUMBER)
    body = tuple(x for x in inner.literals if not isinstance(x, Aggregate))
    # a name that only this body binds is local, unless another literal of the rule names it too
    if not missing:
        outer.literals.append(Aggregate(Variable(name), function, target, body))
        outer.bound[NUMBER].append(Variable(name))
