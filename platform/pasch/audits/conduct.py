"""Audit of conduct at tables, which is too much to be logged: it follows from how matches ended."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone

from fairplay.leavers import SWEEP
from fairplay.refunds import CONDUCT_KEPT
from ledger.audit import AuditFinding, AuditMark

#: rows against their matches, and matches of which one player's row, or what lies between others,
#: is missing; what the sweep goes round (kit/sweeps.py) is not.
_QUERY: Final = """
    SELECT 'conduct ' || c.id, why FROM fairplay_conduct c
    CROSS JOIN LATERAL reason_fairplay_conduct(NULL, to_jsonb(c), now()) AS why
    WHERE c.at >= %(since)s AND why IS NOT NULL
    UNION ALL
    SELECT 'match ' || m.id, 'has no conduct of user ' || u.id
    FROM games_match m JOIN accounts_user u ON u.id IN (m.player_0_id, m.player_1_id)
    WHERE m.ended_at >= %(since)s AND m.ending <> 'voided'
      AND NOT EXISTS (SELECT FROM fairplay_conduct c WHERE c.match_id = m.id AND c.user_id = u.id)
      AND NOT EXISTS (SELECT FROM accounts_user b
                      WHERE b.id IN (m.player_0_id, m.player_1_id) AND b.is_bot)
      AND NOT EXISTS (SELECT FROM accounts_accountdeletion d
                      WHERE d.user_id = u.id AND d.outcome = 'done')
      AND NOT EXISTS (SELECT FROM kit_stuck s
                      WHERE s.sweep = %(sweep)s AND s.item = m.id::text)
      AND (EXISTS (SELECT FROM fairplay_conduct c WHERE c.match_id = m.id) OR (
          m.ended_at < now() - interval '1 hour'
          AND EXISTS (SELECT FROM fairplay_conduct c WHERE c.at > m.ended_at + interval '1 minute'
                  AND c.at < m.ended_at + interval '1 hour')
          AND EXISTS (SELECT FROM fairplay_conduct c WHERE c.at < m.ended_at
                      AND c.at > m.ended_at - interval '1 hour')))
"""


def check_conduct() -> Iterator[AuditFinding]:
    """Conduct that no match bears out, and ended matches without it."""
    return _found(timezone.now() - CONDUCT_KEPT + timedelta(days=2))


def check_recent_conduct(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same of the days since."""
    return _found(mark.moment - timedelta(days=2))


def _found(since: datetime) -> Iterator[AuditFinding]:
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, {"since": since, "sweep": SWEEP})
        for row, message in cursor.fetchall():
            yield AuditFinding(row, message)
