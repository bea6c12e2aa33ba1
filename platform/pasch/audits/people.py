"""Audit of people: deleted accounts are empty and closed; the staff's roles and second persons."""

from collections.abc import Iterator
from typing import Any, Final

from django.db import connection

from accounts.decisions import TAKES_OVER
from accounts.deletions import DeletionOutcome
from accounts.grants import PAIR_WAIT
from accounts.personal_data import name_of_deleted
from accounts.roles import RIGHTS
from ledger.audit import AuditFinding

_ROLES = """
WITH member AS (
    SELECT ug.user_id, g.name::text AS role
    FROM accounts_user_groups ug JOIN auth_group g ON g.id = ug.group_id
    WHERE g.name IN ('moderator', 'treasurer', 'administrator')
), held AS (
    SELECT person_id AS user_id, role::text AS role, asked_by_id
    FROM accounts_rolegrant WHERE effective_at IS NOT NULL AND ended_at IS NULL
)
SELECT m.user_id, 'is ' || m.role || ' by no decision in force'
FROM member m LEFT JOIN held h USING (user_id, role) WHERE h.user_id IS NULL
UNION ALL
SELECT h.user_id, 'has the role ' || h.role || ' in force, and not its rights'
FROM held h LEFT JOIN member m USING (user_id, role) LEFT JOIN accounts_user u ON u.id = h.user_id
WHERE m.user_id IS NULL OR NOT u.is_staff
UNION ALL
SELECT h.user_id, 'became ' || h.role || ' at the desk, and the journal does not say so'
FROM held h WHERE h.asked_by_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM ledger_journalentry j
    WHERE j.verb = 'role.change' AND j.subject = 'user:' || h.user_id
      AND j.after ->> 'role' = h.role)
UNION ALL
SELECT u.id, 'is staff and has no role' FROM accounts_user u
WHERE u.is_staff AND NOT u.is_superuser AND NOT EXISTS (SELECT FROM held h WHERE h.user_id = u.id)
ORDER BY 1, 2
"""

_OWN_RIGHTS = """
SELECT up.user_id, t.app_label || '.' || p.codename FROM accounts_user_user_permissions up
JOIN auth_permission p ON p.id = up.permission_id
JOIN django_content_type t ON t.id = p.content_type_id ORDER BY 1, 2
"""

_GROUP_RIGHTS = """
SELECT g.name, t.app_label || '.' || p.codename FROM auth_group_permissions gp
JOIN auth_group g ON g.id = gp.group_id JOIN auth_permission p ON p.id = gp.permission_id
JOIN django_content_type t ON t.id = p.content_type_id ORDER BY 1, 2
"""

_GIVEN: Final = {role.value: frozenset(rights) for role, rights in RIGHTS.items()}

_PAIRS = """
WITH pair AS (
    SELECT 'payout:' || id AS what, approved_by_id AS one, closed_by_id AS other, closed_at AS at
    FROM ledger_payout WHERE state = 'paid' AND four_eyes
    UNION ALL
    SELECT 'adjustment:' || id, proposed_by_id, confirmed_by_id, booked_at
    FROM ledger_adjustment WHERE proposal_id IS NOT NULL
    UNION ALL
    SELECT 'proposal:' || id, proposed_by_id, decided_by_id, decided_at
    FROM ledger_proposal WHERE state = 'done'
    UNION ALL
    SELECT 'role of user:' || person_id, asked_by_id, confirmed_by_id, confirmed_at
    FROM accounts_rolegrant WHERE confirmed_by_id IS NOT NULL
    UNION ALL
    SELECT 'account of user:' || person_id, asked_by_id, confirmed_by_id, confirmed_at
    FROM accounts_identitychange WHERE confirmed_by_id IS NOT NULL
), tie AS (
    SELECT person_id, unnest(ARRAY[asked_by_id, confirmed_by_id]) AS through, effective_at AS at
    FROM accounts_rolegrant WHERE effective_at IS NOT NULL
    UNION ALL
    SELECT person_id, unnest(ARRAY[asked_by_id, confirmed_by_id]), effective_at
    FROM accounts_identitychange WHERE effective_at IS NOT NULL AND kind = ANY(%s)
), recent AS (
    SELECT p.what, t.person_id, t.through FROM pair p
    JOIN tie t ON t.person_id IN (p.one, p.other) AND t.at <= p.at AND t.at > p.at - %s::interval
    WHERE t.through IS NOT NULL
)
SELECT what, 'users ' || one || ' and ' || other || ' are one person' FROM pair WHERE one = other
UNION
SELECT p.what, 'users ' || p.one || ' and ' || p.other || ' were no two people at that time'
FROM pair p JOIN recent t ON t.what = p.what AND t.through IN (p.one, p.other)
UNION
SELECT p.what, 'users ' || p.one || ' and ' || p.other || ' were both there through user '
               || t.through || ', and no two people at that time'
FROM pair p JOIN recent t ON t.what = p.what AND t.person_id = p.one
JOIN recent u ON u.what = p.what AND u.person_id = p.other AND u.through = t.through
ORDER BY 1, 2
"""


def check_roles() -> Iterator[AuditFinding]:
    """Rights without a decision in force, and decisions at the desk without a journal entry."""
    for user_id, message in _rows(_ROLES, []):
        yield AuditFinding(f"user:{user_id}", str(message))
    for user_id, right in _rows(_OWN_RIGHTS, []):
        yield AuditFinding(f"user:{user_id}", f"has the right {right} that no role gave")
    for group, right in _rows(_GROUP_RIGHTS, []):
        if right not in _GIVEN.get(str(group), ()):
            yield AuditFinding(
                f"group {group}", f"has the right {right}, which is none of that role"
            )


def check_second_persons() -> Iterator[AuditFinding]:
    """Decisions whose second person was the first, or had come by rights through them that day."""
    for what, message in _rows(_PAIRS, [[kind.value for kind in TAKES_OVER], PAIR_WAIT]):
        yield AuditFinding(str(what), str(message))


def _rows(query: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


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
