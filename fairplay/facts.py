"""The facts about a pair, read from matches, wallets and analyses."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum

from accounts.marks import links_of
from accounts.models import User
from accounts.selectors import same_mailbox
from analysis.counting.figures import PR_SCALE
from analysis.models import ThemeSum
from fairplay import settlement
from fairplay.models import Case, Kind, Role
from fairplay.signals.pairs import GIVEN_PR, SHARE_HIGH, PairFacts, much_worse
from games.models import Match

LOOKS_BACK: Final = timedelta(days=30)
MATCHES_MOST: Final = 400
"""So many of a player's last staked matches are read."""

EARLY: Final = timedelta(minutes=2)
GIVEN_UP: Final = ("left", "time_over", "absent", "resigned")
"""Endings by the loser's own will. Dropping a double is none: it is right often enough."""

ELSEWHERE_DECISIONS: Final = 100
"""A player's own average counts from so many counted decisions on."""


@dataclass(frozen=True, slots=True)
class PairFound:
    """A pair as it stands after a match: the people, its staked matches, and the facts."""

    winner_id: int
    loser_id: int
    matches: Sequence[Match]
    facts: PairFacts


def pair_after(match: Match) -> PairFound | None:
    """The facts of a pair after this match; None where nobody has won it."""
    if match.winner_seat is None or match.ended_at is None:
        return None
    winner_id = match.players[match.winner_seat]
    loser_id = match.players[1 - match.winner_seat]
    until = match.ended_at
    of_loser = _staked(loser_id, match)
    begin = _begin(winner_id, loser_id)
    ours = [
        each
        for each in of_loser
        if winner_id in each.players and (begin is None or each.started_at > begin)
    ]
    results = [_winner(each) == winner_id for each in ours]
    lost = [each for each in ours if _winner(each) == winner_id]
    here, elsewhere, analysed = _errors(loser_id, ours)
    loser = User.objects.get(pk=loser_id)
    facts = PairFacts(
        results=results,
        net_cents=sum(moved_cents(each, winner_id) for each in ours),
        given_up=sum(_early(each) for each in lost),
        in_day=sum(each.ended_at > until - timedelta(days=1) for each in ours if each.ended_at),
        loser_age_days=(until - loser.date_joined) / timedelta(days=1),
        stake_share=_stake_share(match, loser_id),
        loser_share=_share(of_loser, winner_id),
        loser_matches=len(of_loser),
        feeders=_feeders(winner_id, loser_id, match),
        pr_here=here,
        pr_elsewhere=elsewhere,
        analysed=analysed,
        mark=_mark(winner_id, loser),
    )
    if facts.given:
        givers, opponents = _givers(winner_id, loser_id, match)
        facts = replace(facts, givers=givers, opponents=opponents)
    return PairFound(winner_id, loser_id, ours, facts)


def _mark(winner_id: int, loser: User) -> str:
    """The mark that both accounts have, unless they are confirmed as two people."""
    if same_mailbox(loser, User.objects.get(pk=winner_id)):
        return "mailbox"
    links = links_of(loser.pk, {winner_id})
    return next((str(link.kind) for link in links if not link.confirmed), "")


def _begin(one_id: int, other_id: int) -> datetime | None:
    """When people last decided about these two: what was before is not looked at again."""
    over = Case.objects.filter(kind=Kind.DUMP, closed_at__isnull=False)
    for user_id in (one_id, other_id):
        over = over.filter(parties__user=user_id, parties__role=Role.ACCUSED)
    return over.order_by("-closed_at").values_list("closed_at", flat=True).first()


def moved_cents(match: Match, user_id: int) -> int:
    """The credits that a player gained by a match, in cents; below zero for a loss."""
    if match.paid_cents is None:
        return 0
    return int(match.paid_cents[match.players.index(user_id)]) - match.stake_cents


def _staked(user_id: int, match: Match) -> list[Match]:
    """The player's staked matches of the last 30 days up to this one, oldest first."""
    assert match.ended_at is not None
    found = Match.objects.filter(
        Q(player_0=user_id) | Q(player_1=user_id),
        stake_cents__gt=0,
        ended_at__gt=match.ended_at - LOOKS_BACK,
        ended_at__lte=match.ended_at,
    ).exclude(ending="voided")
    return list(found.order_by("-ended_at", "pk")[:MATCHES_MOST])[::-1]


