"""PostgreSQL: one module is one ledger, made of functions over a connection.

The transaction is the caller's.
The application connects as a role that owns nothing, behind row-level security; migrations run as
the owner. `embedded` launches a server of our own; `facts` projects records into given facts.
"""

from store import (
    acts,
    contents,
    custody,
    facts,
    forgettings,
    grants,
    houses,
    idempotency,
    lesson_history,
    lessons,
    packets,
    projects,
    proofs,
    upkeep,
    vocabulary,
)
from store.database import (
    Connection,
    Database,
    DatabaseAddressError,
    DatabaseUnavailableError,
    RacedError,
    narrow,
    one_at_a_time,
    schema_version,
)
from store.migrations_runner import MigrationError, migrate

__all__ = [
    "Connection",
    "Database",
    "DatabaseAddressError",
    "DatabaseUnavailableError",
    "MigrationError",
    "RacedError",
    "acts",
    "contents",
    "custody",
    "facts",
    "forgettings",
    "grants",
    "houses",
    "idempotency",
    "lesson_history",
    "lessons",
    "migrate",
    "narrow",
    "one_at_a_time",
    "packets",
    "projects",
    "proofs",
    "schema_version",
    "upkeep",
    "vocabulary",
]
