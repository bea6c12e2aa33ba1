"""One change, tried in a transaction that is rolled back after an audit."""

from collections.abc import Mapping
from typing import Any

from django.db import DatabaseError, connection, transaction

from bench.tamper.changes import APPLICATION, UNGUARDED, Change
from ledger.roles import APPLICATION_ROLE, rights_grant, role_create

_FACTS = {
    "anna": "SELECT id FROM accounts_user WHERE username = 'anna'",
    "bert": "SELECT id FROM accounts_user WHERE username = 'bert'",
    "thief": "SELECT id FROM accounts_user WHERE username = 'redeemer'",
    "redeemer": "SELECT id FROM accounts_user WHERE username = 'redeemer'",
    "victim": "SELECT id FROM accounts_user WHERE username = 'free'",
    "frozen": "SELECT id FROM accounts_user WHERE username = 'frozen'",
    "running": "SELECT 'match:' || id FROM games_match WHERE ended_at IS NULL",
    "winner": "SELECT player_0_id FROM games_match WHERE ended_at IS NULL",
    "settled": "SELECT min(id) FROM ledger_transfer WHERE kind = 'result'",
    "reference": "SELECT reference FROM ledger_transfer WHERE kind = 'result' ORDER BY id",
    "loser": (
        "SELECT a.owner_id FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id"
        " JOIN ledger_account a ON a.id = e.account_id WHERE t.kind = 'result'"
        " AND a.kind = 'wallet' ORDER BY t.id"
    ),
    "adjusted": "SELECT min(id) FROM ledger_transfer WHERE kind = 'adjust'",
    "adjustment": "SELECT reference FROM ledger_transfer WHERE kind = 'adjust' ORDER BY id",
    "payout": "SELECT 'payout:' || id FROM ledger_payout WHERE state = 'approved'",
}


class _Undone(Exception):
    """Rolls a trial back."""


def trial_prepare() -> dict[str, Any]:
    """Give the application's role its rights; what the changes name, by name."""
    assert role_create()
    rights_grant()
    facts = {}
    with connection.cursor() as cursor:
        for name, query in _FACTS.items():
            cursor.execute(query)
            facts[name] = cursor.fetchone()[0]
    return facts


def tried(change: Change, facts: Mapping[str, Any]) -> str:
    """The result of a change: "refused: why", "found by A1, …" or "undetected"."""
    outcome = ""
    try:
        with transaction.atomic():
            outcome = _made(change, facts) or _found()
            raise _Undone
    except _Undone:
        return outcome


def _made(change: Change, facts: Mapping[str, Any]) -> str:
    """Make it; how it was refused, or "". Raises `ValueError` if it changes nothing."""
    touched = 0
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            if change.who == UNGUARDED:
                cursor.execute("SET LOCAL session_replication_role = replica")
            if change.who == APPLICATION:
                cursor.execute(f"SET LOCAL ROLE {APPLICATION_ROLE}")
            for statement in change.statements:
                cursor.execute(statement.format_map(facts))
                touched += cursor.rowcount
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except DatabaseError as error:
        return f"refused: {str(error).splitlines()[0][:90]}"
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
            cursor.execute("SET LOCAL session_replication_role = origin")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    if touched == 0:
        raise ValueError(f"{change.name}: changes nothing in the house")
    return ""


def _found() -> str:
    from ledger.audit import run

    codes = [result.code for result in run().results if result.findings]
    return f"found by {', '.join(codes)}" if codes else "undetected"
