"""The facts about a pair, read from results of all kinds, wallets and analyses."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum

from accounts.login_marks import links_of
from accounts.models import User
from accounts.selectors import same_mailbox
from analysis.decisions.times import play_seconds, play_times
from analysis.models import DecisionRow, Report, ThemeSum
from backgammon.counting.figures import PR_SCALE
from fairplay import settlement
from fairplay.models import Case, CaseKind, PartyRole
from fairplay.signals.pairs import GIVEN_PR, SHARE_HIGH, PairFacts, much_worse
from fairplay.signals.play import Habits, MadeDecision, habits_of
from games.kinds import kinds
from games.models import Match
from games.selectors import between_people
from games.services.gains import BookedResult, Passage

LOOKS_BACK: Final = timedelta(days=30)

ELSEWHERE_DECISIONS: Final = 100
"""A player's own average counts from so many counted decisions on."""


@dataclass(frozen=True, slots=True)
class PairFound:
    """A pair as it stands after a result: the people, the results in which credits went from one
    to the other, and the facts."""

    winner_id: int
    loser_id: int
    results: Sequence[BookedResult]
    facts: PairFacts

    @property
    def matches(self) -> list[Match]:
        """Their staked matches."""
        return [match for each in self.results for match in each.matches if match.stake_cents]


def pair_after(result: BookedResult, passage: Passage) -> PairFound:
    """The facts of a pair after credits went from one to the other by this result."""
    winner_id, loser_id = passage.taker_id, passage.giver_id
    until = result.ended_at
    of_loser = _staked(loser_id, result)
    begin = _begin(winner_id, loser_id)
    ours = [
        each
        for each in of_loser
        if (begin is None or each.ended_at > begin) and between(each, winner_id, loser_id)
    ]
    went = [between(each, winner_id, loser_id) for each in ours]
    here, elsewhere, analysed = _errors(loser_id, _matches(ours, loser_id))
    loser = User.objects.get(pk=loser_id)
    facts = PairFacts(
        results=[cents > 0 for cents in went],
        net_cents=sum(went),
        given_up=sum(_early(each, winner_id, loser_id) for each in ours),
        in_day=sum(each.ended_at > until - timedelta(days=1) for each in ours),
        loser_age_days=(until - loser.date_joined) / timedelta(days=1),
        stake_share=_stake_share(result, passage),
        loser_share=share_of(of_loser, loser_id, winner_id),
        loser_matches=len(of_loser),
        feeders=_feeders(winner_id, loser_id, result),
        pr_here=here,
        pr_elsewhere=elsewhere,
        analysed=analysed,
        mark=_mark(winner_id, loser),
    )
    if facts.given:
        givers, opponents = _givers(winner_id, loser_id, result)
        facts = replace(facts, givers=givers, opponents=opponents)
    return PairFound(winner_id, loser_id, ours, facts)


def between(result: BookedResult, taker_id: int, giver_id: int) -> int:
    """The credits that went from one player to the other by a result, in cents; negative: back."""
    ways = {(giver_id, taker_id): 1, (taker_id, giver_id): -1}
    return sum(ways.get((each.giver_id, each.taker_id), 0) * each.cents for each in result.passages)


def _mark(winner_id: int, loser: User) -> str:
    """The mark that both accounts have, unless they are confirmed as two people."""
    if same_mailbox(loser, User.objects.get(pk=winner_id)):
        return "mailbox"
    links = links_of(loser.pk, {winner_id})
    return next((str(link.kind) for link in links if not link.confirmed), "")


def _begin(one_id: int, other_id: int) -> datetime | None:
    """When people last decided about these two: what was before is not looked at again."""
    over = Case.objects.filter(kind=CaseKind.DUMP, closed_at__isnull=False)
    for user_id in (one_id, other_id):
        over = over.filter(parties__user=user_id, parties__role=PartyRole.ACCUSED)
    return over.order_by("-closed_at").values_list("closed_at", flat=True).first()


def moved_cents(match: Match, user_id: int) -> int:
    """The credits that a player gained by a match, in cents; below zero for a loss."""
    if match.paid_cents is None:
        return 0
    return int(match.paid_cents[match.players.index(user_id)]) - match.stake_cents


def results_of(user_id: int, since: datetime, until: datetime) -> list[BookedResult]:
    """The results of a player in this time, at all kinds of tables, the oldest first."""
    found = [
        result
        for kind in kinds()
        if kind.credits
        for result in kind.credits.gains.of_person(user_id, since, until)
    ]
    return sorted(found, key=lambda result: (result.ended_at, result.reference))


