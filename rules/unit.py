"""A unit: all sources of one program together, as the passes look at them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from rules import syntax
from rules.spelling import Spelling
from rules.syntax import is_marked, texts
from rules.tokens import Token


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule with its id, which is `<head>-<n>` for the n-th rule of a relation without one."""

    id: str
    id_token: Token
    rule: syntax.Rule


@dataclass(frozen=True, slots=True)
class Unit:
    """The trees, and what they declare: of a name declared twice, the first declaration."""

    trees: tuple[syntax.Tree, ...]
    types: Mapping[str, syntax.Type]
    enumerations: Mapping[str, Mapping[str, Token]]
    """The values of each enumeration, in the order written."""
    relations: Mapping[str, syntax.Relation]
    rules: tuple[NamedRule, ...]
    unread_declarations: frozenset[str]
    unread_rules: frozenset[str]
    spelling: Spelling

    def relation_of(self, atom: syntax.Atom) -> syntax.Relation | None:
        """The relation of an atom, None unless it is declared with as many columns."""
        relation = self.relations.get(atom.relation.text)
        fits = relation is not None and len(relation.columns) == len(atom.terms)
        return relation if fits else None

    def is_given(self, name: str) -> bool:
        """Whether a relation is declared as given."""
        relation = self.relations.get(name)
        return relation is not None and is_marked(relation, "given")


def unite(trees: tuple[syntax.Tree, ...], spelling: Spelling) -> Unit:
    """The unit of some sources, in their order."""
    types: dict[str, syntax.Type] = {}
    relations: dict[str, syntax.Relation] = {}
    for tree in trees:
        for declared in tree.types:
            types.setdefault(declared.name.text, declared)
        for relation in tree.relations:
            relations.setdefault(relation.name.text, relation)
    return Unit(
        trees,
        types,
        {
            name: {word.text: word for word in texts(declared, "values")}
            for name, declared in types.items()
        },
        relations,
        tuple(_named(trees)),
        frozenset(chain.from_iterable(tree.unread_declarations for tree in trees)),
        frozenset(chain.from_iterable(tree.unread_rules for tree in trees)),
        spelling,
    )


def atoms_of(rule: syntax.Rule) -> Iterator[tuple[syntax.Atom, bool]]:
    """The atoms of a rule's body in the order written, each with whether it is negated."""
    for literal in rule.body:
        match literal:
            case syntax.Atom():
                yield literal, False
            case syntax.Negated():
                yield literal.atom, True
            case syntax.Comparison():
                pass


def _named(trees: tuple[syntax.Tree, ...]) -> Iterator[NamedRule]:
    counts: dict[str, int] = {}
    for tree in trees:
        for rule in tree.rules:
            head = rule.head.relation
            counts[head.text] = counts.get(head.text, 0) + 1
            words = texts(rule, "id") if rule.annotations else ()
            word = words[0] if words else head
            default = f"{head.text}-{counts[head.text]}"
            yield NamedRule(word.text if words else default, word, rule)
