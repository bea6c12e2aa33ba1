"""The terms of a tournament: its format and what goes with it, fixed before anybody enters."""

from dataclasses import dataclass
from typing import Final

from tournaments.engine.errors import BadTournamentTerms

ENTRANTS_MOST: Final = 256
LIVES_MOST: Final = 5
ROUNDS_MOST: Final = 15
MINUTES_MOST: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """`format` is a key of the registry.

    `least` and `most` bound the number of entrants; below `least` it is called off. `lives` and
    `bracket` (the number of places, 0: none) are for Swiss by lives, `rounds` for Swiss by rounds,
    `minutes` for arenas. With `at_once` Swiss by lives pairs whoever is free, else round by round.
    """

    format: str
    length: int = 5
    least: int = 2
    most: int = ENTRANTS_MOST
    lives: int = 2
    bracket: int = 0
    at_once: bool = True
    rounds: int = 0
    minutes: int = 0

    def __post_init__(self) -> None:
        """Raise `BadTournamentTerms` for terms that no tournament can have."""
        _check(2 <= self.least <= self.most <= ENTRANTS_MOST, "entrants")
        _check(1 <= self.lives <= LIVES_MOST, "lives")
        _check(self.bracket in (0, 2, 4, 8, 16, 32), "bracket")
        _check(0 <= self.rounds <= ROUNDS_MOST, "rounds")
        _check(0 <= self.minutes <= MINUTES_MOST, "minutes")
        _check(self.length >= 1, "length")


def _check(holds: bool, field: str) -> None:
    if not holds:
        raise BadTournamentTerms(f"no tournament has such {field}", field=field)
