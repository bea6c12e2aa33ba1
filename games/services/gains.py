"""Gains: what people won from people at tables of a kind, and who gave it to whom.

Where credits move, a kind of table says so by its `GainKind`; one rule screens and clears all of
them (`fairplay/screening.py`). Those of tables for two are here: the winner's come from the loser.
Sessions are matches, too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet

from games.models import Match

EARLY: Final = timedelta(minutes=2)
QUICK: Final = timedelta(minutes=1)
"""A double that is dropped within it, or games of a session that take no longer, are early, too."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Credits that went from one player to another; `early` if the giver gave up quickly."""

    giver_id: int
    taker_id: int
    cents: int
    early: bool = False


@dataclass(frozen=True, slots=True)
class BookedResult:
    """A result in the books: what each player staked and gained, and what went from whom to whom.

    `matches` are those whose analysis tells something about it.
    """

    reference: str
    ended_at: datetime
    stakes_cents: Mapping[int, int]
    nets_cents: Mapping[int, int]
    passages: tuple[Passage, ...] = ()
    matches: tuple[Match, ...] = ()

    @property
    def gains_cents(self) -> dict[int, int]:
        """The gains of the winners."""
        return {user_id: cents for user_id, cents in self.nets_cents.items() if cents > 0}

    def taken_cents(self, passages: Iterable[Passage]) -> int:
        """The credits that these passages brought one player, no more than the gain."""
        found = list(passages)
        gained = self.nets_cents[found[0].taker_id] if found else 0
        return min(sum(each.cents for each in found), max(gained, 0))


@dataclass(frozen=True, slots=True)
class GainKind:
    """How credits change hands at tables of one kind.

    `ended` has what ended with stakes since a time, in rows with `ended_at`, and `matches` the
    matches of one of them (`OuterRef("pk")`) whose analyses tell something about it. `read` and
    `of_person` (up to a time) make results of them. `told` is called once all gains of a result
    are clear.
    """

    ended: Callable[[datetime], QuerySet[Any]]
    matches: Callable[[], QuerySet[Match]]
    read: Callable[[Any], BookedResult]
    of_person: Callable[[int, datetime, datetime], list[BookedResult]]
    told: Callable[[Any], None] = lambda _key: None


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


def _matches() -> QuerySet[Match]:
    return Match.objects.filter(pk=OuterRef("pk"))


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


MATCH_GAINS: Final = GainKind(_ended, _matches, _read, _of_person)
