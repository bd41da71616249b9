"""What only the owner of the database does: make it, find its Houses, and found one alone."""

from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.rows import class_row

from store.database import DatabaseAddressError, owned
from store.houses import House
from store.queries import query

_LOCK = 0x61746862  # one founder at a time in a database


DATABASE = "athanor"
APPLICATION = "athanor_app"


def as_application(owner_conninfo: str) -> str:
    """The owner's address with the application's role for every session.

    For a database whose owner has not made a login for the application: the role holds from the
    start of the session and returns at a reset. Raises `DatabaseAddressError`.
    """
    try:
        return make_conninfo(owner_conninfo, options=f"-c role={APPLICATION}")
    except psycopg.ProgrammingError as cause:
        raise DatabaseAddressError from cause


def create_database(maintenance_conninfo: str) -> None:
    """Create the database `athanor` if it is not there; two creators at once are no error."""
    with owned(maintenance_conninfo, autocommit=True) as connection:
        if connection.execute(query("custody.find_database")).fetchone() is None:
            try:
                connection.execute(query("custody.create_database"))
            except (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                return


@contextmanager
def sole_founder(owner_conninfo: str) -> Generator[list[House]]:
    """The Houses of the database, by founding time, while nobody else can found one."""
    with owned(owner_conninfo, autocommit=True) as connection:
        connection.execute(query("custody.lock"), {"lock": _LOCK})
        with connection.cursor(row_factory=class_row(House)) as cursor:
            houses = cursor.execute(query("houses.all")).fetchall()
        yield houses
