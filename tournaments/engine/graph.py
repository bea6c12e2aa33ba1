"""Brackets as graphs: who meets in a node follows from slots, winners and losers of other nodes.

A node with one player and no opponent is passed without a match. So knock-outs, consolations and
double elimination are lists of nodes, and byes need no rule of their own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tournaments.engine.state import TournamentState


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that the draw fills: with a player, or with nobody (None)."""

    player: int | None


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of another node."""

    place: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of another node; nobody where it was passed without a match."""

    place: str


Source = Slot | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class BracketNode:
    """A meeting at a place, of those who come from two sources.

    `only_after` names a node whose winner must be its second player, or this one is not played:
    the second match of a final in which both have lost once.
    """

    place: str
    sources: tuple[Source, Source]
    only_after: str = ""


class _Unknown:
    """Stands where a player is not known so far."""


UNKNOWN: Final = _Unknown()
Player = int | None | _Unknown


@dataclass(slots=True)
class BracketMeeting:
    """A node with its players as far as they are known, its winner and its loser."""

    players: tuple[Player, Player]
    winner: Player
    loser: Player


def resolved(nodes: list[BracketNode], state: TournamentState) -> dict[str, BracketMeeting]:
    """Every node by its place. The nodes are in an order in which sources come first."""
    found: dict[str, BracketMeeting] = {}
    for node in nodes:
        one, two = (_player(source, found) for source in node.sources)
        found[node.place] = _meeting(node, one, two, found, state)
    return found


def _player(source: Source, found: Mapping[str, BracketMeeting]) -> Player:
    match source:
        case Slot(player):
            return player
        case WinnerOf(place):
            return found[place].winner
        case LoserOf(place):
            return found[place].loser


def _meeting(
    node: BracketNode,
    one: Player,
    two: Player,
    found: Mapping[str, BracketMeeting],
    state: TournamentState,
) -> BracketMeeting:
    if node.only_after:
        before = found[node.only_after]
        if isinstance(before.winner, _Unknown):
            return BracketMeeting((UNKNOWN, UNKNOWN), UNKNOWN, UNKNOWN)
        if before.winner == before.players[0]:
            return BracketMeeting((before.winner, None), before.winner, None)
    number = state.places.get(node.place)
    if number is not None:
        pairing = state.pairings[number]
        if pairing.winner is None:
            return BracketMeeting(pairing.players, UNKNOWN, UNKNOWN)
        return BracketMeeting(pairing.players, pairing.winner, pairing.loser)
    if one is None or two is None:
        return BracketMeeting((one, two), two if one is None else one, None)
    return BracketMeeting((one, two), UNKNOWN, UNKNOWN)


def open_nodes(
    nodes: list[BracketNode], state: TournamentState
) -> Iterator[tuple[str, tuple[int, int]]]:
    """The places at which two known players can meet now."""
    for place, meeting in resolved(nodes, state).items():
        one, two = meeting.players
        if isinstance(one, int) and isinstance(two, int) and place not in state.places:
            yield place, (one, two)


def slots_of(players: tuple[int, ...], size: int) -> list[Slot]:
    """The players on the slots of a bracket, the free ones spread, at most one in a first match."""
    free = size - len(players)
    pairs = size // 2
    byes = {number * pairs // free for number in range(free)} if free else set()
    left = iter(players)
    slots: list[Slot] = []
    for pair in range(pairs):
        slots.append(Slot(next(left)))
        slots.append(Slot(None if pair in byes else next(left)))
    return slots


def size_for(many: int) -> int:
    """The smallest bracket for so many players: a power of two, at least 2."""
    size = 2
    while size < many:
        size *= 2
    return size
