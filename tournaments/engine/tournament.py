"""A tournament: commands lead to events, or are refused and change nothing.

`TournamentJournal` keeps the journal and its state. `autopilot` confirms every proposal.
"""

from kit.events import TimedEvent
from tournaments.engine import events as ev
from tournaments.engine.draws import shuffled
from tournaments.engine.errors import (
    Full,
    NoSuchPairing,
    NotEntered,
    WouldUnravel,
    WrongTournamentPhase,
)
from tournaments.engine.formats import format_of
from tournaments.engine.formats.base import ProposedMeeting
from tournaments.engine.state import Pairing, TournamentState, evolve
from tournaments.engine.terms import TournamentTerms


class TournamentJournal:
    """The journal and the state that follows from it.

    A tournament whose `state` is known goes on from it; `journal` then has the new events alone.
    """

    def __init__(self, terms: TournamentTerms, state: TournamentState | None = None) -> None:
        """Raise `BadTournamentTerms` for terms that the format cannot have."""
        format_of(terms)
        self.terms = terms
        self.journal: list[TimedEvent] = []
        self.state = TournamentState(terms=terms) if state is None else state

    # --- entrants -------------------------------------------------------------------------------

    def enter(self, player: int, now_ms: int) -> None:
        """A player enters. Raises `WrongTournamentPhase`, `Full`; a second time changes nothing."""
        self._phase("registering")
        if player in self.state.entrants:
            return
        if len(self.state.entrants) >= self.terms.most:
            raise Full("all places are taken")
        self._add(ev.Entered(at_ms=now_ms, player=player))

    def withdraw(self, player: int, now_ms: int) -> None:
        """A player takes no further part; a running match is lost. Raises as `enter` does."""
        self._phase("registering", "running")
        if player not in self.state.entrants:
            raise NotEntered("this player takes no part")
        if player in self.state.withdrawn:
            return
        self._add(ev.Withdrew(at_ms=now_ms, player=player))
        number = self.state.running.get(player)
        if number is not None:
            self._decide(self.state.pairings[number], player, now_ms)

    def draw(self, seed: str, now_ms: int) -> None:
        """Close the registration and draw the order; with too few players it is called off."""
        self._phase("registering")
        if len(self.state.entrants) < self.terms.least:
            self._add(ev.CalledOff(at_ms=now_ms, reason="too_few"))
            return
        order = shuffled(self.state.entrants, seed, "order")
        self._add(ev.Drawn(at_ms=now_ms, seed=seed, order=order))

    def call_off(self, reason: str, now_ms: int, director: int | None = None) -> None:
        """End it without a result. Raises `WrongTournamentPhase` once it is over."""
        self._phase("registering", "running")
        self._add(ev.CalledOff(at_ms=now_ms, reason=reason, director=director))

    # --- pairings -------------------------------------------------------------------------------

    def proposals(self, now_ms: int) -> list[ProposedMeeting]:
        """The pairings that can begin now."""
        if self.state.phase != "running":
            return []
        return format_of(self.terms).proposals(self.state, now_ms)

    def confirm(self, proposal: ProposedMeeting, now_ms: int) -> None:
        """Begin a pairing that is proposed now. Raises `NoSuchPairing` for any other."""
        if proposal not in self.proposals(now_ms):
            raise NoSuchPairing("this is not proposed now")
        self._begin(proposal, now_ms)

    def autopilot(self, now_ms: int) -> list[Pairing]:
        """Begin everything that is proposed, and end the tournament where it is over.

        Return the pairings that have to be played; those with a player who withdrew are decided.
        """
        begun: list[Pairing] = []
        while found := self.proposals(now_ms):
            new = [self._begin(proposal, now_ms) for proposal in found]
            begun += [each for each in new if each is not None]
            if any(each is not None for each in new):
                break  # somebody has to play before more can follow
        self._end(now_ms)
        return begun

    def decide(
        self,
        number: int,
        winner: int,
        now_ms: int,
        how: ev.How = ev.How.PLAYED,
        director: int | None = None,
    ) -> None:
        """Give a running pairing its result, which a director may award. Raises `NoSuchPairing`."""
        self._phase("running")
        pairing = self.state.pairings.get(number)
        if pairing is None or winner not in pairing.players:
            raise NoSuchPairing(f"pairing {number} cannot be won by {winner}")
        if pairing.winner is not None:
            if pairing.winner == winner:
                return
            raise NoSuchPairing(f"pairing {number} is decided")
        self._add(
            ev.Decided(at_ms=now_ms, number=number, winner=winner, how=how, director=director)
        )

    def correct(
        self, number: int, winner: int, reason: str, now_ms: int, director: int | None = None
    ) -> tuple[int, ...]:
        """Correct a result; return the pairings that were undone, as nobody had decided them.

        Raises `NoSuchPairing`, and `WouldUnravel` if later results rest on this one.
        """
        self._phase("running")
        pairing = self.state.pairings.get(number)
        if pairing is None or pairing.winner is None or winner not in pairing.players:
            raise NoSuchPairing(f"pairing {number} has no result that {winner} could have")
        if pairing.winner == winner:
            return ()
        later = format_of(self.terms).resting_on(self.state, pairing)
        decided = tuple(each.number for each in later if each.winner is not None)
        if decided:
            raise WouldUnravel(decided)
        undone = tuple(each.number for each in later)
        self._add(
            ev.Corrected(
                at_ms=now_ms,
                number=number,
                winner=winner,
                reason=reason,
                undone=undone,
                director=director,
            )
        )
        return undone

    # --- inside ---------------------------------------------------------------------------------

    def _begin(self, proposal: ProposedMeeting, now_ms: int) -> Pairing | None:
        one, two = proposal.players
        if two is None:
            self._add(ev.Sat(at_ms=now_ms, place=proposal.place, player=one))
            return None
        number = self.state.next_number
        self._add(ev.Paired(at_ms=now_ms, number=number, place=proposal.place, players=(one, two)))
        pairing = self.state.pairings[number]
        gone = next((each for each in (one, two) if each in self.state.withdrawn), None)
        if gone is None:
            return pairing
        self._decide(pairing, gone, now_ms)
        return None

    def _decide(self, pairing: Pairing, loser: int, now_ms: int) -> None:
        one, two = pairing.players
        winner = two if loser == one else one
        self._add(
            ev.Decided(at_ms=now_ms, number=pairing.number, winner=winner, how=ev.How.WITHDRAWN)
        )

    def _end(self, now_ms: int) -> None:
        if self.state.phase != "running" or self.state.running:
            return
        ranks = format_of(self.terms).ranks(self.state, now_ms)
        if ranks is not None:
            self._add(ev.Ended(at_ms=now_ms, ranks=ranks, version=ev.RANKS_VERSION))

    def _phase(self, *allowed: str) -> None:
        if self.state.phase not in allowed:
            raise WrongTournamentPhase(f"the tournament is {self.state.phase}")

    def _add(self, event: TimedEvent) -> None:
        self.journal.append(event)
        self.state = evolve(self.state, event)
