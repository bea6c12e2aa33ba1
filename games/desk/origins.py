"""Where a player's credits came from: what the desk looks at before a payout is approved.

A payout that was played for comes from many opponents and long matches. Credits that were handed
over come from one, at once. Nothing here decides: it marks, and an approval then needs a remark.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, Sum, TextChoices
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.selectors import networks_of
from games.models import Match

LOOKED_BACK: Final = timedelta(days=30)
YOUNG: Final = timedelta(days=7)

ROLLS_FEW: Final = 4
"""A match in which no more than so many rolls fell was hardly played."""

SHARE_LARGE_PERCENT: Final = 50
"""So much of what was won, or more, from one opponent is much."""


class OriginMark(TextChoices):
    """A sign that credits were handed over on purpose."""

    ONE_OPPONENT = "one_opponent", _("half of the winnings or more came from one opponent")
    HARDLY_PLAYED = "hardly_played", _("won matches that ended after four rolls or fewer")
    ONE_NETWORK = "one_network", _("an opponent logged in from the same network")
    YOUNG_ACCOUNT = "young_account", _("the account is less than seven days old")


@dataclass(slots=True)
class Origin:
    """The credits one opponent lost to a player (below zero: won) in the period."""

    opponent_id: int
    won_cents: int = 0
    matches: int = 0
    hardly_played: int = 0
    share_percent: int = 0
    same_network: bool = False
    opponent: User | None = None


@dataclass(slots=True)
class Origins:
    """The opponents who lost to a player, the most first, and their marks."""

    opponents: list[Origin] = field(default_factory=list)
    marks: tuple[OriginMark, ...] = ()

    @property
    def need_a_remark(self) -> bool:
        """Whether more is marked than a new account, so that an approval needs a remark."""
        return any(mark is not OriginMark.YOUNG_ACCOUNT for mark in self.marks)

    @property
    def labels(self) -> list[str]:
        """The marks in the reader's language."""
        return [str(mark.label) for mark in self.marks]


def origins_of(player: User, now: datetime | None = None) -> Origins:
    """The opponents from whom this player won credits in the last 30 days, with the marks."""
    now = now or timezone.now()
    found: dict[int, Origin] = {}
    for match, rolls in _matches(player.pk, now - LOOKED_BACK):
        seat = match.players.index(player.pk)
        origin = found.setdefault(match.players[1 - seat], Origin(match.players[1 - seat]))
        won_cents = (match.paid_cents or [0, 0])[seat] - match.stake_cents
        origin.matches += 1
        origin.won_cents += won_cents
        origin.hardly_played += won_cents > 0 and rolls <= ROLLS_FEW
    opponents = sorted(
        (each for each in found.values() if each.won_cents > 0), key=lambda each: -each.won_cents
    )
    _complete(player.pk, opponents)
    return Origins(opponents, tuple(_marks(player, opponents, now)))


def _matches(player_id: int, since: datetime) -> Iterator[tuple[Match, int]]:
    """The player's matches for credits that ended since, each with the number of its rolls."""
    mine = Q(player_0=player_id) | Q(player_1=player_id)
    ended = Match.objects.filter(mine, ended_at__gte=since, stake_cents__gt=0)
    counted = ended.annotate(rolls=Coalesce(Sum("dice__next_roll"), 0)).order_by("ended_at")
    for match in counted.iterator(chunk_size=500):
        yield match, match.rolls


def _complete(player_id: int, opponents: list[Origin]) -> None:
    """Add shares, names and networks."""
    people = User.objects.in_bulk([each.opponent_id for each in opponents])
    networks = networks_of([player_id, *people])
    total_cents = sum(each.won_cents for each in opponents)
    for each in opponents:
        each.opponent = people[each.opponent_id]
        each.share_percent = each.won_cents * 100 // total_cents
        each.same_network = bool(networks[player_id] & networks[each.opponent_id])


def _marks(player: User, opponents: list[Origin], now: datetime) -> Iterator[OriginMark]:
    if any(each.share_percent >= SHARE_LARGE_PERCENT for each in opponents):
        yield OriginMark.ONE_OPPONENT
    if any(each.hardly_played for each in opponents):
        yield OriginMark.HARDLY_PLAYED
    if any(each.same_network for each in opponents):
        yield OriginMark.ONE_NETWORK
    if now - player.date_joined < YOUNG:
        yield OriginMark.YOUNG_ACCOUNT
