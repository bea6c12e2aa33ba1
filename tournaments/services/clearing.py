"""Letting prizes out: after the winners' play was looked at, or after a time.

Winnings of tournaments wait for a clearance like those of matches. Small prizes are cleared at
once. For larger ones every match that a winner played must be analysed, and no winner may be
under suspicion; without an analysis they are cleared after `LONGEST`. A winner under suspicion
keeps the pool waiting until the case is over; credits are never taken here.
"""

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from analysis.models import Report
from fairplay.models import Case, Role
from tournaments import settlement
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.services.news import change_tell

#: prizes up to so much are cleared at once.
SMALL_CENTS: Final = 2_000
LONGEST: Final = timedelta(hours=72)
AT_ONCE: Final = 50


def tournaments_clear() -> int:
    """Clear the pools whose winners' play was looked at; return how many."""
    waiting = Tournament.objects.filter(phase=Phase.OVER, fee_cents__gt=0, cleared_at=None)
    return sum(map(_cleared, waiting.order_by("ended_at")[:AT_ONCE]))


def _cleared(tournament: Tournament) -> bool:
    if not may_be_cleared(tournament):
        return False
    with transaction.atomic():
        now = timezone.now()
        done = Tournament.objects.filter(pk=tournament.pk, cleared_at=None).update(cleared_at=now)
        if done:
            settlement.prizes_clear(tournament)
            change_tell(tournament, listed=False)
    return bool(done)


def may_be_cleared(tournament: Tournament) -> bool:
    """Whether nothing keeps the prizes of an ended tournament back."""
    winners = Entry.objects.filter(tournament=tournament, prize_cents__gt=0)
    users = list(winners.values_list("user_id", flat=True))
    most = winners.aggregate(most=Max("prize_cents"))["most"] or 0
    if most <= SMALL_CENTS:
        return True
    suspected = Case.objects.filter(
        closed_at=None, parties__user__in=users, parties__role=Role.ACCUSED
    )
    if suspected.exists():
        return False
    assert tournament.ended_at is not None
    return timezone.now() - tournament.ended_at > LONGEST or _all_analysed(tournament, users)


def _all_analysed(tournament: Tournament, users: list[int]) -> bool:
    """Whether every match that one of these players finished here has a full report."""
    played = Meeting.objects.filter(tournament=tournament, match__winner_seat__isnull=False)
    matches = {meeting.match_id for meeting in played if set(meeting.players) & set(users)}
    reported = Report.objects.filter(match__in=matches, depth="full").values("match").distinct()
    return reported.count() == len(matches)
