"""What the clock does for the books: seals every minute, snapshots daily, an audit every night."""

from celery import shared_task
from django.db import connection

from ledger.audit import run
from ledger.models import AuditRun
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
