"""The state of a tournament, by replay of its journal."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Literal

from tournaments.engine import events as ev
from tournaments.engine.terms import TournamentTerms

Phase = Literal["registering", "running", "over", "called_off"]


@dataclass(slots=True)
class Pairing:
    """Two players who meet, and the winner once there is one."""

    number: int
    place: str
    players: tuple[int, int]
    at_ms: int
    winner: int | None = None
    how: ev.How | None = None

    @property
    def loser(self) -> int | None:
        """The player who lost; None without a result."""
        if self.winner is None:
            return None
        return self.players[1] if self.winner == self.players[0] else self.players[0]


@dataclass(slots=True)
class TournamentState:
    """Everything that follows from the journal.

    `withdrawn` has the number of the next pairing when a player withdrew. `pairings` are by number,
    `places` the number of the pairing at a place, `byes` the players who sat out by place. `wins`,
    `losses` and `met` follow from results, byes included in the wins.
    """

    terms: TournamentTerms
    phase: Phase = "registering"
    entrants: list[int] = field(default_factory=list)
    withdrawn: dict[int, int] = field(default_factory=dict)
    seed: str = ""
    order: tuple[int, ...] = ()
    drawn_ms: int = 0
    pairings: dict[int, Pairing] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    byes: dict[str, int] = field(default_factory=dict)
    wins: Counter[int] = field(default_factory=Counter)
    losses: Counter[int] = field(default_factory=Counter)
    met: set[frozenset[int]] = field(default_factory=set)
    running: dict[int, int] = field(default_factory=dict)
    ranks: tuple[tuple[int, ...], ...] = ()
    next_number: int = 1

    @singledispatchmethod
    def apply(self, event: ev.JournalEvent) -> None:
        """Take in an event; `running` maps players to the pairing that they play now."""
        raise TypeError(f"no such event: {event!r}")

    @apply.register
    def _(self, event: ev.Entered) -> None:
        self.entrants.append(event.player)

    @apply.register
    def _(self, event: ev.Withdrew) -> None:
        if self.phase == "registering":
            self.entrants.remove(event.player)
        else:
            self.withdrawn[event.player] = self.next_number

    @apply.register
    def _(self, event: ev.Drawn) -> None:
        self.phase, self.seed, self.order = "running", event.seed, event.order
        self.drawn_ms = event.at_ms

    @apply.register
    def _(self, event: ev.Paired) -> None:
        self.pairings[event.number] = Pairing(event.number, event.place, event.players, event.at_ms)
        self.places[event.place] = event.number
        self.met.add(frozenset(event.players))
        for player in event.players:
            self.running[player] = event.number
        self.next_number = event.number + 1

    @apply.register
    def _(self, event: ev.Sat) -> None:
        self.byes[event.place] = event.player
        self.wins[event.player] += 1

    @apply.register
    def _(self, event: ev.Decided) -> None:
        pairing = self.pairings[event.number]
        pairing.winner, pairing.how = event.winner, event.how
        self._count(pairing, 1)
        for player in pairing.players:
            self.running.pop(player, None)

    @apply.register
    def _(self, event: ev.Corrected) -> None:
        pairing = self.pairings[event.number]
        self._count(pairing, -1)
        pairing.winner = event.winner
        self._count(pairing, 1)
        for number in event.undone:
            self._undo(number)

    @apply.register
    def _(self, event: ev.Ended) -> None:
        self.phase, self.ranks = "over", event.ranks

    @apply.register
    def _(self, event: ev.CalledOff) -> None:
        self.phase = "called_off"

    def _count(self, pairing: Pairing, sign: int) -> None:
        assert pairing.winner is not None
        assert pairing.loser is not None
        self.wins[pairing.winner] += sign
        self.losses[pairing.loser] += sign

    def _undo(self, number: int) -> None:
        pairing = self.pairings.pop(number)
        del self.places[pairing.place]
        self.met = {frozenset(each.players) for each in self.pairings.values()}
        for player in pairing.players:
            self.running.pop(player, None)

    @property
    def alive(self) -> list[int]:
        """Those who have not withdrawn, in the order of the draw."""
        return [player for player in self.order if player not in self.withdrawn]

    @property
    def idle(self) -> list[int]:
        """Those who could play now, in the order of the draw."""
        return [player for player in self.alive if player not in self.running]


def replay(terms: TournamentTerms, journal: Iterable[ev.JournalEvent]) -> TournamentState:
    """The state after these events."""
    state = TournamentState(terms)
    for event in journal:
        state.apply(event)
    return state
