"""How often the same two may play a rated match: the pair limit of the house."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from games import settlement
from games.models import Match
from games.modes.registry import PRACTICE_KEYS


@dataclass(frozen=True, slots=True)
class PairStanding:
    """How many matches of two players count within 24 hours, and how many of them may."""

    matches: int
    limit: int | None

    @property
    def rated(self) -> bool:
        """Whether one more of them is rated."""
        return self.limit is None or self.matches < self.limit

    @property
    def left(self) -> int | None:
        """How many more of them are rated; None: any number."""
        return None if self.limit is None else max(0, self.limit - self.matches)


def pair_standings(
    user_id: int, opponent_ids: Iterable[int], limit: int | None
) -> dict[int, PairStanding]:
    """Where a player stands with each of these: rated matches within 24 hours and running ones.

    Every game of a session counts; a running one has as many as are rated at most. Without a
    limit nothing is counted.
    """
    asked = set(opponent_ids)
    if limit is None:
        return {opponent_id: PairStanding(0, None) for opponent_id in asked}
    counts = Counter(settlement.pair_matches(user_id, asked))
    running = Match.objects.filter(ended_at=None, rated=True).exclude(mode__in=PRACTICE_KEYS)
    mine = Q(player_0=user_id, player_1__in=asked) | Q(player_1=user_id, player_0__in=asked)
    for one, two, games in running.filter(mine).values_list("player_0", "player_1", "rated_games"):
        counts[two if one == user_id else one] += games or 1
    return {opponent_id: PairStanding(counts[opponent_id], limit) for opponent_id in asked}


def pair_claim(one_id: int, other_id: int, limit: int | None) -> int | None:
    """How many more matches of these two are rated, the one that begins now included; None: all.

    Its row must follow. Holds the pair until the transaction ends: what begins at the same time is
    counted after it.
    """
    if limit is None:
        return None
    settlement.pair_hold(one_id, other_id)
    return pair_standings(one_id, [other_id], limit)[other_id].left
