"""Gains by chouettes: every pair of the box and a member is one of its own.

A captain moves for the whole team. So what the box won of all members came from the captain, too:
who plays for the box gives away what others staked.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from games.chouette.models import CircleEvent, Game, Share
from games.models import Match
from games.services.gains import EARLY, QUICK, BookedResult, GainKind, Passage

#: how a pair settled early, and how soon that is.
EARLY_BY: Final = {"left": EARLY, "dropped": QUICK}


def result_of(game: Game) -> BookedResult:
    """The result of a game that has ended."""
    assert game.ended_at is not None
    shares = list(game.shares.all())
    stakes = {share.user_id: share.stake_cents for share in shares}
    nets = {share.user_id: (share.paid_cents or 0) - share.stake_cents for share in shares}
    return BookedResult(
        game.reference, game.ended_at, stakes, nets, tuple(_passages(game, shares, nets))
    )


def _passages(game: Game, shares: Iterable[Share], nets: dict[int, int]) -> list[Passage]:
    members = {share.user_id: share.box_points for share in shares if share.box_points}
    if game.voided or not members:
        return []
    early = _early(game, len(members))
    lost_cents = -sum(nets[member] for member, points in members.items() if points > 0)
    found = []
    for member, points in members.items():
        if points < 0:
            found.append(Passage(game.box_id, member, max(nets[member], 1), member in early))
            continue
        cents = lost_cents if member == game.captain_id else -nets[member]
        found.append(Passage(member, game.box_id, cents, member in early))
    return found


def _early(game: Game, members: int) -> set[int]:
    """The members whose pairs one side gave up early."""
    first = game.rolls.order_by("n").values_list("seq", flat=True).first()
    if first is None:  # it was over before the first dice
        return set(game.shares.values_list("user_id", flat=True))
    settled = CircleEvent.objects.filter(
        circle=game.circle_id, seq__gt=first, payload__type="settled"
    ).order_by("seq")[:members]
    return {
        event.payload["player"]
        for event in settled
        if event.payload["how"] in EARLY_BY
        and event.stored_at - game.started_at < EARLY_BY[event.payload["how"]]
    }


def _ended(since: datetime) -> QuerySet[Game]:
    return Game.objects.filter(circle__rate_cents__gt=0, ended_at__gte=since)


def _matches() -> QuerySet[Match]:
    """None: the games of chouettes are not analysed."""
    return Match.objects.none()


def _read(key: Any) -> BookedResult:
    return result_of(Game.objects.get(pk=UUID(str(key))))


def _of_person(user_id: int, since: datetime, until: datetime) -> list[BookedResult]:
    found = Game.objects.filter(
        circle__rate_cents__gt=0,
        ended_at__gt=since,
        ended_at__lte=until,
        voided=False,
        shares__user=user_id,
    )
    return [result_of(game) for game in found.prefetch_related("shares")]


CHOUETTE_GAINS: Final = GainKind(_ended, _matches, _read, _of_person)
