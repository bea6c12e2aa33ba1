"""Round robin and league: everybody meets everybody once."""

from typing import ClassVar

from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.formats.base import Format, ProposedMeeting, Ranks, ranks_by_score
from tournaments.engine.state import TournamentState
from tournaments.engine.terms import TournamentTerms

STAGE = "robin"
MOST = 32


def rounds_of(players: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """The rounds by the circle: one stays, the others go round; with an odd number one rests."""
    circle: list[int | None] = [*players] + ([None] if len(players) % 2 else [])
    found = []
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        found.append([(one, two) for one, two in pairs if one is not None and two is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return found


class RoundRobin(Format):
    """Round by round, each as soon as both players are free."""

    key: ClassVar[str] = "robin"
    fixes_places: ClassVar[bool] = True

    def check(self, terms: TournamentTerms) -> None:
        """Raise `BadTournamentTerms` where it would have no end."""
        super().check(terms)
        if terms.most > MOST:
            raise BadTournamentTerms(f"at most {MOST} play a round robin", field="most")

    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """Each player's next match in the order of the rounds."""
        waiting: set[int] = set()
        found: list[ProposedMeeting] = []
        for round_number, pairs in enumerate(rounds_of(state.order), 1):
            for number, pair in enumerate(pairs):
                place = f"{STAGE}/{round_number}/{number}"
                if place in state.places:
                    continue
                if not waiting & set(pair) and not any(each in state.running for each in pair):
                    found.append(ProposedMeeting(place, pair))
                waiting |= set(pair)
        return found

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By wins, shared."""
        many = len(state.order)
        if state.running or len(state.places) < many * (many - 1) // 2:
            return None
        return ranks_by_score(state)
