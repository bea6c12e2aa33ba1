"""A0: the guards themselves are in place. A squashed migration or a hand can lose a trigger."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.apps import apps
from django.db import connection

from ledger.audit import Finding, register
from ledger.roles import APPEND_ONLY, APPLICATION_ROLE, BOOKS, FUNCTIONS, role_exists

_SQL = Path(__file__).parent / "sql"

TRIGGERS = {
    "ledger_account": {
        "account_guard",
        "account_starts_well",
        "account_backed",
        "refuse_delete",
        "refuse_truncate",
    },
    "ledger_transfer": {"transfer_not_empty", "refuse_change", "refuse_truncate"},
    "ledger_entry": {"entries_balanced", "refuse_change", "refuse_truncate"},
    "ledger_snapshot": {"refuse_change", "refuse_truncate"},
    "ledger_seal": {"refuse_change", "refuse_truncate"},
    "ledger_journalentry": {"refuse_change", "refuse_truncate"},
    "ledger_playpause": {"refuse_change", "refuse_truncate"},
    "ledger_payout": {
        "payout_booked",
        "payout_guard",
        "payout_starts_requested",
        "refuse_delete",
        "refuse_truncate",
    },
    "ledger_payoutstep": {"payout_step_guard", "refuse_delete", "refuse_truncate"},
    "ledger_voucher": {"voucher_guard", "refuse_delete", "refuse_truncate"},
    "ledger_adjustment": {"adjustment_guard", "refuse_delete", "refuse_truncate"},
}

CONSTRAINTS_IN_SQL = {
    "ledger_account": {"account_key_tells_owner"},
    "ledger_transfer": {"transfer_digest_is_sha256", "transfer_names_are_plain"},
    "ledger_seal": {"seal_roots_are_sha256"},
}


def register_guards() -> None:
    """Register the check."""
    register(
        "A0",
        "Every guard of the books is in place",
        guards_missing,
        lambda _mark: guards_missing(),
    )


def guards_missing() -> Iterator[Finding]:
    """Triggers, constraints, functions and rights that are not as the source says."""
    yield from _triggers_missing()
    yield from _constraints_missing()
    yield from _functions_changed()
    if role_exists():
        yield from _rights_too_wide()


def _triggers_missing() -> Iterator[Finding]:
    enabled = set(
        _rows("""
            SELECT tgrelid::regclass::text, tgname FROM pg_trigger
            WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')
        """)
    )
    for table, names in TRIGGERS.items():
        for name in sorted(names):
            if (table, name) not in enabled:
                yield Finding(f"trigger {name} on {table}", "is missing or disabled")


def _constraints_missing() -> Iterator[Finding]:
    valid = set(
        _rows("""
            SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE convalidated
            UNION SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index
            WHERE indisunique AND indisvalid
        """)
    )
    wanted = {table: set(names) for table, names in CONSTRAINTS_IN_SQL.items()}
    for model in apps.get_app_config("ledger").get_models():
        names = {constraint.name for constraint in model._meta.constraints}
        wanted.setdefault(model._meta.db_table, set()).update(names)
    for table, names in wanted.items():
        for name in sorted(names):
            if (table, name) not in valid:
                yield Finding(f"constraint {name} on {table}", "is missing or not validated")


def _functions_changed() -> Iterator[Finding]:
    source = _source()
    bodies = dict(
        _rows("SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'ledger\\_%%' ORDER BY oid")
    )
    for name, body in bodies.items():
        if body not in source:
            yield Finding(f"function {name}", "is not the one in the source")
    for function in FUNCTIONS:
        if function.partition("(")[0] not in bodies:
            yield Finding(f"function {function}", "is missing")


def _rights_too_wide() -> Iterator[Finding]:
    for table in (*BOOKS, *APPEND_ONLY):
        rights = ["UPDATE", "DELETE", "TRUNCATE"]
        rights += ["INSERT"] if table in BOOKS else []
        for right in rights:
            held = "SELECT has_table_privilege(%s, %s, %s)"
            if _rows(held, [APPLICATION_ROLE, f"ledger_{table}", right]) == [(True,)]:
                yield Finding(f"role {APPLICATION_ROLE}", f"may {right} on ledger_{table}")


@cache
def _source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(_SQL.glob("*.sql")))


def _rows(query: str, arguments: list[str] | None = None) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, arguments or [])
        return cursor.fetchall()
