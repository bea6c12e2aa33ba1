"""Swiss by lives: everybody plays until they have lost so often; at the end perhaps a bracket.

Whoever is free is paired with somebody who has lost as often, drawn at random, nobody twice where
that can be avoided. Once the lives left fill the bracket, it begins: who has two lives fills two of
its places, so they pass the first round.
"""

from collections.abc import Iterable
from typing import ClassVar

from tournaments.engine.draws import matched, shuffled
from tournaments.engine.errors import BadTournamentTerms
from tournaments.engine.formats.base import (
    Format,
    ProposedMeeting,
    Ranks,
    later_of_players,
    ranks_by_exit,
)
from tournaments.engine.formats.knockout import bracket
from tournaments.engine.graph import BracketNode, Slot, open_nodes, resolved, size_for
from tournaments.engine.state import Pairing, TournamentState
from tournaments.engine.terms import TournamentTerms

BATCH = 4
"""So many free players are waited for before a draw, while others still play."""

STAGE, FINALS = "lives", "finals"


class Lives(Format):
    """`terms.lives` lives, and a bracket of `terms.bracket` places or none."""

    key: ClassVar[str] = "lives"

    def check(self, terms: TournamentTerms) -> None:
        """With one life it is a knock-out."""
        super().check(terms)
        if terms.lives < 2:
            raise BadTournamentTerms("Swiss by lives needs two lives or more", field="lives")

    def proposals(self, state: TournamentState, now_ms: int) -> list[ProposedMeeting]:
        """Pairs among those who are free, or the open places of the bracket."""
        if nodes := self.nodes(state):
            return [ProposedMeeting(*found) for found in open_nodes(nodes, state)]
        if state.terms.bracket and self._lives_left(state) <= state.terms.bracket:
            return []  # the bracket begins when those who play are done
        idle = [player for player in state.idle if self._lives(state, player) > 0]
        if not self._enough(state, idle):
            return []
        idle = list(shuffled(idle, state.seed, f"{STAGE}/{len(state.pairings)}"))
        pairs = matched(idle, lambda one, two: self._cost(state, one, two))
        pairs = pairs[: self._room(state)]
        return [
            ProposedMeeting(f"{STAGE}/{state.next_number + number}/0", pair)
            for number, pair in enumerate(pairs)
        ]

    def ranks(self, state: TournamentState, now_ms: int) -> Ranks | None:
        """By the bracket, then by wins; without one the last player put out is second alone."""
        if nodes := self.nodes(state):
            meetings = resolved(nodes, state)
            champion = meetings[nodes[-1].place].winner
            if not isinstance(champion, int):
                return None
            finals = ranks_by_exit(meetings.items(), champion)
            return (*finals, *self._out(state, {each for group in finals for each in group}))
        left = [player for player in state.order if self._lives(state, player) > 0]
        if len(left) > 1 or state.running:
            return None
        exits = self._exits(state)
        last = max((each for each in state.order if each not in left), key=lambda out: exits[out])
        return (*((each,) for each in left), (last,), *self._out(state, {*left, last}))

    def resting_on(self, state: TournamentState, pairing: Pairing) -> list[Pairing]:
        """In the bracket as in a knock-out; before, the whole bracket follows from the lives."""
        if pairing.place.startswith(FINALS):
            return later_of_players(state, pairing)
        return [each for each in state.pairings.values() if each.place.startswith(FINALS)]

    # --- inside ---------------------------------------------------------------------------------

    def _lives(self, state: TournamentState, player: int) -> int:
        return 0 if player in state.withdrawn else state.terms.lives - state.losses[player]

    def _lives_left(self, state: TournamentState) -> int:
        return sum(max(self._lives(state, player), 0) for player in state.order)

    def _enough(self, state: TournamentState, idle: list[int]) -> bool:
        """Whether a draw is due: nobody else is coming, or enough wait already."""
        if not state.running:
            return len(idle) > 1
        return state.terms.at_once and len(idle) >= BATCH

    def _room(self, state: TournamentState) -> int | None:
        """So many matches may begin that the lives left still fill the bracket afterwards."""
        if not state.terms.bracket:
            return None
        playing = len(state.running) // 2
        return max(self._lives_left(state) - playing - state.terms.bracket, 0)

    def _cost(self, state: TournamentState, one: int, two: int) -> int:
        """Having met weighs more than one loss apart, less than two; the draw decides the rest."""
        apart = abs(state.losses[one] - state.losses[two])
        return 10 * apart * apart + 15 * (frozenset((one, two)) in state.met)

    def nodes(self, state: TournamentState) -> list[BracketNode]:
        """The bracket, once it has begun or can begin; empty before."""
        size = state.terms.bracket
        before = [each for each in state.pairings.values() if each.place.startswith(STAGE)]
        if not size or any(each.winner is None for each in before):
            return []
        lost: dict[int, int] = {}
        for each in before:
            assert each.loser is not None
            lost[each.loser] = lost.get(each.loser, 0) + 1
        begins = max((each.number for each in before), default=0) + 1
        lives = {
            player: state.terms.lives - lost.get(player, 0)
            for player in state.order
            if state.terms.lives > lost.get(player, 0)
            and state.withdrawn.get(player, begins + 1) > begins
        }
        if sum(lives.values()) > size:
            return []
        return bracket(FINALS, _slots(lives, state.seed, size_for(min(size, sum(lives.values())))))

    def _exits(self, state: TournamentState) -> dict[int, tuple[int, int]]:
        """When each player was put out: the pairing of their last life, or before which they left.

        Who withdrew between the same two pairings is in the order of withdrawing.
        """
        exits: dict[int, tuple[int, int]] = {}
        lost: dict[int, list[int]] = {}
        for pairing in sorted(state.pairings.values(), key=lambda each: each.number):
            if pairing.loser is not None:
                lost.setdefault(pairing.loser, []).append(pairing.number)
        for player, numbers in lost.items():
            exits[player] = (numbers[min(state.terms.lives, len(numbers)) - 1], 0)
        for at, (player, number) in enumerate(state.withdrawn.items(), start=1):
            if len(lost.get(player, ())) < state.terms.lives:
                exits[player] = (number, at)
        return exits

    def _out(self, state: TournamentState, finalists: Iterable[int]) -> Ranks:
        """Those who did not get there: more wins first."""
        known = set(finalists)
        groups: dict[int, list[int]] = {}
        for player in state.order:
            if player not in known:
                groups.setdefault(-state.wins[player], []).append(player)
        return tuple(tuple(groups[key]) for key in sorted(groups))


def _slots(lives: dict[int, int], seed: str, size: int) -> list[Slot]:
    """The places of the bracket: two for two lives, where nobody sits beside them."""
    double = [player for player, many in lives.items() if many > 1]
    single = [player for player, many in lives.items() if many == 1]
    pairs: list[tuple[int | None, int | None]] = [(player, None) for player in double]
    single = list(shuffled(single, seed, FINALS))
    free = size - 2 * len(double)
    padded: list[int | None] = [*single, *[None] * (free - len(single))]
    half = len(padded) // 2
    pairs += zip(padded[:half], padded[half:], strict=True)
    order = shuffled(range(len(pairs)), seed, f"{FINALS}/places")
    return [Slot(player) for number in order for player in pairs[number]]
