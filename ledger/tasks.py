"""Scheduled tasks of the books: seals, snapshots, audits."""

import logging
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from kit.periodic import at, every
from ledger.audit import AuditReport, run
from ledger.audit_turns import turn_due
from ledger.models import AuditRun
from ledger.seals import books_seal
from ledger.selectors_desk import mark_reached
from ledger.services.proposals import proposals_lapse

#: whole audits take long in old houses. They are acknowledged at once, or they were begun again.
AUDIT: Final[dict[str, Any]] = {"acks_late": False, "time_limit": 3600}

_log = logging.getLogger("ledger.audit")

lapse_proposals = at("ledger.tasks.lapse_proposals", minute=11)(proposals_lapse)


@every(60.0, "ledger.tasks.seal")
def seal() -> int:
    """Seal what is new; answers how many seals that made."""
    return len(books_seal())


@at("ledger.tasks.snapshot", minute=7)
def snapshot() -> int:
    """Note the balances of the summed accounts, so that reading them stays quick."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_snapshot_take()")
        (taken,) = cursor.fetchone()
    return int(taken)


@at("ledger.tasks.audit", options=AUDIT, hour=3, minute=17, day_of_week="sun")
def audit() -> int:
    """Audit everything, keep the result for the administrators; answers how many findings."""
    return _keep(run())


@at("ledger.tasks.audit_in_turns", options=AUDIT, hour=3, minute=17, day_of_week="mon-sat")
def audit_in_turns() -> int:
    """Audit what is new and tonight's part of the rest, or everything if that is due.

    Answers how many findings. One with findings is repeated the next night with its parts.
    """
    since, turn = turn_due(timezone.now()) or (None, None)
    return _keep(run(since=since, turn=turn))


@at("ledger.tasks.audit_recent", options=AUDIT, minute=37, expires_seconds=1800)
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
