"""The terms of a table: what it is played for, and how long one may think. Fixed at its opening."""

from typing import Final, Literal

import msgspec

from games.table.errors import BadTerms

Mode = Literal["prize5"]
ClockName = Literal["fast", "normal", "slow"]

#: delay per turn and reserve per point of the match, in milliseconds. `normal` is the clock of the
#: United States tournament rules: 12 seconds a turn and two minutes a point.
CLOCKS: Final[dict[str, tuple[int, int]]] = {
    "fast": (8_000, 20_000),
    "normal": (12_000, 120_000),
    "slow": (15_000, 180_000),
}

#: stakes per seat, in cents, that the house offers in the modes with a fixed prize.
PRIZE_STAKES_CENTS: Final = (250, 500)


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What both players agreed to by sitting down."""

    mode: Mode = "prize5"
    variant: str = "backgammon"
    stake_cents: int = 250
    rake_bps: int = 1000
    target_points: int = 5
    has_cube: bool = True
    crawford: bool = True
    clock: ClockName = "normal"
    delay_ms: int = 12_000
    reserve_ms: int = 600_000

    @property
    def pot_cents(self) -> int:
        """Both stakes together."""
        return 2 * self.stake_cents

    @property
    def rake_cents(self) -> int:
        """What the house keeps of the pot, rounded down to the cent."""
        return self.pot_cents * self.rake_bps // 10_000


def prize5(
    *,
    stake_cents: int,
    clock: ClockName = "normal",
    rake_bps: int = 1000,
    stakes_cents: tuple[int, ...] = PRIZE_STAKES_CENTS,
) -> Terms:
    """The terms of a match to five points with cube and Crawford rule.

    Raises `BadTerms` for a stake or a clock the house does not offer.
    """
    if stake_cents not in stakes_cents:
        offered = ", ".join(str(stake) for stake in stakes_cents)
        raise BadTerms(f"a stake of {stake_cents} cents is not offered (offered: {offered})")
    if clock not in CLOCKS:
        raise BadTerms(f"there is no clock {clock!r} (there are: {', '.join(CLOCKS)})")
    delay_ms, per_point_ms = CLOCKS[clock]
    return Terms(
        mode="prize5",
        stake_cents=stake_cents,
        rake_bps=rake_bps,
        target_points=5,
        clock=clock,
        delay_ms=delay_ms,
        reserve_ms=5 * per_point_ms,
    )
