"""Migrations: `store/migrations/NNNN_what.sql`, applied in order by the owner, each once."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files

import psycopg
from psycopg.rows import TupleRow

from store.database import owned
from store.queries import query

_LOCK = 0x61746861  # one migration run at a time in a database


class MigrationError(Exception):
    """The database does not fit these migrations; the message names the one that differs."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration file."""

    version: int
    name: str
    text: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, in hexadecimal."""
        return hashlib.sha256(self.text).hexdigest()


def migrations() -> list[Migration]:
    """All migrations in order."""
    found = [
        Migration(int(entry.name[:4]), entry.name.removesuffix(".sql"), entry.read_bytes())
        for entry in (files("store") / "migrations").iterdir()
        if entry.name.endswith(".sql")
    ]
    return sorted(found, key=lambda migration: migration.version)


def migrate(owner_conninfo: str) -> list[str]:
    """Apply what is missing, in one transaction; the names of the migrations that were applied.

    Safe to run from several processes at once. Raises `MigrationError` when an applied migration
    was edited, or when the database is newer than this code, and what `owned` raises.
    """
    with owned(owner_conninfo) as connection, connection.cursor() as cursor:
        cursor.execute(query("migrations.lock"), {"lock": _LOCK})
        cursor.execute(query("migrations.table"))
        cursor.execute(query("migrations.applied"))
        applied = {int(row[0]): str(row[1]) for row in cursor.fetchall()}
        known = {migration.version: migration for migration in migrations()}
        for version, digest in applied.items():
            if version not in known:
                raise MigrationError(f"migration {version} is not known: the database is newer")
            if known[version].digest != digest:
                raise MigrationError(f"migration `{known[version].name}` was edited once applied")
        missing = [m for version, m in known.items() if version not in applied]
        for migration in missing:
            _apply(cursor, migration)
            cursor.execute(
                query("migrations.record"),
                {"version": migration.version, "name": migration.name, "digest": migration.digest},
            )
        return [migration.name for migration in missing]


def _apply(cursor: psycopg.Cursor[TupleRow], migration: Migration) -> None:
    """Run one migration; raises `MigrationError` with what the database has against it."""
    try:
        cursor.execute(migration.text)
    except psycopg.OperationalError:
        raise
    except psycopg.Error as cause:
        problem = str(cause).partition("\n")[0]
        raise MigrationError(
            f"migration `{migration.name}` cannot be applied: {problem}"
        ) from cause
