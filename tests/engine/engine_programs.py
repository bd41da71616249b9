"""Random programs, safe and stratified by construction, over small dense domains.

A relation has a level; a rule reads relations of its head's level and below, and negates only those
below, so that no relation rests on its own absence, while those of one level may need one another.
Hypothesis draws the seed alone: drawing every term by itself gave nearly empty models, and slowly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil
from random import Random

from engine_models import Case
from hypothesis import assume
from hypothesis import strategies as st

from engine import (
    NUMBER,
    NUMBER_MAX,
    NUMBER_MIN,
    SYMBOL,
    Atom,
    Column,
    Comparison,
    Constant,
    Fact,
    LimitReachedError,
    Limits,
    Literal,
    Model,
    Negated,
    Program,
    Relation,
    Rule,
    Term,
    Value,
    Variable,
    Wildcard,
    evaluate,
)

AWKWARD = ("a", "", '"', "\\", "\n", "\0", "5", "\xe9", "e\u0301", ":-", "\u202e", "\U0001f600")
NUMBERS = (0, 5, 1, -1, NUMBER_MAX, NUMBER_MIN)
ARITIES = (0, 1, 2, 2, 2, 2, 2, 3, 3, 4)
WIDE = 17
OPERATORS = ("=", "!=", "!=", "<", "<=", ">", ">=")
GIVEN_LEVEL = -1
MOST_FACTS = 14
MOST_COLUMNS = max(ARITIES)

MODEST = Limits(join_rows=30_000)
SMALL = Limits(join_rows=2_000)

Kinds = tuple[str, ...]


@dataclass(frozen=True)
class _World:
    """What a rule may speak of: values by kind, columns and level by relation."""

    random: Random
    domain: dict[str, list[Value]]
    kinds: dict[str, Kinds]
    level: dict[str, int]


def cases() -> st.SearchStrategy[Case]:
    return st.randoms(use_true_random=True).map(random_case)


def model_of(case: Case, limits: Limits) -> Model:
    """The model of a case; the case is set aside when it is so dense that it costs too much."""
    try:
        return evaluate(case.program, case.facts, [], limits)
    except LimitReachedError:
        assume(False)
        raise


def random_case(random: Random) -> Case:
    world = _world(random)
    relations = {
        name: Relation(
            name,
            tuple(Column(f"c{i}", kind) for i, kind in enumerate(kinds)),
            given=world.level[name] == GIVEN_LEVEL,
        )
        for name, kinds in world.kinds.items()
    }
    derived = [name for name, level in world.level.items() if level != GIVEN_LEVEL]
    heads = [name for name in derived for _ in range(random.choice((1, 2, 2, 3)))]
    ids = random.sample(range(100), len(heads))
    make = random.choice((_rule, _rule, _chain))
    rules = tuple(make(world, head, f"r{n}") for head, n in zip(heads, ids, strict=True))
    given = [name for name in world.level if name not in derived]
    facts = tuple(fact for name in given for fact in _facts(world, name))
    return Case(Program({}, relations, rules), facts)


def _world(random: Random) -> _World:
    size = random.choice((2, 3, 4, 5))
    domain: dict[str, list[Value]] = {
        SYMBOL: [*random.sample(AWKWARD, size)],
        NUMBER: [*random.sample(NUMBERS, random.choice((2, 3)))],
    }
    kinds: dict[str, Kinds] = {}
    level: dict[str, int] = {}
    for i in range(random.choice((2, 3))):
        kinds[f"g{i}"] = _kinds(random, random.choice(ARITIES))
        level[f"g{i}"] = GIVEN_LEVEL
    current = 0
    for i in range(random.choice((2, 3, 4, 5))):
        like = random.choice(sorted(kinds))
        fresh = random.random() < 0.3
        kinds[f"d{i}"] = _kinds(random, random.choice(ARITIES)) if fresh else kinds[like]
        level[f"d{i}"] = current
        current += random.choice((0, 0, 1))
    if random.random() < 0.15:
        kinds["g_wide"] = kinds["d_wide"] = _kinds(random, WIDE)
        level["g_wide"], level["d_wide"] = GIVEN_LEVEL, current
    return _World(random, domain, kinds, level)


def _kinds(random: Random, arity: int) -> Kinds:
    """Columns that are mostly of one kind, so that variables meet."""
    return tuple(random.choice((SYMBOL, SYMBOL, SYMBOL, NUMBER)) for _ in range(arity))


def _facts(world: _World, relation: str) -> list[Fact]:
    random, kinds = world.random, world.kinds[relation]
    if len(kinds) > MOST_COLUMNS:
        rows = [tuple(random.choice(world.domain[k]) for k in kinds) for _ in range(4)]
    else:
        rows = list(product(*(world.domain[kind] for kind in kinds)))
    share = random.choice((0, 0.3, 0.4, 0.5, 0.7, 0.9))
    chosen = random.sample(rows, min(MOST_FACTS, ceil(share * len(rows))))
    again = chosen[: random.choice((0, 0, 1))]
    return [Fact.of(relation, row, random.choice(("s1", "s2"))) for row in (*chosen, *again)]


def _rule(world: _World, head: str, rule_id: str) -> Rule:
    random, mine = world.random, world.level[head]
    names = [name for name, level in world.level.items() if level <= mine]
    names += [name for name, level in world.level.items() if level == mine]
    below = [name for name, level in world.level.items() if level < mine]
    chosen = random.choices(names, k=random.choice((0, 1, 1, 1, 2, 2, 2, 2, 3)))
    atoms = [Atom(name, _open_terms(world, name)) for name in chosen]
    bound = {kind: _variables(world, atoms, kind) for kind in (SYMBOL, NUMBER)}
    body: list[Literal] = [*atoms]
    for name in random.choices(below, k=random.choice((0, 0, 0, 0, 1, 1, 2))):
        holes = (
            Wildcard() if random.random() < 0.3 else _closed_term(world, bound, kind)
            for kind in world.kinds[name]
        )
        body.append(Negated(Atom(name, tuple(holes))))
    for kind in random.choices((SYMBOL, NUMBER), k=random.choice((0, 0, 0, 0, 1, 2))):
        left, right = _closed_term(world, bound, kind), _closed_term(world, bound, kind)
        body.append(Comparison(random.choice(OPERATORS), left, right))
    random.shuffle(body)
    terms = tuple(_closed_term(world, bound, kind) for kind in world.kinds[head])
    return Rule(rule_id, Atom(head, terms), tuple(body))


def _chain(world: _World, head: str, rule_id: str) -> Rule:
    """`head(x, z) :- a(x, y), b(y, z)` or a copy, where the columns allow it: many rounds."""
    random, kinds = world.random, world.kinds[head]
    like = [n for n, k in world.kinds.items() if k == kinds and world.level[n] <= world.level[head]]
    if len(kinds) != 2 or kinds[0] != kinds[1] or random.random() < 0.2:
        return _rule(world, head, rule_id)
    x, y, z = (Variable(name) for name in random.sample("zyx", 3))
    left, right = random.choice(like), random.choice(like)
    body = (Atom(left, (x, y)), Atom(right, (y, z)))
    if world.level[left] == GIVEN_LEVEL:
        return Rule(rule_id, Atom(head, (x, y)), body[:1])
    return Rule(rule_id, Atom(head, (x, z)), body)


def _open_terms(world: _World, relation: str) -> tuple[Term, ...]:
    """Terms of a positive atom: mostly variables, of so few names that some of them meet."""
    random = world.random
    terms: list[Term] = []
    for kind in world.kinds[relation]:
        choice = random.random()
        if choice < 0.06:
            terms.append(Wildcard())
        elif choice < 0.1:
            terms.append(Constant(random.choice(world.domain[kind])))
        else:
            terms.append(Variable(f"{random.choice('zyxw')}_{kind}"))
    return tuple(terms)


def _closed_term(world: _World, bound: dict[str, list[Variable]], kind: str) -> Term:
    """A variable that a positive atom binds, or a constant."""
    if bound[kind] and world.random.random() < 0.9:
        return world.random.choice(bound[kind])
    return Constant(world.random.choice(world.domain[kind]))


def _variables(world: _World, atoms: Sequence[Atom], kind: str) -> list[Variable]:
    found = {
        term
        for atom in atoms
        for term, column in zip(atom.terms, world.kinds[atom.relation], strict=True)
        if isinstance(term, Variable) and column == kind
    }
    return sorted(found)
