"""Database roles: the application reads the books and writes them through functions alone.

The role that migrates owns everything. `pasch_app` is for the running application. Where the
migrating role may not make roles, an operator makes `pasch_app` once, and the next `migrate`
grants the rest.
"""

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

APPLICATION_ROLE = "pasch_app"

BOOKS = ("account", "transfer", "entry", "promo", "snapshot", "seal", "warrant", "change")
"""SELECT only."""

APPEND_ONLY = ("journalentry", "playpause", "payoutstep", "welcome", "auditrun", "clearance")
"""SELECT and INSERT."""

NEVER_DELETED = ("payout", "voucher", "adjustment", "proposal", "hold")
"""SELECT, INSERT and UPDATE; triggers restrict the updates."""

FUNCTIONS = (
    "ledger_post(text, text, text, text[], bigint[], bigint, bigint, text, bigint)",
    "ledger_wallet_open(bigint)",
    "ledger_account_freeze(text, boolean)",
    "ledger_payout_not_frozen(bigint)",
    "ledger_seal_cut(text)",
    "ledger_seal_append(text, bigint)",
    "ledger_snapshot_take()",
)
"""Run with the owner's rights; no other role may execute them."""


def role_exists() -> bool:
    """Whether the application's role is there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [APPLICATION_ROLE])
        return cursor.fetchone() is not None


def role_create() -> bool:
    """Make the application's role if this role may; answers whether it is there now."""
    if role_exists():
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"
        )
        if cursor.fetchone() != (True,):
            return False
        cursor.execute(
            f"CREATE ROLE {APPLICATION_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
        )
        cursor.execute(f"GRANT {APPLICATION_ROLE} TO CURRENT_USER")
    return True


def rights_grant() -> None:
    """Give the application's role what it needs and nothing more, now and for tables to come."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in (*_grants(), *_grants_of_apps(cursor)):
            cursor.execute(statement)


def _grants() -> list[str]:
    role = APPLICATION_ROLE
    everything = "SELECT, INSERT, UPDATE, DELETE"
    grants = [
        f"GRANT USAGE ON SCHEMA public TO {role}",
        f"GRANT {everything} ON ALL TABLES IN SCHEMA public TO {role}",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT {everything} ON TABLES TO {role}",
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role}",
        f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    ]
    for table in BOOKS:
        grants.append(f"REVOKE INSERT, UPDATE, DELETE ON ledger_{table} FROM {role}")
    for table in APPEND_ONLY:
        grants.append(f"REVOKE UPDATE, DELETE ON ledger_{table} FROM {role}")
    for table in NEVER_DELETED:
        grants.append(f"REVOKE DELETE ON ledger_{table} FROM {role}")
    for function in FUNCTIONS:
        grants.append(f"GRANT EXECUTE ON FUNCTION {function} TO {role}")
    return grants


def _grants_of_apps(cursor: CursorWrapper) -> list[str]:
    """The same of apps above, which name theirs in a function `rights_<app>()`."""
    cursor.execute(
        "SELECT proname FROM pg_proc"
        " WHERE pronamespace = 'public'::regnamespace AND proname ~ '^rights_[a-z]+$' ORDER BY 1"
    )
    grants: list[str] = []
    for (name,) in cursor.fetchall():
        cursor.execute(f"SELECT format(each, %s) FROM public.{name}() each", [APPLICATION_ROLE])
        grants += [statement for (statement,) in cursor.fetchall()]
    return grants