def _staked(user_id: int, result: BookedResult) -> list[BookedResult]:
    """The player's results of the last 30 days up to this one, oldest first."""
    return results_of(user_id, result.ended_at - LOOKS_BACK, result.ended_at)


def _early(result: BookedResult, taker_id: int, giver_id: int) -> bool:
    """Whether one player gave up early for the other."""
    pair = (giver_id, taker_id)
    return any(each.early and (each.giver_id, each.taker_id) == pair for each in result.passages)


def _matches(results: Iterable[BookedResult], user_id: int) -> list[Match]:
    """The player's matches of these results."""
    return [match for each in results for match in each.matches if user_id in match.players]


def _stake_share(result: BookedResult, passage: Passage) -> float:
    """How much of the loser's credits lay in this result; by what the wallet holds now."""
    lost = max(-result.nets_cents[passage.giver_id], 0)
    left = settlement.wallet_balance(passage.giver_id)
    return lost / (lost + left) if lost > 0 else 0.0


def share_of(results: Iterable[BookedResult], user_id: int, opponent_id: int) -> float:
    """The share of a player's stakes in these results that lay where one other player was."""
    stakes = [(each.stakes_cents[user_id], opponent_id in each.stakes_cents) for each in results]
    total = sum(cents for cents, _ in stakes)
    return sum(cents for cents, there in stakes if there) / total if total else 0.0


def _feeders(winner_id: int, loser_id: int, result: BookedResult) -> int:
    """How many other accounts staked nearly all they staked where this winner was, and lost.

    Of those who are not linked to the loser only those count who lost by giving up early: others
    may be friends who play nobody else.
    """
    linked = {link.user_id for link in links_of(loser_id) if not link.confirmed}
    lost: set[int] = set()
    for each in _staked(winner_id, result):
        for passage in each.passages:
            if passage.taker_id == winner_id and (passage.early or passage.giver_id in linked):
                lost.add(passage.giver_id)
    lost.discard(loser_id)
    return sum(
        share_of(_staked(other, result), other, winner_id) >= SHARE_HIGH for other in sorted(lost)
    )


def _givers(winner_id: int, loser_id: int, result: BookedResult) -> tuple[int, int]:
    """How many other opponents of this winner have given something away, and how many there are."""
    met: dict[int, list[BookedResult]] = defaultdict(list)
    for each in _staked(winner_id, result):
        for passage in each.passages:
            if winner_id in (passage.giver_id, passage.taker_id):
                other = passage.giver_id + passage.taker_id - winner_id
                met[other].append(each)
    met.pop(loser_id, None)
    early = {
        other
        for other, results in met.items()
        if any(_early(each, winner_id, other) for each in results)
    }
    theirs = {other: _matches(results, other) for other, results in met.items()}
    rates = _rates_against(winner_id, [match for each in theirs.values() for match in each])
    worse = {
        other
        for other, pr in rates.items()
        if pr >= GIVEN_PR and much_worse(pr, _errors(other, theirs[other])[1])
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
        between_people("report__match"),
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


MATCHES_MOST: Final = 30
"""So many matches are read, the last ones."""

_ROW: Final = ("game", "number", "seat", "kind", "counted", "loss", "line__gap")


def habits(user_id: int, matches: Sequence[Match]) -> Habits:
    """How a player decides in these matches, newest first."""
    made: list[MadeDecision] = []
    for match in matches[:MATCHES_MOST]:
        report = Report.objects.filter(match=match, depth="full").order_by("-made_at", "-pk")
        if found := report.first():
            made += decisions_of(user_id, match, found)
    return habits_of(made)


def decisions_of(user_id: int, match: Match, report: Report) -> Iterator[MadeDecision]:
    """The player's counted decisions in a match."""
    seat, times = match.players.index(user_id), play_times(match)
    rows = DecisionRow.objects.filter(report=report).order_by("game", "number").values(*_ROW)
    plays: defaultdict[int, int] = defaultdict(int)
    for row in rows:
        place = plays[row["game"]]
        plays[row["game"]] += row["kind"] == "play"
        known = row["loss"] is not None and row["line__gap"] is not None
        if row["seat"] == seat and row["counted"] and known:
            yield MadeDecision(row["line__gap"], row["loss"], play_seconds(row, place, times))
