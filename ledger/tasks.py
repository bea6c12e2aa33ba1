"""What the clock does for the books: seals, snapshots, audits, and mails about payouts."""

from celery import shared_task
from django.db import connection, transaction
from django.db.models.functions import Now

from ledger.audit import run
from ledger.mails import step_mail
from ledger.models import AuditRun, PayoutStep
from ledger.seals import books_seal

AUDIT_RUNS_KEPT = 400


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


@shared_task(name="ledger.tasks.audit")
def audit() -> int:
    """Audit everything, keep the result for the administrators; answers how many findings."""
    report = run()
    AuditRun.objects.create(
        started_at=report.started_at,
        duration_ms=report.duration_ms,
        finding_count=report.finding_count,
        report=report.as_json(),
    )
    kept = AuditRun.objects.order_by("-started_at").values("pk")[:AUDIT_RUNS_KEPT]
    AuditRun.objects.exclude(pk__in=kept).delete()
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
