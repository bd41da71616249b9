"""What the catalogue of PostgreSQL says of the schema: retention, ledgers, roles."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from houses import tables
from psycopg import errors, sql
from psycopg.conninfo import make_conninfo

from store import custody

# Mutable by design: projections that can be rebuilt, and what migrations say of themselves.
MUTABLE = {"base_facts", "fact_epochs", "lesson_index", "schema_migrations", "scope_epochs"}
TEXTS = (
    "select c.relname || '.' || a.attname, coalesce(col_description(c.oid, a.attnum), '')"
    " from pg_class c join pg_attribute a on a.attrelid = c.oid"
    " join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem"
    " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')"
    " and a.attnum > 0 and not a.attisdropped"
    " and ('S' in (t.typcategory, e.typcategory)"
    " or t.typname in ('json', 'jsonb', 'tsvector', 'xml'))"
)
Database = psycopg.Connection[Any]


@pytest.fixture
def owner(schema: str) -> Iterator[Database]:
    with psycopg.connect(schema) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def application(schema: str) -> Iterator[Database]:
    with psycopg.connect(make_conninfo(schema, user=custody.APPLICATION)) as connection:
        yield connection
        connection.rollback()


def undeclared(connection: Database) -> list[str]:
    """The columns of text whose retention no comment states."""
    allowed = {f"retention: {rule}" for rule in ("key", "content", "proof", "rules")}
    return sorted(name for name, comment in connection.execute(TEXTS) if comment not in allowed)


def refuse(connection: Database, statement: sql.Composed) -> None:
    """Demand that a ledger refuses the statement as a change."""
    with pytest.raises(errors.IntegrityConstraintViolation), connection.transaction():
        connection.execute(statement)


def test_every_column_that_can_hold_text_declares_its_retention(owner: Database) -> None:
    assert undeclared(owner) == []


@pytest.mark.parametrize(
    "kind", ["text", "text[]", "jsonb", "json", "tsvector", "varchar(9)", "xml", "name"]
)
def test_a_new_column_of_text_without_a_declared_retention_is_noticed(
    owner: Database, kind: str
) -> None:
    owner.execute(sql.SQL("alter table houses add column motto {}").format(sql.SQL(kind)))
    assert undeclared(owner) == ["houses.motto"]


def test_no_ledger_lets_even_its_owner_change_or_remove_a_row(owner: Database) -> None:
    ledgers = [table for table in tables(owner) if table not in MUTABLE]
    assert len(ledgers) > 15
    for table in ledgers:
        name, column = sql.Identifier(table), sql.Identifier(first_column(owner, table))
        refuse(owner, sql.SQL("update {0} set {1} = {1}").format(name, column))
        refuse(owner, sql.SQL("delete from {}").format(name))
        refuse(owner, sql.SQL("truncate {} cascade").format(name))


def first_column(connection: Database, table: str) -> str:
    """The name of a table's first column."""
    found = connection.execute(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum = 1", (table,)
    ).fetchone()
    assert found is not None
    return str(found[0])


def test_a_refused_change_names_the_ledger_and_the_change(owner: Database) -> None:
    with pytest.raises(errors.IntegrityConstraintViolation) as caught:
        owner.execute("delete from packets")
    assert str(caught.value).startswith("ledger `packets` is append-only: delete refused")


def test_every_table_of_a_house_has_row_level_security(owner: Database) -> None:
    unguarded = owner.execute(
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid"
        " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')"
        " and a.attname = 'house_id' and (not c.relrowsecurity or not exists"
        " (select from pg_policy p where p.polrelid = c.oid))"
    )
    assert unguarded.fetchall() == []


def test_every_key_of_a_house_starts_with_the_house(owner: Database) -> None:
    keys = owner.execute(
        "select c.conrelid::regclass::text from pg_constraint c"
        " join pg_attribute a on a.attrelid = c.conrelid and a.attname = 'house_id'"
        " where c.contype = 'p' and c.conkey[1] <> a.attnum"
    )
    assert keys.fetchall() == []


def test_the_application_role_has_no_power_and_owns_nothing(owner: Database) -> None:
    role = owner.execute(
        "select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin,"
        " (select count(*) from pg_auth_members m where m.member = r.oid),"
        " (select count(*) from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o')"
        " from pg_roles r where rolname = 'athanor_app'"
    ).fetchone()
    assert role == (False, False, False, False, False, True, 0, 0)


def test_the_application_may_read_and_append_and_nothing_else(owner: Database) -> None:
    granted = owner.execute(
        "select table_name, privilege_type from information_schema.role_table_grants"
        " where grantee = 'athanor_app' and privilege_type not in ('SELECT', 'INSERT')"
        " order by 1, 2"
    )
    assert granted.fetchall() == [("lesson_index", "DELETE"), ("lesson_index", "UPDATE")]
    appended = owner.execute(
        "select has_table_privilege('athanor_app', 'schema_migrations', 'insert')"
    )
    assert appended.fetchone() == (False,)


def test_few_functions_run_with_the_rights_of_their_owner_and_on_a_fixed_path(
    owner: Database,
) -> None:
    found = owner.execute(
        "select proname, proconfig from pg_proc"
        " where pronamespace = 'public'::regnamespace and prosecdef order by proname"
    )
    path = "search_path=public, pg_temp"
    assert found.fetchall() == [
        ("advance", [path]),
        ("compact_fact_changes", [path]),
        ("drop_contents", [path]),
        ("drop_request_digests", [path]),
        ("forget_lesson", [path]),
        ("forget_task", [path]),
        ("lesson_hits", [path, "enable_seqscan=off"]),
        ("token_by_hash", [path]),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "create table notes (note text)",
        "create schema notes",
        "create function one() returns integer language sql return 1",
        "alter table lessons disable row level security",
        "alter table lessons add column note text",
        "drop policy inside on lessons",
        "drop trigger append_only on lessons",
        "alter table lessons disable trigger append_only",
        "update lessons set kind = kind",
        "delete from lessons",
        "truncate lessons cascade",
        "insert into schema_migrations (version, name, digest) values (3, 'n', 'd')",
        "create role other",
        "set role athanor_owner",
        "set session authorization athanor_owner",
        "set session_replication_role = replica",
        "select pg_read_file('PG_VERSION')",
        "copy lessons to program 'cat'",
        "create policy all_of_it on lessons using (true)",
        "select rolpassword from pg_authid",
    ],
)
def test_the_application_is_refused(application: Database, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        application.execute(statement.encode())


def test_row_level_security_cannot_be_switched_off_by_the_application(
    application: Database,
) -> None:
    application.execute("set row_security = off")
    with pytest.raises(errors.InsufficientPrivilege, match="row-level security"):
        application.execute("select count(*) from lessons")


def test_the_addresses_of_the_application_lead_to_its_role(schema: str) -> None:
    for address in (
        make_conninfo(schema, user=custody.APPLICATION),
        custody.as_application(schema),
    ):
        with psycopg.connect(address) as connection:
            row = connection.execute("select current_user, row_security_active('lessons')")
            assert row.fetchone() == ("athanor_app", True)
