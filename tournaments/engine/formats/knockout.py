"""Knock-outs: plain, with consolation and last chance, and double elimination."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from tournaments.engine.formats.base import (
    Format,
    ProposedMeeting,
    Ranks,
    later_of_players,
    ranks_by_exit,
)
from tournaments.engine.graph import (
    UNKNOWN,
    BracketMeeting,
    BracketNode,
    LoserOf,
    Source,
    WinnerOf,
    open_nodes,
    resolved,
    size_for,
    slots_of,
)
from tournaments.engine.state import Pairing, TournamentState

MAIN, CONSOLATION, LAST_CHANCE, FINAL = "main", "consolation", "last_chance", "final"


def bracket(stage: str, sources: Sequence[Source]) -> list[BracketNode]:
    """A knock-out of these sources, whose number is a power of two: round by round."""
    nodes: list[BracketNode] = []
    round_number, left = 1, list(sources)
    while len(left) > 1:
        left = _round(nodes, stage, round_number, left)
        round_number += 1
    return nodes


def losers_bracket(stage: str, size: int) -> list[BracketNode]:
    """The bracket that the losers of a main one of this size fall into, round after round.

    The losers of a later main round come in mirrored, so that they rarely meet somebody again.
    """
    left: list[Source] = [LoserOf(f"{MAIN}/1/{number}") for number in range(size // 2)]
    nodes: list[BracketNode] = []
    round_number, main_round = 1, 2
    while True:
        if len(left) > 1:
            left = _round(nodes, stage, round_number, left)
            round_number += 1
        falling = size >> main_round
        if not falling:
            return nodes
        fallen: list[Source] = [
            LoserOf(f"{MAIN}/{main_round}/{number}") for number in reversed(range(falling))
        ]
        both = [source for pair in zip(left, fallen, strict=True) for source in pair]
        left = _round(nodes, stage, round_number, both)
        round_number += 1
        main_round += 1


def _round(
    nodes: list[BracketNode], stage: str, round_number: int, sources: Sequence[Source]
) -> list[Source]:
    """Add a round of these sources; return its winners."""
    of_round = [
        BracketNode(
            f"{stage}/{round_number}/{number}", (sources[2 * number], sources[2 * number + 1])
        )
        for number in range(len(sources) // 2)
    ]
    nodes += of_round
    return [WinnerOf(node.place) for node in of_round]


class Knockout(Format):
    """A loss ends it."""

    key: ClassVar[str] = "knockout"
    fixes_places: ClassVar[bool] = True

    def nodes(self, state: TournamentState) -> list[BracketNode]:
        """The whole bracket, in the order of play."""
        return bracket(MAIN, slots_of(state.order, size_for(len(state.order))))

    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """Every meeting whose players are known."""
        return [ProposedMeeting(*found) for found in open_nodes(self.nodes(state), state)]

    def resting_on(self, state: TournamentState, pairing: Pairing) -> list[Pairing]:
        """Winner and loser go on to other nodes."""
        return later_of_players(state, pairing)

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By the round of the main bracket in which players lost."""
        meetings = resolved(self.nodes(state), state)
        if any(meeting.winner is UNKNOWN for meeting in meetings.values()):
            return None
        main = [(place, each) for place, each in meetings.items() if place.startswith(MAIN)]
        champion = main[-1][1].winner
        assert isinstance(champion, int)
        return ranks_by_exit(main, champion)


class Consolation(Knockout):
    """A knock-out with a progressive consolation, and a last chance for its early losers."""

    key: ClassVar[str] = "consolation"

    def nodes(self, state: TournamentState) -> list[BracketNode]:
        """The main bracket, the consolation, and the knock-out of those who lost there early."""
        size = size_for(len(state.order))
        main = super().nodes(state)
        consolation = losers_bracket(CONSOLATION, size)
        early = [
            LoserOf(node.place)
            for node in consolation
            if node.place.split("/")[1] in ("1", "2") and size > 4
        ]
        early = early[: 1 << (len(early).bit_length() - 1)] if early else []
        return [*main, *consolation, *bracket(LAST_CHANCE, early)]

    def side_winners(self, state: TournamentState) -> tuple[int | None, ...]:
        """The winners of the consolation and of the last chance, who have won a match there."""
        meetings = resolved(self.nodes(state), state)
        return tuple(_winner_of(stage, meetings, state) for stage in (CONSOLATION, LAST_CHANCE))


def _winner_of(
    stage: str, meetings: Mapping[str, BracketMeeting], state: TournamentState
) -> int | None:
    """The winner of the last meeting of a stage, unless byes alone led there."""
    last = [each for place, each in meetings.items() if place.startswith(f"{stage}/")][-1:]
    won = {each.winner for each in state.pairings.values() if each.place.startswith(f"{stage}/")}
    winner = last[0].winner if last else None
    return winner if isinstance(winner, int) and winner in won else None


class DoubleElimination(Knockout):
    """Out after two losses. Who comes from the losers has to win the final twice."""

    key: ClassVar[str] = "double"

    def nodes(self, state: TournamentState) -> list[BracketNode]:
        """Both brackets and the final, which may have a second match."""
        size = size_for(len(state.order))
        main, losers = super().nodes(state), losers_bracket(CONSOLATION, size)
        second: Source = WinnerOf(losers[-1].place) if losers else LoserOf(main[-1].place)
        first = BracketNode(f"{FINAL}/1/0", (WinnerOf(main[-1].place), second))
        again = BracketNode(
            f"{FINAL}/2/0", (WinnerOf(first.place), LoserOf(first.place)), only_after=first.place
        )
        return [*main, *losers, first, again]

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By the round of the losers' bracket in which players lost for good."""
        meetings = resolved(self.nodes(state), state)
        champion = meetings[f"{FINAL}/2/0"].winner
        if not isinstance(champion, int):
            return None
        out = [(place, each) for place, each in meetings.items() if not place.startswith(MAIN)]
        return ranks_by_exit(out, champion)
