"""Tournaments between players of given strengths: who wins, and how long it takes.

A match is won by the formula of FIBS: 1 / (1 + 10 ** (-d * sqrt(n) / 2000)) for a difference of d
points of Elo over n points of the match, where a point of PR is worth `ELO_OF_PR`. A match takes
`MINUTES_A_POINT` for each point of its length, more or less, as in the study that is named in
docs/tournaments.md.
"""

import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.engine.events import Decided
from tournaments.engine.formats.base import Ranks
from tournaments.engine.state import Pairing
from tournaments.engine.terms import TournamentTerms
from tournaments.engine.tournament import TournamentJournal

ELO_OF_PR: Final = 33.0
MINUTES_A_POINT: Final = 8.0
MINUTES_SPREAD: Final = 0.25
MINUTE_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class SimulatedTournament:
    """A simulated tournament: ranks by place in the list of strengths, matches, and minutes."""

    ranks: Ranks
    matches: int
    minutes: float
    waited_minutes: float


def wins(pr: float, other_pr: float, length: int) -> float:
    """The chance of a player with this PR to win a match against the other."""
    elo = (other_pr - pr) * ELO_OF_PR
    return float(1 / (1 + 10 ** (-elo * length**0.5 / 2_000)))


def strengths_drawn(count: int, chance: random.Random) -> list[float]:
    """The PRs of so many players, the best first: normal around 6 with a deviation of 2."""
    return sorted(max(chance.gauss(6, 2), 1.0) for _ in range(count))


def simulated(
    terms: TournamentTerms, strengths: Sequence[float], chance: random.Random
) -> SimulatedTournament:
    """Play a tournament of players with these PRs to its end; `waited` is the average a player."""
    tournament = TournamentJournal(terms)
    for player in range(len(strengths)):
        tournament.enter(player, 0)
    tournament.draw(f"{chance.getrandbits(128):032x}", 0)
    if tournament.state.phase != "running":
        raise ValueError(f"{len(strengths)} players are too few")
    now_ms, played_ms, matches = 0, 0, 0
    waiting: list[tuple[int, int]] = []
    while tournament.state.phase == "running":
        for pairing in tournament.autopilot(now_ms):
            takes_ms = _takes_ms(terms, chance)
            played_ms += 2 * takes_ms
            heapq.heappush(waiting, (now_ms + takes_ms, pairing.number))
            matches += 1
        if tournament.state.phase != "running":
            break
        if waiting:
            now_ms, number = heapq.heappop(waiting)
            pairing = tournament.state.pairings[number]
            tournament.decide(number, _winner(pairing, strengths, terms, chance), now_ms)
        elif terms.minutes and now_ms < terms.minutes * MINUTE_MS:
            now_ms = terms.minutes * MINUTE_MS
        else:
            raise RuntimeError("nothing is played and nothing is over")
    there_ms = _there_ms(tournament, now_ms)
    return SimulatedTournament(
        tournament.state.ranks,
        matches,
        now_ms / MINUTE_MS,
        (there_ms - played_ms) / MINUTE_MS / len(strengths),
    )


def _takes_ms(terms: TournamentTerms, chance: random.Random) -> int:
    spread = max(0.4, 1 + chance.gauss(0, MINUTES_SPREAD))
    return round(terms.length * MINUTES_A_POINT * spread * MINUTE_MS)


def _winner(
    pairing: Pairing, strengths: Sequence[float], terms: TournamentTerms, chance: random.Random
) -> int:
    one, two = pairing.players
    won = chance.random() < wins(strengths[one], strengths[two], terms.length)
    return one if won else two


def _there_ms(tournament: TournamentJournal, now_ms: int) -> int:
    """The time that all players are there together: until their last match ends."""
    last: dict[int, int] = {}
    ends = {event.number: event.at_ms for event in tournament.journal if isinstance(event, Decided)}
    for pairing in tournament.state.pairings.values():
        for player in pairing.players:
            last[player] = max(last.get(player, 0), ends.get(pairing.number, now_ms))
    return sum(last.values())
