"""Scheduled tasks of the books: seals, snapshots, audits."""

import logging

from celery import shared_task
from django.db import connection
from django.utils import timezone

from ledger.audit import AuditReport, run
from ledger.audit_turns import turn_due
from ledger.models import AuditRun
from ledger.seals import books_seal
from ledger.selectors_desk import mark_reached
from ledger.services.proposals import proposals_lapse

AUDIT_SECONDS_MAX = 3600
"""Whole audits take long in old houses. They are acknowledged at once, or they were begun again."""

_log = logging.getLogger("ledger.audit")


@shared_task(name="ledger.tasks.seal")
def seal() -> int:
    """Seal what is new; answers how many seals that made."""
    return len(books_seal())


@shared_task(name="ledger.tasks.snapshot")
def snapshot() -> int:
    """Note the balances of the summed accounts, so that reading them stays quick."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_snapshot_take()")
        (taken,) = cursor.fetchone()
    return int(taken)


@shared_task(name="ledger.tasks.lapse_proposals")
def lapse_proposals() -> int:
    """Close the proposals that waited too long for a second person; answers how many."""
    return proposals_lapse()


@shared_task(name="ledger.tasks.audit", acks_late=False, time_limit=AUDIT_SECONDS_MAX)
def audit() -> int:
    """Audit everything, keep the result for the administrators; answers how many findings."""
    return _keep(run())


@shared_task(name="ledger.tasks.audit_in_turns", acks_late=False, time_limit=AUDIT_SECONDS_MAX)
def audit_in_turns() -> int:
    """Audit what is new and tonight's part of the rest, or everything if that is due.

    Answers how many findings. One with findings is repeated the next night with its parts.
    """
    since, turn = turn_due(timezone.now()) or (None, None)
    return _keep(run(since=since, turn=turn))


@shared_task(name="ledger.tasks.audit_recent", acks_late=False, time_limit=AUDIT_SECONDS_MAX)
def audit_recent() -> int:
    """Audit what came after the last audit without findings; answers how many findings.

    One with findings moves no mark: what is wrong is found again every hour until it is mended.
    """
    return _keep(run(since=mark_reached()))


def _keep(report: AuditReport) -> int:
    """Store what an audit found, and cry out if it is anything."""
    AuditRun.objects.create(
        started_at=report.started_at,
        duration_ms=report.duration_ms,
        finding_count=report.finding_count,
        report=report.as_json(),
        since_at=report.since.moment if report.since else None,
        sealed_to=report.reached.transfer_id,
    )
    for result in report.results:
        for finding in result.findings:
            _log.error("audit %s: %s: %s", result.code, finding.row, finding.message)
    return report.finding_count
