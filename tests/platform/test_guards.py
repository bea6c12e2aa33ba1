"""A0 names every guard that was removed, right that was widened and foreign object."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from ledger.catalog import definitions
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create
from pasch.audits.guards import FILE, definitions_changed, guards_changed, guards_now, guards_text
from pasch.servers.embedded import postgres_program
from tests.architecture.sources import ROOT

pytestmark = pytest.mark.django_db

APPS = (
    *("kit", "house", "accounts", "ledger", "ratings", "games", "analysis", "fairplay"),
    *("games/chouette", "tournaments"),
)
"""Folders, lower apps first: the SQL of an app may name what stands in those before it."""

NOTHING = "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"

#: changes that a superuser of the database may try, and the name in the finding.
CHANGES = [
    ("ALTER TABLE ledger_entry DISABLE TRIGGER refuse_change", "trigger refuse_change on"),
    ("DROP TRIGGER payout_guard ON ledger_payout", "trigger payout_guard on ledger_payout"),
    (
        "DROP TRIGGER refuse_change ON ledger_entry; CREATE TRIGGER refuse_change BEFORE UPDATE OR"
        " DELETE ON ledger_entry FOR EACH ROW WHEN (1=0) EXECUTE FUNCTION kit_refuse()",
        "trigger refuse_change on ledger_entry",
    ),
    (
        f"{NOTHING}; DROP TRIGGER account_guard ON ledger_account; CREATE TRIGGER account_guard"
        " BEFORE UPDATE ON ledger_account FOR EACH ROW EXECUTE FUNCTION nothing()",
        "trigger account_guard on ledger_account",
    ),
    (
        "CREATE TRIGGER zzz AFTER INSERT ON ledger_payout FOR EACH ROW"
        " EXECUTE FUNCTION kit_refuse()",
        "trigger zzz on ledger_payout",
    ),
    ("ALTER TABLE ledger_entry DISABLE TRIGGER ALL", "foreign key trigger of"),
    (
        "CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql"
        " SET search_path = pg_catalog, public, pg_temp AS 'BEGIN RETURN NEW; END'",
        "function ledger_account_guard()",
    ),
    ("ALTER FUNCTION kit_refuse() RESET search_path", "function kit_refuse()"),
    ("ALTER FUNCTION ledger_balance(text) SECURITY DEFINER", "function ledger_balance("),
    (
        "CREATE FUNCTION give(text) RETURNS void LANGUAGE sql SECURITY DEFINER AS"
        " 'UPDATE ledger_account SET frozen = false WHERE key = $1'",
        "function give(",
    ),
    (
        "CREATE SCHEMA side; CREATE FUNCTION side.give() RETURNS void LANGUAGE sql SECURITY"
        " DEFINER AS 'UPDATE ledger_account SET frozen = false'",
        "function side.give()",
    ),
    (
        "ALTER TABLE ledger_account DROP CONSTRAINT account_never_below_zero",
        "constraint account_never_below_zero on ledger_account",
    ),
    (
        "ALTER TABLE ledger_payout DROP CONSTRAINT payout_four_eyes,"
        " ADD CONSTRAINT payout_four_eyes CHECK (true)",
        "constraint payout_four_eyes on ledger_payout",
    ),
    (
        "ALTER TABLE ledger_payout DROP CONSTRAINT payout_four_eyes, ADD CONSTRAINT"
        " payout_four_eyes CHECK (state <> 'paid' OR NOT four_eyes"
        " OR closed_by_id <> approved_by_id) NOT VALID",
        "constraint payout_four_eyes on ledger_payout",
    ),
    (
        "ALTER TABLE ledger_transfer DROP CONSTRAINT transfer_key_once",
        "constraint transfer_key_once on ledger_transfer",
    ),
    (
        "ALTER TABLE ledger_payout ALTER COLUMN destination DROP NOT NULL",
        "column ledger_payout.destination",
    ),
    (
        "ALTER TABLE ledger_payout ALTER COLUMN state SET DEFAULT 'approved'",
        "column ledger_payout.state",
    ),
    (
        f"GRANT UPDATE (balance_cents) ON ledger_account TO {APPLICATION_ROLE}",
        f"role {APPLICATION_ROLE}",
    ),
    (f"GRANT DELETE ON ledger_payout TO {APPLICATION_ROLE}", f"role {APPLICATION_ROLE}"),
    (f"GRANT TRUNCATE ON games_tableevent TO {APPLICATION_ROLE}", f"role {APPLICATION_ROLE}"),
    ("GRANT INSERT ON ledger_entry TO PUBLIC", "role PUBLIC"),
    ("GRANT EXECUTE ON FUNCTION ledger_wallet_open(bigint) TO PUBLIC", "role PUBLIC"),
    ("CREATE ROLE helper; GRANT UPDATE ON ledger_payout TO helper", "role helper"),
    (
        "CREATE ROLE helper; GRANT UPDATE (state) ON ledger_payout TO helper",
        "role helper",
    ),
    (f"ALTER ROLE {APPLICATION_ROLE} BYPASSRLS", f"role {APPLICATION_ROLE}"),
    (f"CREATE ROLE helper; GRANT helper TO {APPLICATION_ROLE}", f"role {APPLICATION_ROLE}"),
    (
        f"ALTER ROLE {APPLICATION_ROLE} SET session_replication_role = 'replica'",
        f"setting of role {APPLICATION_ROLE}",
    ),
    (
        "CREATE ROLE helper; ALTER TABLE ledger_voucher OWNER TO helper",
        "owner of ledger_voucher",
    ),
    (
        "CREATE RULE quiet AS ON DELETE TO ledger_payoutstep DO INSTEAD NOTHING",
        "rule quiet on ledger_payoutstep",
    ),
    ("ALTER TABLE ledger_seal ENABLE ROW LEVEL SECURITY", "table ledger_seal"),
    ("CREATE POLICY few ON ledger_seal USING (false)", "policy few on ledger_seal"),
    ("ALTER TABLE games_table DROP CONSTRAINT table_stake_not_negative", "table_stake_not"),
    ("ALTER TABLE games_tableevent DISABLE TRIGGER games_event_without_gap", "without_gap"),
    ("ALTER TABLE games_diceroll DISABLE TRIGGER refuse_change", "refuse_change"),
    ("ALTER TABLE ratings_ratingchange DISABLE TRIGGER refuse_change", "refuse_change"),
]


@pytest.fixture(autouse=True)
def _with_the_role() -> None:
    """Make sure that the application's role exists, with its rights in this database."""
    assert role_create()
    rights_grant()


