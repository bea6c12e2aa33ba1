"""The state of a tournament: the result of all events so far, and what follows from it at once."""

from collections import Counter
from functools import cached_property
from typing import Final, Literal

import msgspec

from kit.events import Fold
from tournaments.engine import events as ev
from tournaments.engine.terms import TournamentTerms

Phase = Literal["registering", "running", "over", "called_off"]

_with = msgspec.structs.replace


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
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


class TournamentState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A tournament.

    `withdrawn` has the number of the next pairing when a player withdrew. `pairings` are by number,
    `byes` the players who sat out by place.
    """

    terms: TournamentTerms
    phase: Phase = "registering"
    entrants: tuple[int, ...] = ()
    withdrawn: dict[int, int] = {}
    seed: str = ""
    order: tuple[int, ...] = ()
    drawn_ms: int = 0
    pairings: dict[int, Pairing] = {}
    byes: dict[str, int] = {}
    ranks: tuple[tuple[int, ...], ...] = ()
    next_number: int = 1

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of the pairing at each place."""
        return {pairing.place: number for number, pairing in self.pairings.items()}

    @cached_property
    def running(self) -> dict[int, int]:
        """The pairing that each player plays now."""
        return {
            player: number
            for number, pairing in self.pairings.items()
            if pairing.winner is None
            for player in pairing.players
        }

    @cached_property
    def wins(self) -> Counter[int]:
        """How often each player won; sitting out a round counts as well."""
        won = (each.winner for each in self.pairings.values() if each.winner is not None)
        return Counter([*won, *self.byes.values()])

    @cached_property
    def losses(self) -> Counter[int]:
        """How often each player lost."""
        return Counter(each.loser for each in self.pairings.values() if each.loser is not None)

    @cached_property
    def met(self) -> set[frozenset[int]]:
        """The pairs of players who met."""
        return {frozenset(each.players) for each in self.pairings.values()}

    @property
    def alive(self) -> list[int]:
        """Those who have not withdrawn, in the order of the draw."""
        return [player for player in self.order if player not in self.withdrawn]

    @property
    def idle(self) -> list[int]:
        """Those who could play now, in the order of the draw."""
        return [player for player in self.alive if player not in self.running]


#: the state after an event.
evolve: Final = Fold[TournamentState]()


@evolve.on(ev.Entered)
def _entered(state: TournamentState, event: ev.Entered) -> TournamentState:
    return _with(state, entrants=(*state.entrants, event.player))


@evolve.on(ev.Withdrew)
def _withdrew(state: TournamentState, event: ev.Withdrew) -> TournamentState:
    if state.phase == "registering":
        left = tuple(player for player in state.entrants if player != event.player)
        return _with(state, entrants=left)
    return _with(state, withdrawn={**state.withdrawn, event.player: state.next_number})


@evolve.on(ev.Drawn)
def _drawn(state: TournamentState, event: ev.Drawn) -> TournamentState:
    return _with(state, phase="running", seed=event.seed, order=event.order, drawn_ms=event.at_ms)


@evolve.on(ev.Paired)
def _paired(state: TournamentState, event: ev.Paired) -> TournamentState:
    pairing = Pairing(
        number=event.number, place=event.place, players=event.players, at_ms=event.at_ms
    )
    return _with(
        state,
        pairings={**state.pairings, event.number: pairing},
        next_number=event.number + 1,
    )


@evolve.on(ev.Sat)
def _sat(state: TournamentState, event: ev.Sat) -> TournamentState:
    return _with(state, byes={**state.byes, event.place: event.player})


@evolve.on(ev.Decided)
def _decided(state: TournamentState, event: ev.Decided) -> TournamentState:
    pairing = _with(state.pairings[event.number], winner=event.winner, how=event.how)
    return _with(state, pairings={**state.pairings, event.number: pairing})


@evolve.on(ev.Corrected)
def _corrected(state: TournamentState, event: ev.Corrected) -> TournamentState:
    pairings = {
        number: pairing for number, pairing in state.pairings.items() if number not in event.undone
    }
    pairings[event.number] = _with(pairings[event.number], winner=event.winner)
    return _with(state, pairings=pairings)


@evolve.on(ev.Ended)
def _ended(state: TournamentState, event: ev.Ended) -> TournamentState:
    return _with(state, phase="over", ranks=event.ranks)


@evolve.on(ev.CalledOff)
def _called_off(state: TournamentState, _event: ev.CalledOff) -> TournamentState:
    return _with(state, phase="called_off")
