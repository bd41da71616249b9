"""References: every atom names a declared relation and has a term for each of its columns."""

from collections.abc import Iterator

from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.tokens import Token
from rules.unit import Unit, mentions


def find_unresolved(unit: Unit) -> Iterator[Diagnostic]:
    """Relations that are not declared, atoms with a wrong number of terms, ids used twice."""
    for named in unit.rules:
        yield from _atom_faults(unit, named.clause.head, hint="")
        for atom, _ in mentions(named.clause.body):
            hint = "`_` stands for a column that does not matter"
            yield from _atom_faults(unit, atom, hint)
    for tree in unit.trees:
        for exchange in tree.exchanges:
            yield from _undeclared(unit, exchange.relation)
    yield from _repeated_ids(unit)


def _atom_faults(unit: Unit, atom: syntax.Atom, hint: str) -> Iterator[Diagnostic]:
    relation = unit.relations.get(atom.relation.text)
    if relation is None:
        yield from _undeclared(unit, atom.relation)
    elif len(relation.columns) != len(atom.terms):
        columns = ", ".join(column.name.text for column in relation.columns[:8])
        more = ", …" if len(relation.columns) > 8 else ""  # noqa: PLR2004 - enough to recognise it
        name = show(atom.relation.text)
        message = f"{name} has {_count(relation)}, here it has {len(atom.terms)}"
        note = f"declared as `{relation.name.text}({columns}{more})` at {relation.name.place}"
        hint = hint if len(atom.terms) < len(relation.columns) else ""
        yield finding("R204", atom.relation.place, message, note, hint=hint)


def _count(relation: syntax.Relation) -> str:
    number = len(relation.columns)
    return "1 column" if number == 1 else f"{number} columns"


def _undeclared(unit: Unit, name: Token) -> Iterator[Diagnostic]:
    if name.text not in unit.relations and name.text not in unit.unread_declarations:
        hint = unit.spelling.hint(name.text, unit.relations)
        yield finding("R201", name.place, f"undeclared relation {show(name.text)}", hint=hint)


def _repeated_ids(unit: Unit) -> Iterator[Diagnostic]:
    """A rule that stands for several takes up its own id and those of its alternatives."""
    seen: dict[str, Token] = {}
    for named in unit.rules:
        own = {named.id.removesuffix(f"#{named.alternative}"): None, named.id: None}
        for name in own:
            first = seen.setdefault(name, named.id_token)
            if first is not named.id_token:
                note = f"the first rule of that id stands at {first.place}"
                law = 'the n-th rule of `p` is `p-n` unless `@[id = "…"]` says otherwise'
                message = f"duplicate rule id {show(name)}"
                yield finding("R210", named.id_token.place, message, note, law)
                break
