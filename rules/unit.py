"""A unit: all sources of one program together, as the passes look at them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from rules import syntax
from rules.alternatives import Allowance
from rules.spelling import Spelling
from rules.syntax import is_marked, texts
from rules.tokens import Token


@dataclass(frozen=True, slots=True)
class NamedRule:
    """One head and one conjunction, with the id of the rule that the engine gets.

    The n-th rule of a relation without an id is `<head>-<n>`; the k-th alternative of a rule that
    stands for several has `#<k>` behind that.
    """

    id: str
    id_token: Token
    clause: syntax.Clause
    alternative: int
    """Counted from 1, 0 for a rule that stands for itself alone."""


class Mention(NamedTuple):
    """An atom of a body, and what is asked of it.

    The mark is empty for a positive atom, `!` for a negated one, and the name of the aggregate for
    each atom inside one.
    """

    atom: syntax.Atom
    mark: str


@dataclass(frozen=True, slots=True)
class Unit:
    """The trees, and what they declare: of a name declared twice, the first declaration."""

    trees: tuple[syntax.Tree, ...]
    types: Mapping[str, syntax.Type]
    enumerations: Mapping[str, Mapping[str, Token]]
    """The values of each enumeration, in the order written."""
    relations: Mapping[str, syntax.Relation]
    inputs: Mapping[str, Token]
    """The relations of `.input` directives that may be given, and where the first one stands."""
    computed: frozenset[str]
    """The relations whose rows a matcher decides."""
    rules: tuple[NamedRule, ...]
    oversized: tuple[syntax.Rule, ...]
    """The rules that stand for too many, which are not among the rules."""
    unread_declarations: frozenset[str]
    unread_rules: frozenset[str]
    matchers: Collection[str]
    spelling: Spelling

    def relation_of(self, atom: syntax.Atom) -> syntax.Relation | None:
        """The relation of an atom, None unless it is declared with as many columns."""
        relation = self.relations.get(atom.relation.text)
        fits = relation is not None and len(relation.columns) == len(atom.terms)
        return relation if fits else None

    def is_given(self, name: str) -> bool:
        """Whether the rows of a relation are facts: by its annotation, or by an `.input`."""
        relation = self.relations.get(name)
        return relation is not None and (name in self.inputs or is_marked(relation, "given"))

    def is_computed(self, name: str) -> bool:
        """Whether a matcher decides the rows of a relation."""
        return name in self.computed


def unite(
    trees: tuple[syntax.Tree, ...], spelling: Spelling, matchers: Collection[str] = ()
) -> Unit:
    """The unit of some sources, in their order."""
    types: dict[str, syntax.Type] = {}
    relations: dict[str, syntax.Relation] = {}
    for tree in trees:
        for declared in tree.types:
            types.setdefault(declared.name.text, declared)
        for relation in tree.relations:
            relations.setdefault(relation.name.text, relation)
    oversized: list[syntax.Rule] = []
    rules = tuple(_named(trees, oversized))
    unread_rules = {*chain.from_iterable(tree.unread_rules for tree in trees)}
    unread_rules |= {head.relation.text for rule in oversized for head in rule.heads}
    derived = {named.clause.head.relation.text for named in rules} | unread_rules
    return Unit(
        trees,
        types,
        {
            name: {word.text: word for word in texts(declared, "values")}
            for name, declared in types.items()
        },
        relations,
        _inputs(trees, relations, derived),
        frozenset(n for n, relation in relations.items() if is_marked(relation, "computed")),
        rules,
        tuple(oversized),
        frozenset(chain.from_iterable(tree.unread_declarations for tree in trees)),
        frozenset(unread_rules),
        matchers,
        spelling,
    )


def mentions(body: Iterable[syntax.Literal]) -> Iterator[Mention]:
    """The atoms of a body in the order written, those inside aggregates too."""
    for literal in body:
        match literal:
            case syntax.Atom():
                yield Mention(literal, "")
            case syntax.Negated():
                yield Mention(literal.atom, "!")
            case syntax.Comparison():
                pass
            case syntax.Aggregate():
                for atom, _ in mentions(literal.body):
                    yield Mention(atom, literal.function.text)


def exchanges(trees: Iterable[syntax.Tree], direction: str) -> Iterator[syntax.Exchange]:
    """The `.input` or `.output` directives of some trees."""
    for tree in trees:
        yield from (exchange for exchange in tree.exchanges if exchange.direction == direction)


def _inputs(
    trees: tuple[syntax.Tree, ...], relations: Mapping[str, syntax.Relation], derived: set[str]
) -> dict[str, Token]:
    found: dict[str, Token] = {}
    for exchange in exchanges(trees, "input"):
        relation = relations.get(exchange.relation.text)
        if relation is None or exchange.relation.text in derived:
            continue
        if not is_marked(relation, "never") and not is_marked(relation, "computed"):
            found.setdefault(exchange.relation.text, exchange.relation)
    return found


def _named(trees: tuple[syntax.Tree, ...], oversized: list[syntax.Rule]) -> Iterator[NamedRule]:
    counts: dict[str, int] = {}
    allowance = Allowance()
    for tree in trees:
        for rule in tree.rules:
            head = rule.heads[0].relation
            counts[head.text] = counts.get(head.text, 0) + 1
            words = texts(rule, "id") if rule.annotations else ()
            token = words[0] if words else head
            name = words[0].text if words else f"{head.text}-{counts[head.text]}"
            clauses = allowance.clauses(rule)
            if not clauses:
                oversized.append(rule)
            elif len(clauses) == 1:
                yield NamedRule(name, token, clauses[0], 0)
            else:
                for number, clause in enumerate(clauses, 1):
                    yield NamedRule(f"{name}#{number}", token, clause, number)
