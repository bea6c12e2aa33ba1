"""Refunds: everything that the victims of a confirmed case lost goes back, match by match.

Each match is taken back in a transaction of its own by the service of the games, which corrects
the books and the rating log and never edits them. A refund that was interrupted goes on where it
stopped when it is asked for again.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from fairplay.cases import case_lock, hold_reference
from fairplay.errors import NoReviewer, NothingToRefund
from fairplay.models import Case, CaseMatch, Conduct, Pause, Screening, Wait
from fairplay.procedure import CaseState
from games.services.match_decisions import match_void_decided

PERMISSION = "fairplay.refund_case"
JUDGES = "fairplay.decide_case"


def case_refund(*, case_id: int, actor: User, verified_at: datetime | None) -> int:
    """Take back every match of a confirmed case; return how many were taken back now.

    Stakes, rake and ratings return as they were before the match; `actor` and one of the reviewers
    who may still judge, two people, answer for it. What is held of a match is free once that is
    given back. Raises `NoReviewer`, `NothingToRefund`, and of `ledger.errors` `SecondFactorStale`,
    `NotAllowed`, and `InsufficientCredits` where the winner has spent what they would give back
    (`fairplay.desk.queue.shortages`).
    """
    approver = _approver(case_id, actor, verified_at)
    done = 0
    for row in CaseMatch.objects.filter(case_id=case_id, refunded_at=None).order_by("pk"):
        match_void_decided(
            match_id=row.match_id,
            actor=actor,
            approver=approver,
            reason=f"fair play, case:{case_id}",
        )
        done += _mark(row, actor)
    with transaction.atomic():
        case = case_lock(case_id)
        for row in case.matches.exclude(refunded_at=None).select_related("match"):
            settlement.credits_release([hold_reference(case, row.match.reference)], "refunded")
    return done


def _approver(case_id: int, actor: User, verified_at: datetime | None) -> User:
    """A reviewer of the case other than the actor, once it is certain that they may refund it."""
    if not actor.has_perm(PERMISSION):
        raise NoReviewer(f"{actor.get_username()} has no right to give back credits")
    settlement.second_factor_check(verified_at)
    case = Case.objects.get(pk=case_id)
    if case.state != CaseState.CONFIRMED or not case.refund:
        raise NothingToRefund(f"{case.reference} is not confirmed with refunds")
    if case.parties.filter(user=actor).exists():
        raise NoReviewer(f"{actor.get_username()} is a party of {case.reference}")
    counted = case.opinions.filter(number__gt=0)
    reviewers = [each.reviewer for each in counted.select_related("reviewer")]
    others = [each for each in reviewers if each.pk != actor.pk]
    approver = next((each for each in others if settlement.has_right(each.pk, JUDGES)), None)
    if approver is None:
        raise NoReviewer(f"nobody who judged {case.reference} may judge any more")
    settlement.people_are_two([approver.pk], actor)
    return approver


@transaction.atomic
def _mark(row: CaseMatch, actor: User) -> int:
    """Note that a match was taken back; 0 where somebody else has noted it meanwhile."""
    case = case_lock(row.case_id)
    changed = CaseMatch.objects.filter(pk=row.pk, refunded_at=None).update(
        refunded_at=timezone.now(), refunded_by=actor
    )
    if changed:
        settlement.journal_record(
            actor=actor,
            verb="case.refund",
            subject=case.reference,
            before={},
            after={"match": str(row.match_id)},
            reason=case.reference,
        )
    return changed


CONDUCT_KEPT: Final = timedelta(days=90)
"""Conduct at tables and the pauses that followed."""

CHECKS_KEPT: Final = timedelta(days=180)
"""Screenings of results, and gains that have waited."""


def measurements_forget() -> int:
    """Delete what is older than its time; return how many rows."""
    now = timezone.now()
    old = (
        Conduct.objects.filter(at__lt=now - CONDUCT_KEPT),
        Pause.objects.filter(placed_at__lt=now - CONDUCT_KEPT),
        Screening.objects.filter(made_at__lt=now - CHECKS_KEPT),
        Wait.objects.filter(since__lt=now - CHECKS_KEPT, over_at__isnull=False),
    )
    return sum(rows.delete()[0] for rows in old)
