"""Audit of the people: deleted accounts are empty and closed."""

from collections.abc import Iterator
from typing import Final

from django.db import connection

from accounts.deletions import DeletionOutcome
from accounts.personal_data import name_of_deleted
from ledger.audit import AuditFinding

_DELETED: Final = """
SELECT u.id, u.username, u.is_active, u.email <> '' OR u.password NOT LIKE '!%%'
    OR EXISTS (SELECT FROM account_emailaddress e WHERE e.user_id = u.id)
    OR EXISTS (SELECT FROM mfa_authenticator m WHERE m.user_id = u.id)
    OR EXISTS (SELECT FROM accounts_apitoken t WHERE t.user_id = u.id),
    EXISTS (SELECT FROM ledger_journalentry j
            WHERE j.verb = 'account.deleted' AND j.subject = 'user:' || u.id)
FROM accounts_accountdeletion d JOIN accounts_user u ON u.id = d.user_id
WHERE d.outcome = %s ORDER BY u.id
"""

_WAITING: Final = """
SELECT u.id FROM accounts_accountdeletion d JOIN accounts_user u ON u.id = d.user_id
WHERE d.outcome = %s AND u.is_active ORDER BY u.id
"""


def check_deletions() -> Iterator[AuditFinding]:
    """Deleted accounts that are open, have a way in or a name, or that the journal omits."""
    with connection.cursor() as cursor:
        cursor.execute(_DELETED, [DeletionOutcome.DONE])
        deleted = cursor.fetchall()
        cursor.execute(_WAITING, [DeletionOutcome.WAITING])
        waiting = cursor.fetchall()
    for user_id, name, is_open, has_a_way_in, is_written in deleted:
        row = f"user:{user_id}"
        if is_open:
            yield AuditFinding(row, "is deleted, and open")
        if has_a_way_in:
            yield AuditFinding(
                row, "is deleted, and has an address, a password, a factor or a token"
            )
        if name != name_of_deleted(user_id):
            yield AuditFinding(row, "is deleted, and has a name")
        if not is_written:
            yield AuditFinding(row, "is deleted, and the journal does not say so")
    for (user_id,) in waiting:
        yield AuditFinding(f"user:{user_id}", "waits for its deletion, and is open")
