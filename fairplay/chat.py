"""Complaints about talk at tables: decided once, by somebody who is not concerned."""

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from games.models import ChatReport
from games.services.administration import MayNotDecide, ReasonMissing
from games.services.chat_reports import author_warn
from games.table.errors import MatchOver, TableError

PERMISSION: Final = "games.decide_chatreport"

#: the possible outcomes of a complaint: days of silence; 0 is a warning, None is nothing.
OUTCOMES: Final[Mapping[str, int | None]] = {
    "nothing": None,
    "warn": 0,
    "silence_1": 1,
    "silence_7": 7,
    "silence_30": 30,
}


class AlreadyDecided(MatchOver):
    """Another person has decided this report."""

    code = "wrong_state"


def report_close(*, report_id: int, actor: User, outcome: str, reason: str) -> ChatReport:
    """Decide a complaint: nothing, a warning, or days of silence for the author.

    Raises `MayNotDecide` without the right or in one's own case, `ReasonMissing`, `AlreadyDecided`.
    """
    if outcome not in OUTCOMES:
        raise TableError(f"there is no outcome {outcome!r} (there are: {', '.join(OUTCOMES)})")
    if not actor.has_perm(PERMISSION):
        raise MayNotDecide("you have no right to decide complaints")
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    days = OUTCOMES[outcome]
    with transaction.atomic(durable=True):
        report = _locked(report_id, actor)
        report.outcome, report.closed_by, report.closed_at = outcome, actor, timezone.now()
        report.save(update_fields=["outcome", "closed_by", "closed_at"])
        until = None if days is None else author_warn(report, days)
        after = {"user": report.author_id, "outcome": outcome}
        settlement.journal(
            actor=actor,
            verb="report.close",
            subject=f"report:{report.pk}",
            before={"outcome": ""},
            after={**after, **({"silent_until": until.isoformat()} if until else {})},
            reason=reason.strip(),
        )
        return report


def _locked(report_id: int, actor: User) -> ChatReport:
    """The report, locked, if it is not decided and does not concern this person."""
    report = ChatReport.objects.select_for_update(no_key=True).get(pk=report_id)
    if actor.pk in (report.author_id, report.reporter_id):
        raise MayNotDecide("nobody decides a case of their own")
    if report.outcome:
        raise AlreadyDecided("this complaint is decided")
    return report
