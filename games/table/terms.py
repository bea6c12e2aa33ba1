"""The terms of a table: what it is played for and by which rules, fixed when it is opened."""

from typing import Final, Literal

import msgspec

from games.prizes.payout import Purse, PurseKind, rake_of
from games.rules.cube import HIGHEST_CAP, CubeRules
from games.rules.match import MatchFormat, exactly, match_to
from games.rules.start import StartRule
from games.rules.variants import by_key
from games.table.errors import BadTerms
from games.table.prices import Prices

Mode = Literal["normal", "prize3", "prize5", "single", "stake", "practice"]
ClockName = Literal["fast", "normal", "slow"]
Contest = Literal["points", "games", "game"]

#: delay per turn and reserve per point of the match, in milliseconds. `normal` is the clock of the
#: United States tournament rules: 12 seconds a turn and two minutes a point.
CLOCKS: Final[dict[str, tuple[int, int]]] = {
    "fast": (8_000, 20_000),
    "normal": (12_000, 120_000),
    "slow": (15_000, 180_000),
}

#: how many points' worth of reserve the modes give that are not played to a number of points.
RESERVE_POINTS: Final = {"prize3": 4, "prize5": 5}
RESERVE_POINTS_OF_A_GAME: Final = 3

#: the modes in which every variant may be played, with the optional rules of unlimited play.
FREE_MODES: Final = frozenset({"normal", "stake", "practice"})

_RATED_POINTS: Final = {"normal": 1, "prize3": 4, "prize5": 5, "single": 2, "stake": 2}


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What both players agreed to by sitting down. Amounts in cents; `stake_cents` is frozen."""

    mode: Mode = "prize5"
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

    @property
    def purse(self) -> Purse:
        """How the stakes are divided when the match ends."""
        rated = _RATED_POINTS.get(self.mode, 0)
        if not self.stake_cents:
            return Purse(PurseKind.NOTHING, rated_points=rated)
        kind = PurseKind.PER_POINT if self.rate_cents else PurseKind.POT
        return Purse(kind, self.stake_cents, self.rate_cents, self.rake_bps, rated)

    @property
    def pot_cents(self) -> int:
        """Both stakes together."""
        return 2 * self.stake_cents

    @property
    def most_won_cents(self) -> int:
        """The most the winner can gain over his own stake, before the rake."""
        return self.stake_cents

    @property
    def rake_cents(self) -> int:
        """The most the house keeps: of the pot, or of the most that can be won by the point."""
        raked = self.stake_cents if self.rate_cents else self.pot_cents
        return rake_of(raked, self.rake_bps)

    @property
    def limit_points(self) -> int | None:
        """How many points reach the limit of a game settled by the point; None without one."""
        return -(-self.stake_cents // self.rate_cents) if self.rate_cents else None

    @property
    def match_format(self) -> MatchFormat:
        """When the match is over."""
        variant = by_key(self.variant)
        if self.contest == "points":
            return match_to(self.target_points, variant, cube=self.has_cube, crawford=self.crawford)
        return exactly(self.games_max, variant)

    @property
    def cube_rules(self) -> CubeRules:
        """What was agreed about the cube."""
        return CubeRules(
            cap=self.cube_cap,
            jacoby=self.jacoby,
            beavers=self.beavers,
            raccoons=self.raccoons,
            auto_doubles_max=self.auto_doubles_max,
            crawford=self.crawford,
            holland=self.holland,
        )

    @property
    def start(self) -> StartRule:
        """Who begins."""
        return StartRule(self.start_rule)


class Wishes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the opener of a table asks for; what a mode does not offer is refused."""

    mode: str
    stake_cents: int = 0
    rate_cents: int = 0
    limit_cents: int = 0
    variant: str = "backgammon"
    has_cube: bool = True
    jacoby: bool = False
    beavers: bool = False
    raccoons: bool = False
    auto_doubles_max: int = 0
    holland: bool = False
    start_rule: str = "opener_alternates"
    clock: str = "normal"
    watchers: bool = True


def terms_of(wishes: Wishes, prices: Prices) -> Terms:
    """The terms the house gives for these wishes. Raises `BadTerms` naming what it does not."""
    makers = {
        "normal": _unstaked,
        "practice": _unstaked,
        "prize3": _prize3,
        "prize5": _prize5,
        "single": _single,
        "stake": _stake,
    }
    if wishes.mode not in makers:
        raise BadTerms(f"there is no mode {wishes.mode!r} (there are: {', '.join(makers)})")
    if wishes.clock not in CLOCKS:
        raise BadTerms(f"there is no clock {wishes.clock!r} (there are: {', '.join(CLOCKS)})")
    try:
        terms = makers[wishes.mode](wishes, prices)
        _check(terms, wishes)
    except ValueError as error:
        raise BadTerms(str(error)) from error
    return msgspec.structs.replace(_with_clock(terms, wishes.clock), watchers=wishes.watchers)


