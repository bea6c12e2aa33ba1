"""The events of a tournament. Its journal is their list; nothing in it ever changes."""

from enum import StrEnum
from typing import Final

from kit.events import TimedEvent

#: the version of the rules of ranks, which an end names.
RANKS_VERSION: Final = 2


class How(StrEnum):
    """How a pairing got its result."""

    PLAYED = "played"
    NO_SHOW = "no_show"
    WITHDRAWN = "withdrawn"
    ADJUDICATED = "adjudicated"


class Entered(TimedEvent, frozen=True, tag="entered"):
    """A player entered."""

    player: int


class Withdrew(TimedEvent, frozen=True, tag="withdrew"):
    """A player withdrew: before the draw they are out, after it they lose what comes."""

    player: int


class Drawn(TimedEvent, frozen=True, tag="drawn"):
    """Registration closed. `seed` (hex) decides every draw; `order` is the first of them."""

    seed: str
    order: tuple[int, ...]


class Paired(TimedEvent, frozen=True, tag="paired"):
    """Two players meet. `place` says where in the format: ``main/1/3`` is a node of a bracket."""

    number: int
    place: str
    players: tuple[int, int]


class Sat(TimedEvent, frozen=True, tag="sat_out"):
    """A player has no opponent in this round, which counts as a win (a bye)."""

    place: str
    player: int


class Decided(TimedEvent, frozen=True, tag="decided"):
    """A pairing has its result."""

    number: int
    winner: int
    how: How = How.PLAYED
    director: int | None = None
    """Who awarded it, where nobody played."""


class Corrected(TimedEvent, frozen=True, tag="corrected"):
    """A result was corrected; the `undone` pairings, which nobody had decided, are gone."""

    number: int
    winner: int
    reason: str
    undone: tuple[int, ...] = ()
    director: int | None = None


class Ended(TimedEvent, frozen=True, tag="ended"):
    """The tournament is over. `ranks` are groups of equal players, the best first.

    They are by this `version` of the rules of ranks.
    """

    ranks: tuple[tuple[int, ...], ...]
    version: int


class CalledOff(TimedEvent, frozen=True, tag="called_off"):
    """The tournament does not take place: everything goes back."""

    reason: str
    director: int | None = None


AnyEvent = (
    Entered | Withdrew | Drawn | Paired | Sat | Decided | Corrected | Ended | CalledOff
)  # fmt: skip
