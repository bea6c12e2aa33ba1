"""Pools of tournaments: entry fees, added credits, rake and prizes, as arithmetic on whole cents.

The rake and the shares are fixed before anybody enters. Equal players share the prizes of their
places. Cents are rounded down, and what is left over goes to the first place. A part of all prizes
may be for the winners of other brackets than the main one; what nobody wins there goes to the first
place, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.prizes import rake_of
from tournaments.engine.errors import BadTournamentTerms

WHOLE_BPS: Final = 10_000
#: the brackets beside the main one: consolation, last chance
SIDES: Final = 2
SIDES_MOST_BPS: Final = 5_000

#: the usual shares by the size of the field, in basis points of all prizes, the first place first.
USUAL_SHARES: Final[tuple[tuple[int, tuple[int, ...]], ...]] = (
    (4, (7_000, 3_000)),
    (8, (5_000, 3_000, 1_000, 1_000)),
    (16, (5_000, 2_600, 1_200, 1_200)),
    (256, (4_000, 2_200, 1_100, 1_100, 400, 400, 400, 400)),
)


def usual_shares(most: int) -> tuple[int, ...]:
    """The usual shares for a field of at most so many players."""
    return next(shares for size, shares in USUAL_SHARES if most <= size)


def sides_check(sides: Sequence[int]) -> None:
    """Raise `BadTournamentTerms` for impossible parts of other brackets, or over half."""
    if len(sides) != SIDES or min(sides) < 0 or not 0 < sum(sides) <= SIDES_MOST_BPS:
        raise BadTournamentTerms(
            "the consolation and the last chance have up to half of all prizes", field="sides"
        )


@dataclass(frozen=True, slots=True)
class Pool:
    """The fees of so many entries and what the house added, and what becomes of them.

    The rake is a part of the fees alone. The pool of a satellite buys as many seats of `seat_cents`
    as it covers, one for each of the first places; the rest is the prize of the next place.
    `sides_bps` of all prizes are for the winners of the consolation and the last chance.
    """

    fee_cents: int
    rake_bps: int
    shares_bps: tuple[int, ...]
    entries: int
    added_cents: int = 0
    seat_cents: int = 0
    sides_bps: tuple[int, ...] = ()

    @property
    def fees_cents(self) -> int:
        """All fees."""
        return self.fee_cents * self.entries

    @property
    def total_cents(self) -> int:
        """All fees and what was added."""
        return self.fees_cents + self.added_cents

    @property
    def rake_cents(self) -> int:
        """The house's part, rounded down."""
        return rake_of(self.fees_cents, self.rake_bps)

    @property
    def prizes_cents(self) -> int:
        """The prizes together."""
        return self.total_cents - self.rake_cents

    @property
    def sides_cents(self) -> tuple[int, ...]:
        """The prizes of the winners of the other brackets."""
        return tuple(self.prizes_cents * share // WHOLE_BPS for share in self.sides_bps)

    @property
    def places_cents(self) -> int:
        """The prizes of the places together."""
        return self.prizes_cents - sum(self.sides_cents)

    @property
    def seats(self) -> int:
        """How many seats it buys."""
        return min(self.prizes_cents // self.seat_cents, self.entries) if self.seat_cents else 0

    def winners_of_seats(self, ranks: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """The players who win a seat; equal ones among whom only some would, win credits alone."""
        found: list[int] = []
        for group in ranks:
            if len(found) + len(group) > self.seats:
                break
            found += group
        return tuple(found)

    def of_places(self) -> tuple[int, ...]:
        """The prize of every place if nobody is equal; they sum to all prizes of places.

        A seat counts as its worth. Places that nobody can take add to the first one.
        """
        if self.seat_cents:
            return self._seats_and_rest()
        paid = self.shares_bps[: self.entries]
        rest = [self.places_cents * share // WHOLE_BPS for share in paid[1:]]
        return (self.places_cents - sum(rest), *rest) if paid else ()

    def _seats_and_rest(self) -> tuple[int, ...]:
        places = [self.seat_cents] * self.seats
        rest_cents = self.prizes_cents - sum(places)
        if self.seats < self.entries:
            places += [rest_cents] if rest_cents else []
        elif places:
            places[0] += rest_cents
        return tuple(places)

    def of_players(
        self, ranks: Sequence[Sequence[int]], sides: Sequence[int | None] = ()
    ) -> dict[int, int]:
        """The prize of every player with one, by the final ranks; equal ones share their places.

        `sides` are the winners of the other brackets, in the order of `sides_bps`.
        """
        places = list(self.of_places())
        prizes: dict[int, int] = {}
        at = 0
        for group in ranks:
            each = sum(places[at : at + len(group)]) // len(group)
            prizes.update(dict.fromkeys(group, each))
            at += len(group)
        for cents, winner in zip(self.sides_cents, sides, strict=False):
            if winner is not None:
                prizes[winner] = prizes.get(winner, 0) + cents
        left_cents = self.prizes_cents - sum(prizes.values())
        first = ranks[0] if ranks else ()
        for number, player in enumerate(first):
            prizes[player] += left_cents // len(first) + (number < left_cents % len(first))
        return {player: cents for player, cents in prizes.items() if cents}
