"""Keys and references: what the given rows of a relation must satisfy together."""

from collections.abc import Callable, Collection, Iterable
from operator import itemgetter

from engine.facts import FactRefusedError
from engine.program import Program, Reference, Relation
from engine.rows import Rows
from engine.terms import Row


def hold_constraints(program: Program, rows: Rows) -> None:
    """Check every declared key and reference of the given relations.

    Raises `FactRefusedError` for two rows with the same key, and for a row that refers to none.
    Rows are compared by declared columns; a reference may point at a given relation only.
    """
    for name in sorted(program.relations):
        relation = program.relations[name]
        if not relation.given:
            continue
        for key in relation.keys:
            _hold_key(relation, key, rows.of(name))
        for reference in relation.references:
            _hold_reference(program, relation, reference, rows)


def _hold_key(relation: Relation, key: tuple[str, ...], rows: Iterable[Row]) -> None:
    seen: dict[Row, Row] = {}
    projected = _projection(relation, key)
    for row in rows:
        other = seen.setdefault(projected(row), row)
        if other != row:
            columns = ", ".join(key)
            problem = f"key `{columns}`: rows {list(other)} and {list(row)} agree in it"
            raise FactRefusedError(relation.name, problem)


def _hold_reference(program: Program, relation: Relation, reference: Reference, rows: Rows) -> None:
    target = program.relations[reference.relation]
    there: Collection[Row] = {*map(_projection(target, reference.targets), rows.of(target.name))}
    projected = _projection(relation, reference.columns)
    for row in rows.of(relation.name):
        if projected(row) not in there:
            columns = ", ".join(reference.columns)
            problem = f"`{columns}` of row {list(row)} is in no row of `{target.name}`"
            raise FactRefusedError(relation.name, problem)


def _projection(relation: Relation, columns: tuple[str, ...]) -> Callable[[Row], Row]:
    """The function that cuts a row of the relation down to the columns, in their order."""
    names = [column.name for column in relation.columns]
    places = [names.index(column) for column in columns]
    if len(places) == 1:
        (place,) = places
        return lambda row: (row[place],)
    return itemgetter(*places)
