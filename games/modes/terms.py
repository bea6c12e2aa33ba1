"""The terms of a table: what it is played for and by which rules, fixed when it is opened."""

from functools import lru_cache
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from backgammon.rules.cube import HIGHEST_CAP, CubeRules
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Options
from games.prizes import rake_of


class UnknownMode(ValueError):
    """No mode has this key."""


class BadWishes(ValueError):
    """A mode does not offer what was wished: `field` is the wish, the text explains it."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


_KINDS: Final = str(Path(__file__).with_name("kinds"))

KEYS: Final[tuple[str, ...]] = tuple(sorted(found.name for found in iter_modules([_KINDS])))

if TYPE_CHECKING:
    ModeKey = str
else:
    ModeKey = Literal[KEYS]  # so decoding refuses any other key, and schemas list them


ClockName = Literal["fast", "normal", "slow", "none"]
Contest = Literal["points", "games", "game", "session"]

#: the contests whose games add up.
MATCHES: Final = ("points", "games")

#: delay per turn and reserve per point of the match, in milliseconds. `normal` is the clock of the
#: United States tournament rules: 12 seconds a turn and two minutes a point.
CLOCKS: Final[dict[str, tuple[int, int]]] = {
    "fast": (8_000, 20_000),
    "normal": (12_000, 120_000),
    "slow": (15_000, 180_000),
}

#: no clock, where a mode offers that: a day for every turn, after which nobody sits there any more.
NO_CLOCK: Final[dict[str, tuple[int, int]]] = {"none": (86_400_000, 0)}


class Terms(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The terms that both players accept. Amounts in cents; `stake_cents` is in escrow.

    `series` is the key of a series of variants, empty for a single one; then `variant` is that of
    the first game. `max_stack` is 0 without the rule. In a session `stake_cents` is the bank of
    each seat, `rate_cents` the base stake and `game_limit_cents` the most one game can cost.
    """

    mode: ModeKey = "prize5"
    variant: str = "backgammon"
    contest: Contest = "points"
    target_points: int = 5
    games_max: int = 0
    stake_cents: int = 250
    rate_cents: int = 0
    rake_bps: int = 1000
    has_cube: bool = True
    cube_cap: int = HIGHEST_CAP
    crawford: bool = True
    holland: bool = False
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    auto_doubles_max: int = 0
    start_rule: str = "opener_alternates"
    clock: ClockName = "normal"
    delay_ms: int = 12_000
    reserve_ms: int = 600_000
    watchers: bool = True
    """Whether anybody but the players may look at the table while it is played."""
    series: str = ""
    max_stack: int = 0
    no_hit_and_run: bool = False
    extra_roll: bool = True
    game_limit_cents: int = 0
    for_prize: bool = False
    """Whether the table is part of an event in which something of value is won or lost."""

    @property
    def has_value(self) -> bool:
        """Return True if anything of value can be won or lost here: a stake, or by the event."""
        return self.stake_cents > 0 or self.for_prize

    @property
    def game_key(self) -> str:
        """The key of the game: the series, or else the variant. Ratings have a pool for each."""
        return self.series or self.variant

    @property
    def is_match(self) -> bool:
        """Whether games add up to a match, so that the rules of unlimited play do not apply."""
        return self.contest in MATCHES

    @property
    def pot_cents(self) -> int:
        """Both stakes together."""
        return 2 * self.stake_cents

    @property
    def rake_cents(self) -> int:
        """The most the house keeps: of the pot, or of the most that can be won by the point."""
        raked = self.stake_cents if self.rate_cents else self.pot_cents
        return rake_of(raked, self.rake_bps)

    @property
    def limit_cents(self) -> int:
        """The most that a game settled by the point can cost: of a bank, or the whole stake."""
        return self.game_limit_cents or self.stake_cents

    @property
    def limit_points(self) -> int | None:
        """`limit_points_of` these terms."""
        return limit_points_of(self)

    @property
    def start(self) -> StartRule:
        """The start rule in force."""
        return StartRule(self.start_rule)


@lru_cache(maxsize=1024)
def shared(terms: Terms) -> Terms:
    """Equal terms as one object; to compare it with itself no field is looked at."""
    return terms


@lru_cache(maxsize=1024)  # each command reads it several times
def limit_points_of(terms: Terms) -> int | None:
    """How many points reach the limit of a game settled by the point; None without one."""
    return -(-terms.limit_cents // terms.rate_cents) if terms.rate_cents else None


@lru_cache(maxsize=1024)  # each command reads it several times
def cube_rules_of(terms: Terms) -> CubeRules:
    """The agreed rules of the cube."""
    return CubeRules(
        cap=terms.cube_cap,
        jacoby=terms.jacoby,
        beavers=terms.beavers,
        raccoons=terms.raccoons,
        auto_doubles_max=terms.auto_doubles_max,
        crawford=terms.crawford,
        holland=terms.holland,
    )


@lru_cache(maxsize=1024)  # each roll and play reads it
def options_of(terms: Terms) -> Options:
    """The agreed optional rules of movement."""
    return Options(
        max_stack=terms.max_stack or None,
        no_hit_and_run=terms.no_hit_and_run,
        extra_roll_on_doubles=terms.extra_roll,
    )


class Wishes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The wishes of a table's opener; a mode refuses what it does not offer.

    None, and 0 for an amount, is no wish: the mode and the variant decide.
    """

    mode: str
    stake_cents: int = 0
    rate_cents: int = 0
    limit_cents: int = 0
    bank_cents: int = 0
    variant: str | None = None
    target_points: int | None = None
    has_cube: bool | None = None
    cube_cap: int | None = None
    crawford: bool | None = None
    holland: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    raccoons: bool | None = None
    auto_doubles_max: int | None = None
    start_rule: str | None = None
    max_stack: int | None = None
    no_hit_and_run: bool | None = None
    extra_roll: bool | None = None
    clock: str | None = None
    watchers: bool = True
