"""Keys and references: what the given rows of a relation must satisfy together."""

from collections.abc import Collection, Iterable

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
    for row in rows:
        projected = _projected(relation, key, row)
        other = seen.setdefault(projected, row)
        if other != row:
            columns = ", ".join(key)
            problem = f"key `{columns}`: rows {list(other)} and {list(row)} agree in it"
            raise FactRefusedError(relation.name, problem)


def _hold_reference(program: Program, relation: Relation, reference: Reference, rows: Rows) -> None:
    target = program.relations[reference.relation]
    there: Collection[Row] = {
        _projected(target, reference.targets, row) for row in rows.of(target.name)
    }
    for row in rows.of(relation.name):
        if _projected(relation, reference.columns, row) not in there:
            columns = ", ".join(reference.columns)
            problem = f"`{columns}` of row {list(row)} is in no row of `{target.name}`"
            raise FactRefusedError(relation.name, problem)


def _projected(relation: Relation, columns: tuple[str, ...], row: Row) -> Row:
    names = [column.name for column in relation.columns]
    return tuple(row[names.index(column)] for column in columns)
