"""The audit in turns: everything new, everything cheap, and a part of the old rows each night.

Old rows are divided into as many parts as a round has days (LEDGER_AUDIT_ROUND_DAYS). The date
determines tonight's part, so nothing in the database can postpone it; the parts of nights that are
missing since the last audit without findings are added. What is new is counted from that audit, and
from a day ago at least: a forged audit cannot hide what was changed in between.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection

from ledger.audit import AuditMark, AuditTurn
from ledger.models import AuditRun, Seal
from ledger.selectors_desk import nightly_audits

LOOK_BACK: Final = timedelta(days=1)
"""So much at least counts as new, whatever earlier audits covered: the time between two nights."""


def turn_due(now: datetime) -> tuple[AuditMark, AuditTurn] | None:
    """The part that an audit in turns must check now; None if a whole one is due.

    It goes on from the last whole audit, or audit in turns, that found nothing and whose row is
    still as it was sealed; without one a whole audit is due.
    """
    last = _last_green(now)
    if last is None:
        return None
    moment = min(last.started_at, now - LOOK_BACK)
    sealed = Seal.objects.filter(stream="transfer", created_at__lt=moment).order_by("number").last()
    mark = AuditMark(min(last.sealed_to, sealed.to_id if sealed else 0), moment)
    return mark, turn_of(last.started_at.astimezone(UTC).date(), now.astimezone(UTC).date())


def turn_of(last: date, today: date) -> AuditTurn:
    """Today's part, and those of the days after `last`, which had an audit without findings."""
    days = settings.LEDGER_AUDIT_ROUND_DAYS
    missed = range(last.toordinal() + 1, today.toordinal())
    ordinals = [today.toordinal(), *missed[-days:]]
    return AuditTurn(tuple(sorted({ordinal % days for ordinal in ordinals})), days)


def _last_green(now: datetime) -> AuditRun | None:
    green = nightly_audits().filter(finding_count=0, started_at__lte=now)
    for run in green.order_by("-started_at")[: settings.LEDGER_AUDIT_ROUND_DAYS]:
        if _is_as_sealed(run):
            return run
    return None


def _is_as_sealed(run: AuditRun) -> bool:
    """Whether a seal covers this row and its rows still hash to the seal's root."""
    seal = Seal.objects.filter(stream="audit", from_id__lt=run.pk, to_id__gte=run.pk).first()
    if seal is None:
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT root FROM ledger_seal_root(%s, %s, %s, %s)",
            [seal.stream, bytes(seal.previous_root), seal.from_id, seal.to_id],
        )
        (root,) = cursor.fetchone()
    return bytes(root) == bytes(seal.root)