def _winner(match: Match) -> int | None:
    return None if match.winner_seat is None else match.players[match.winner_seat]


def _early(match: Match) -> bool:
    """Whether the loser ended it by their own will within the first two minutes."""
    assert match.ended_at is not None
    return match.ending in GIVEN_UP and match.ended_at - match.started_at < EARLY


def _stake_share(match: Match, loser_id: int) -> float:
    """How much of the loser's credits lay in this match; by what the wallet holds now."""
    lost = -moved_cents(match, loser_id)
    left = settlement.balance_cents(loser_id)
    return lost / (lost + left) if lost > 0 else 0.0


def _share(matches: Iterable[Match], opponent_id: int) -> float:
    """The share of these stakes that were against one player."""
    stakes = [(each.stake_cents, opponent_id in each.players) for each in matches]
    total = sum(cents for cents, _ in stakes)
    return sum(cents for cents, there in stakes if there) / total if total else 0.0


def _feeders(winner_id: int, loser_id: int, match: Match) -> int:
    """How many other accounts staked nearly all they staked against this winner, and lost.

    Of those who are not linked to the loser only those count who lost by giving up early: others
    may be friends who play nobody else.
    """
    linked = {link.user_id for link in links_of(loser_id) if not link.confirmed}
    lost: set[int] = set()
    for each in _staked(winner_id, match):
        other = next(player for player in each.players if player != winner_id)
        if other != loser_id and _winner(each) == winner_id and (_early(each) or other in linked):
            lost.add(other)
    return sum(_share(_staked(other, match), winner_id) >= SHARE_HIGH for other in lost)


def _givers(winner_id: int, loser_id: int, match: Match) -> tuple[int, int]:
    """How many other opponents of this winner have given something away, and how many there are."""
    met: dict[int, list[Match]] = defaultdict(list)
    for each in _staked(winner_id, match):
        met[next(player for player in each.players if player != winner_id)].append(each)
    met.pop(loser_id, None)
    early = {
        other
        for other, matches in met.items()
        if any(_winner(each) == winner_id and _early(each) for each in matches)
    }
    rates = _rates_against(winner_id, [each for matches in met.values() for each in matches])
    worse = {
        other
        for other, pr in rates.items()
        if pr >= GIVEN_PR and much_worse(pr, _errors(other, met[other])[1])
    }
    return len(early | worse), len(met)


def _rates_against(user_id: int, matches: Sequence[Match]) -> dict[int, float]:
    """The PR of each opponent of a player in these matches, where they are analysed."""
    theirs = ThemeSum.objects.filter(
        Q(report__match__player_0=user_id, seat=1) | Q(report__match__player_1=user_id, seat=0),
        report__match__in=matches,
        report__depth="full",
    )
    sums = theirs.values("report__match__player_0", "report__match__player_1").annotate(
        decisions=Sum("counted"), lost=Sum("counted_lost")
    )
    found: dict[int, tuple[int, float]] = {}
    for row in sums:
        players = {row["report__match__player_0"], row["report__match__player_1"]}
        other = (players - {user_id}).pop()
        decisions, lost = found.get(other, (0, 0.0))
        found[other] = decisions + row["decisions"], lost + row["lost"]
    return {other: PR_SCALE * lost / many for other, (many, lost) in found.items() if many}


def _errors(user_id: int, ours: Sequence[Match]) -> tuple[float | None, float | None, int]:
    """A player's PR in these matches and in all others, and how many of these are analysed."""
    theirs = ThemeSum.objects.filter(
        Q(report__match__player_0=user_id, seat=0) | Q(report__match__player_1=user_id, seat=1),
        report__depth="full",
    )
    here = theirs.filter(report__match__in=ours)
    analysed = here.values("report__match").distinct().count()
    other = theirs.exclude(report__match__in=ours)
    return _pr(here, 1), _pr(other, ELSEWHERE_DECISIONS), analysed


def _pr(sums: QuerySet[ThemeSum], least: int) -> float | None:
    """PR of these sums; None below so many counted decisions."""
    total = sums.aggregate(counted=Sum("counted"), lost=Sum("counted_lost"))
    counted = total["counted"] or 0
    return PR_SCALE * total["lost"] / counted if counted >= least else None
