"""A format: which pairings can be played now, and how it ends."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.graph import BracketMeeting, BracketNode
from tournaments.engine.state import Pairing, TournamentState
from tournaments.engine.terms import TournamentTerms

Ranks = tuple[tuple[int, ...], ...]
"""Groups of equal players, the best first."""


@dataclass(frozen=True, slots=True)
class ProposedMeeting:
    """Two players who can meet at a place; without the second one, the first sits out (a bye)."""

    place: str
    players: tuple[int, int | None]


class Format(ABC):
    """One format; instances have no state of their own."""

    key: ClassVar[str]
    fixes_places: ClassVar[bool] = False
    """Whether who meets at a place follows from order and results alone."""

    def check(self, terms: TournamentTerms) -> None:
        """Raise `BadTournamentTerms` if the terms are not for this format or lack something."""
        if terms.format != self.key:
            raise BadTournamentTerms(f"these are terms of {terms.format!r}", field="format")

    @abstractmethod
    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """The pairings that can begin now, beside those that are being played."""

    @abstractmethod
    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """The final ranks; None while it goes on."""

    def side_winners(self, state: TournamentState) -> tuple[int | None, ...]:
        """The winners of the brackets beside the main one; None where nobody has won one."""
        return ()

    def nodes(self, state: TournamentState) -> list[BracketNode]:
        """The whole bracket in the order of play, as far as there is one."""
        return []

    def resting_on(self, state: TournamentState, pairing: Pairing) -> list[Pairing]:
        """The later pairings whose players follow from the result of this one."""
        return []


def later_of_players(state: TournamentState, pairing: Pairing, stage: str = "") -> list[Pairing]:
    """The later pairings, of a stage, in which one of these players takes part."""
    return [
        each
        for each in state.pairings.values()
        if each.number > pairing.number
        and each.place.startswith(stage)
        and set(each.players) & set(pairing.players)
    ]


def ranks_by_score(state: TournamentState) -> Ranks:
    """Ranks by wins; equal ones share, and those who withdrew come last among equals."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for player in state.order:
        key = (-state.wins[player], player in state.withdrawn)
        groups.setdefault(key, []).append(player)
    return tuple(tuple(groups[key]) for key in sorted(groups))


def ranks_by_exit(meetings: Iterable[tuple[str, BracketMeeting]], champion: int) -> Ranks:
    """Ranks by the round in which players lost, the last rounds first.

    The places are in the order in which they are played, ``stage/round/number``; losers of the same
    stage and round are equal.
    """
    rounds: dict[str, list[int]] = {}
    for place, meeting in meetings:
        if isinstance(meeting.loser, int):
            rounds.setdefault(place.rpartition("/")[0], []).append(meeting.loser)
    groups: list[tuple[int, ...]] = [(champion,)]
    seen = {champion}
    for losers in reversed(list(rounds.values())):
        group = tuple(player for player in losers if player not in seen)
        seen.update(group)
        if group:
            groups.append(group)
    return tuple(groups)