def _prize3(wishes: Wishes, prices: Prices) -> Terms:
    _offered("stake", wishes.stake_cents, prices.prize_stakes_cents)
    return Terms(
        mode="prize3",
        contest="games",
        target_points=0,
        games_max=3,
        stake_cents=wishes.stake_cents,
        rake_bps=prices.rake_bps,
        has_cube=False,
        crawford=False,
    )


def _prize5(wishes: Wishes, prices: Prices) -> Terms:
    _offered("stake", wishes.stake_cents, prices.prize_stakes_cents)
    return Terms(
        mode="prize5",
        stake_cents=wishes.stake_cents,
        rake_bps=prices.rake_bps,
        holland=wishes.holland,
    )


def _single(wishes: Wishes, prices: Prices) -> Terms:
    _offered("rate", wishes.rate_cents, prices.single_rates_cents)
    _offered("limit", wishes.limit_cents, prices.single_limits_cents)
    return _one_game("single", wishes, prices, wishes.rate_cents, wishes.limit_cents)


def _stake(wishes: Wishes, prices: Prices) -> Terms:
    base_cents = wishes.stake_cents
    if not prices.base_stake_cents_min <= base_cents <= prices.base_stake_cents_max:
        raise BadTerms(
            f"a base stake lies between {prices.base_stake_cents_min} and "
            f"{prices.base_stake_cents_max} cents, {base_cents} does not"
        )
    with_cube = wishes.has_cube and by_key(wishes.variant).has_cube
    factor = prices.factor_with_cube if with_cube else prices.factor_without_cube
    return _one_game("stake", wishes, prices, base_cents, factor * base_cents)


def _unstaked(wishes: Wishes, prices: Prices) -> Terms:
    mode: Mode = "practice" if wishes.mode == "practice" else "normal"
    return _one_game(mode, wishes, prices, 0, 0)


def _one_game(
    mode: Mode, wishes: Wishes, prices: Prices, rate_cents: int, limit_cents: int
) -> Terms:
    free = mode in FREE_MODES
    return Terms(
        mode=mode,
        variant=wishes.variant if free else "backgammon",
        contest="game",
        target_points=0,
        games_max=1,
        stake_cents=limit_cents,
        rate_cents=rate_cents,
        rake_bps=prices.rake_bps if limit_cents else 0,
        has_cube=(wishes.has_cube or not free) and by_key(wishes.variant).has_cube,
        crawford=False,
        jacoby=wishes.jacoby and free,
        beavers=wishes.beavers and free,
        raccoons=wishes.raccoons and free,
        auto_doubles_max=wishes.auto_doubles_max if free else 0,
        start_rule=wishes.start_rule if free else "opener_alternates",
    )


def _check(terms: Terms, wishes: Wishes) -> None:
    """Refuse what the mode would silently ignore: nobody sits down to other rules than asked."""
    if terms.variant != wishes.variant:
        raise BadTerms(f"{terms.mode} is played with standard backgammon")
    for rule in ("jacoby", "beavers", "raccoons", "auto_doubles_max", "start_rule", "holland"):
        if getattr(terms, rule) != getattr(wishes, rule):
            raise BadTerms(f"{terms.mode} is not played with the rule {rule!r}")
    if terms.auto_doubles_max and terms.start is not StartRule.ROLL_OFF_USE:
        raise BadTerms("automatic doubles need a roll-off whose numbers are used")
    if terms.start is StartRule.ROLL_OFF_USE and by_key(terms.variant).dice_count != 2:
        raise BadTerms(f"the two numbers of a roll-off are no roll of {terms.variant}")
    if terms.start is StartRule.WINNER_STARTS:
        raise BadTerms("the first game has no winner before it")
    terms.cube_rules.check(is_match=terms.contest != "game")


def _with_clock(terms: Terms, clock: str) -> Terms:
    delay_ms, per_point_ms = CLOCKS[clock]
    points = RESERVE_POINTS.get(terms.mode, RESERVE_POINTS_OF_A_GAME)
    return msgspec.structs.replace(
        terms, clock=clock, delay_ms=delay_ms, reserve_ms=points * per_point_ms
    )


def _offered(name: str, value: int, offered: tuple[int, ...]) -> None:
    if value not in offered:
        known = ", ".join(map(str, offered))
        raise BadTerms(f"a {name} of {value} cents is not offered (offered: {known})")