@pytest.fixture(scope="module")
def after_a_dump(django_db_setup: None, django_db_blocker: Any) -> dict[str, str]:
    """Dump the definitions of this database's schema and load them into another one."""
    with django_db_blocker.unblock():
        return _after_a_dump()


def _after_a_dump() -> dict[str, str]:
    settings = connection.get_connection_params()
    source = {key: str(settings[key]) for key in ("host", "user", "dbname") if settings.get(key)}
    copy = f"{source['dbname']}_dumped"
    dump = [postgres_program("pg_dump"), "--schema-only", "--no-owner", "--no-privileges"]
    text = subprocess.run(
        [*dump, "-d", make_conninfo(**source)], capture_output=True, text=True, check=True
    ).stdout
    # psql accepts it, a plain connection does not
    text = "\n".join(line for line in text.splitlines() if not line.startswith("\\"))
    with psycopg.connect(make_conninfo(**source), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {copy}")
        server.execute(f"CREATE DATABASE {copy}")
        try:
            with psycopg.connect(make_conninfo(**source | {"dbname": copy})) as loaded:
                loaded.execute(text)
                loaded.execute("SET search_path = public")
                return definitions(loaded)
        finally:
            server.execute(f"DROP DATABASE {copy} WITH (FORCE)")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_file_describes_a_database_fresh_from_all_migrations() -> None:
    text = guards_text(guards_now() | {"after_dump": _worded_otherwise_after_a_dump()})
    if os.environ.get("PASCH_WRITE_GUARDS"):
        FILE.write_text(text, encoding="utf-8")
    assert text == FILE.read_text(encoding="utf-8")
    assert list(guards_changed()) == []


@pytest.mark.parametrize(("statement", "named"), CHANGES, ids=[named for _, named in CHANGES])
def test_what_was_changed_is_named(statement: str, named: str) -> None:
    _execute(statement)
    rows = [f"{found.row} {found.message}" for found in guards_changed()]
    assert any(named in row for row in rows), rows


def test_a_house_that_went_through_a_dump_is_as_the_migrations_made_it(
    after_a_dump: dict[str, str],
) -> None:
    assert list(definitions_changed(after_a_dump)) == []


def test_what_was_changed_is_named_after_a_dump_too(after_a_dump: dict[str, str]) -> None:
    name = "constraint payout_four_eyes on ledger_payout"
    assert [found.row for found in definitions_changed(after_a_dump | {name: "CHECK (true)"})] == [
        name
    ]


def test_an_operator_may_let_a_role_read_and_add_an_index() -> None:
    _execute("CREATE ROLE reporting; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reporting")
    _execute("CREATE INDEX quicker ON games_match (mode)")
    assert list(guards_changed()) == []


def test_the_newest_texts_make_what_the_migrations_made() -> None:
    """Run over the tables alone, they give the same definitions, to the letter.

    It has every function and trigger of the database, and every constraint that no model has.
    """
    made = guards_now()
    files = [path for app in APPS for path in newest_texts(app)]
    _execute("SET LOCAL check_function_bodies = off")
    for name in _functions():
        _execute(f"DROP FUNCTION IF EXISTS {name} CASCADE")
    for constraint, table in _constraints_in(files):
        _execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
    for path in files:
        _execute(path.read_text(encoding="utf-8"))
    rights_grant()
    assert guards_now() == made


def test_a_text_can_be_run_over_the_one_before_it() -> None:
    """So the next version of a text is its copy with the change, as a whole."""
    made = guards_now()
    _execute("SET LOCAL check_function_bodies = off")
    for app in APPS:
        for path in newest_texts(app):
            _execute(path.read_text(encoding="utf-8"))
    assert guards_now() == made


def newest_texts(app: str) -> list[Path]:
    """The newest file of each name, in the order to run them; rights name what the others make."""
    texts = sorted((ROOT / app / "migrations" / "sql").glob("*.sql"), key=lambda at: at.stem)
    newest = {re.sub(r"_\d{4}\Z", "", at.stem): at for at in texts}
    return [newest[name] for name in sorted(newest, key=lambda name: (name == "rights", name))]


def _worded_otherwise_after_a_dump() -> dict[str, str]:
    made = definitions()
    dumped = _after_a_dump().items()
    return {name: text for name, text in dumped if made.get(name, text) != text}


def _functions() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure FROM pg_proc p WHERE pronamespace = 'public'::regnamespace"
            " AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')"
        )
        return [name for (name,) in cursor.fetchall()]


def _constraints_in(files: list[Path]) -> list[tuple[str, str]]:
    """The constraints that the SQL adds to tables of the models: (name, table)."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname, conrelid::regclass::text FROM pg_constraint")
        return [(name, table) for name, table in cursor.fetchall() if f"CONSTRAINT {name} " in text]
