"""Swiss by rounds: everybody plays every round against somebody with about as many wins."""

from math import ceil, log2
from typing import ClassVar

from tournaments.engine.draws import matched, shuffled
from tournaments.engine.formats.base import Format, ProposedMeeting, Ranks, ranks_by_score
from tournaments.engine.state import TournamentState

STAGE = "swiss"


class Swiss(Format):
    """`terms.rounds` rounds; 0: so many as a knock-out would need. Nobody meets anybody twice."""

    key: ClassVar[str] = "swiss"

    def rounds(self, state: TournamentState) -> int:
        """How many rounds are played at most."""
        return state.terms.rounds or ceil(log2(len(state.order)))

    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """The next round, once the last one is over."""
        done = self._done(state)
        if state.running or done >= self.rounds(state):
            return []
        players = list(shuffled(state.alive, state.seed, f"{STAGE}/{done + 1}"))
        players.sort(key=lambda player: -state.wins[player])
        bye = self._bye(state, players)
        if bye is not None:
            players.remove(bye)
        pairs = matched(players, lambda one, two: self._cost(state, one, two))
        if not pairs:
            return []
        found = [
            ProposedMeeting(f"{STAGE}/{done + 1}/{number}", pair)
            for number, pair in enumerate(pairs)
        ]
        alone = [bye] if bye is not None else []
        alone += [player for player in players if not any(player in pair for pair in pairs)]
        return found + [
            ProposedMeeting(f"{STAGE}/{done + 1}/bye{number}", (player, None))
            for number, player in enumerate(alone)
        ]

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By wins, shared; once the rounds are over, or nobody is left to meet."""
        if state.running or self.proposals(state, now_ms):
            return None
        return ranks_by_score(state)

    def _done(self, state: TournamentState) -> int:
        places = [*state.places, *state.byes]
        return max((int(place.split("/")[1]) for place in places), default=0)

    def _bye(self, state: TournamentState, players: list[int]) -> int | None:
        """The player who sits out: the last of those who have done so least often."""
        if len(players) % 2 == 0:
            return None
        often = {player: list(state.byes.values()).count(player) for player in players}
        least = min(often.values())
        return next(player for player in reversed(players) if often[player] == least)

    def _cost(self, state: TournamentState, one: int, two: int) -> int | None:
        if frozenset((one, two)) in state.met:
            return None
        return (state.wins[one] - state.wins[two]) ** 2
