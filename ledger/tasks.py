"""What the clock does for the books: seals, snapshots, audits, and mails about payouts."""

import logging

from celery import shared_task
from django.db import connection, transaction
from django.db.models.functions import Now

from ledger.audit import Report, run
from ledger.mails import step_mail
from ledger.models import AuditRun, PayoutStep
from ledger.seals import books_seal
from ledger.selectors_desk import mark_reached, recent_audits, whole_audits
from ledger.services.proposals import proposals_lapse

AUDIT_RUNS_KEPT = 400
"""Of each sort: a year of whole ones, a fortnight of recent ones."""

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


@shared_task(name="ledger.tasks.audit_recent", acks_late=False, time_limit=AUDIT_SECONDS_MAX)
def audit_recent() -> int:
    """Audit what came after the last audit without findings; answers how many findings.

    One with findings moves no mark: what is wrong is found again every hour until it is mended.
    """
    return _keep(run(since=mark_reached()))


def _keep(report: Report) -> int:
    """Store what an audit found, and cry out if it is anything."""
    AuditRun.objects.create(
        started_at=report.started_at,
        duration_ms=report.duration_ms,
        finding_count=report.finding_count,
        report=report.as_json(),
        since_at=report.since.moment if report.since else None,
        sealed_to=report.reached.transfer_id,
    )
    for runs in (whole_audits(), recent_audits()):
        kept = runs.order_by("-started_at").values("pk")[:AUDIT_RUNS_KEPT]
        runs.exclude(pk__in=kept).delete()
    for result in report.results:
        for finding in result.findings:
            _log.error("audit %s: %s: %s", result.code, finding.row, finding.message)
    return report.finding_count


@shared_task(name="ledger.tasks.payout_mails")
def payout_mails() -> int:
    """Mail every step of a payout that was not mailed yet; answers how many.

    A step is marked in the transaction that sent it: after a crash in between it is sent again.
    """
    sent = 0
    while _next_step_mail():
        sent += 1
    return sent


@transaction.atomic
def _next_step_mail() -> bool:
    waiting = PayoutStep.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    step = waiting.filter(mailed_at=None).select_related("payout__user").order_by("id").first()
    if step is None:
        return False
    step_mail(step)
    PayoutStep.objects.filter(pk=step.pk).update(mailed_at=Now())
    return True
