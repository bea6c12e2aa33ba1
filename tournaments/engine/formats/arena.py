"""Arena: for a fixed time whoever is free plays the next one; every win is a point."""

from typing import ClassVar

from tournaments.engine.draws import matched, shuffled
from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.formats.base import Format, ProposedMeeting, Ranks, ranks_by_score
from tournaments.engine.state import TournamentState
from tournaments.engine.terms import TournamentTerms

STAGE = "arena"


class Arena(Format):
    """`terms.minutes` minutes. Nobody meets the opponent of their last match at once."""

    key: ClassVar[str] = "arena"

    def check(self, terms: TournamentTerms) -> None:
        """Raise `BadTournamentTerms` without a time."""
        super().check(terms)
        if not terms.minutes:
            raise BadTournamentTerms("an arena needs a time", field="minutes")

    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """Pairs of about as many wins among those who are free, until the time is over."""
        if now_ms >= self._ends_ms(state):
            return []
        last = self._last(state)
        idle = list(shuffled(state.idle, state.seed, f"{STAGE}/{len(state.pairings)}"))
        few = len(idle) == len(state.alive) == 2

        def cost(one: int, two: int) -> int | None:
            if last.get(one) == two and not few:
                return None
            return abs(state.wins[one] - state.wins[two])

        return [
            ProposedMeeting(f"{STAGE}/{state.next_number + number}/0", pair)
            for number, pair in enumerate(matched(idle, cost))
        ]

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By wins, shared, when the time is over and nobody plays."""
        if state.running or now_ms < self._ends_ms(state):
            return None
        return ranks_by_score(state)

    def _ends_ms(self, state: TournamentState) -> int:
        return state.drawn_ms + state.terms.minutes * 60_000

    def _last(self, state: TournamentState) -> dict[int, int]:
        """The last opponent of each player."""
        last: dict[int, int] = {}
        for pairing in state.pairings.values():
            one, two = pairing.players
            last[one], last[two] = two, one
        return last
