"""Upkeep of the facts of a House, by the owner of the database.

The facts are compared with what the ledgers say, made anew from them, and the changes that led to
them are removed once they are known to be equal.
"""

from collections.abc import Generator
from contextlib import contextmanager
from uuid import UUID

import psycopg
from psycopg.rows import TupleRow

from store.database import owned
from store.facts import Difference, Snapshot
from store.queries import query

_LOCK = 0x61746863  # one compaction at a time in a database


class FactsDifferError(Exception):
    """The facts of a House are not what its ledgers say; nothing was removed."""

    def __init__(self, house_id: UUID) -> None:
        super().__init__(f"the facts of House {house_id} differ from its ledgers: rebuild them")


def differences(owner_conninfo: str, house_id: UUID) -> list[Difference]:
    """What making the facts of a House anew would add or retract, in order; empty iff equal."""
    with _inside(owner_conninfo, house_id) as connection:
        found = connection.execute(query("facts.differences"), {"house": house_id}).fetchall()
    return [Difference(*row) for row in found]


def rebuild(owner_conninfo: str, house_id: UUID) -> int:
    """Make all facts of a House anew from its ledgers, in one transaction; its epoch afterwards.

    What was wrong is corrected by an epoch of its own, so that whoever follows the changes learns
    of it. Writers wait meanwhile.
    """
    with _inside(owner_conninfo, house_id) as connection:
        connection.execute(query("facts.hold"), {"house": house_id})
        rows = connection.execute(query("facts.subjects"), {"house": house_id}).fetchall()
        subjects = [str(row[0]) for row in rows]
        row = connection.execute(query("facts.advance"), {"subjects": subjects}).fetchone()
    return int(row[0]) if row else 0


def compact(owner_conninfo: str, house_id: UUID) -> Snapshot:
    """Remove the changes up to the present epoch, after every fact was found equal to the ledgers.

    The snapshot says how many facts there were, and their digest. Raises `FactsDifferError`.
    """
    try:
        with _inside(owner_conninfo, house_id, alone=True) as connection:
            connection.execute(query("facts.repeatable_read"))
            row = connection.execute(query("facts.compact")).fetchone()
    except psycopg.errors.DataException as cause:
        raise FactsDifferError(house_id) from cause
    epoch, count, digest = row or (0, 0, "")
    return Snapshot(int(epoch), int(count), str(digest))


@contextmanager
def _inside(
    owner_conninfo: str, house_id: UUID, *, alone: bool = False
) -> Generator[psycopg.Connection[TupleRow]]:
    """A transaction of the owner inside a House; `alone`: begun when no other such one runs."""
    with owned(owner_conninfo, autocommit=True) as connection:
        if alone:
            connection.execute(query("custody.lock"), {"lock": _LOCK})
        connection.execute(query("session.enter"), {"house": str(house_id)})
        with connection.transaction():
            yield connection
