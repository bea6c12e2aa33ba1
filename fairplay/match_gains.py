"""Gains by matches for two: the winner's come from the loser. Sessions are matches, too."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.models import Report
from fairplay.gains import EARLY, QUICK, BookedResult, GainKind, Passage
from games.models import Match

MATCHES_MOST: Final = 400
"""So many of a player's last staked matches are read."""

GIVEN_UP: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("left", "time_over", "absent", "resigned"), EARLY),
    "double_dropped": QUICK,
}
"""Endings by the loser's own will, and how soon they are early: to drop is right often enough."""


def given_up_early(match: Match) -> bool:
    """Whether the loser ended a match by their own will at once, or lost a session in a hurry."""
    assert match.ended_at is not None
    took = match.ended_at - match.started_at
    if match.games and took < QUICK * len(match.games):
        return True
    return match.ending in GIVEN_UP and took < GIVEN_UP[match.ending]


def result_of(match: Match) -> BookedResult:
    """The result of a match; one that was voided has moved nothing."""
    assert match.ended_at is not None
    one, two = match.players
    nets, passages = {one: 0, two: 0}, []
    if match.ending != "voided" and match.paid_cents is not None:
        paid_one, paid_two = match.paid_cents
        nets = {one: paid_one - match.stake_cents, two: paid_two - match.stake_cents}
    for taker, giver in ((one, two), (two, one)):
        if nets[taker] > 0:
            passages.append(Passage(giver, taker, nets[taker], given_up_early(match)))
    return BookedResult(
        match.reference,
        match.ended_at,
        dict.fromkeys(match.players, match.stake_cents),
        nets,
        tuple(passages),
        (match,),
    )


def _ended(since: datetime) -> QuerySet[Match]:
    found = Match.objects.filter(stake_cents__gt=0, ended_at__gte=since)
    return found.exclude(paid_cents=None)


def _analysed(found: QuerySet[Match]) -> QuerySet[Match]:
    return found.filter(Exists(Report.objects.filter(match=OuterRef("pk"), depth="full")))


def _read(key: Any) -> BookedResult:
    return result_of(Match.objects.get(pk=UUID(str(key))))


def _of_person(user_id: int, since: datetime, until: datetime) -> list[BookedResult]:
    found = Match.objects.filter(
        Q(player_0=user_id) | Q(player_1=user_id),
        stake_cents__gt=0,
        ended_at__gt=since,
        ended_at__lte=until,
    ).exclude(ending="voided")
    return [result_of(match) for match in found.order_by("-ended_at", "pk")[:MATCHES_MOST]]


MATCHES: Final = GainKind("match", _ended, _analysed, _read, _of_person)
