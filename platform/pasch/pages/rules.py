"""The rules: what is played for, how it can end, and what each ending pays."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.forms.tables import base_cents_usual
from games.pages.words import terms_facts
from games.prizes.payout import Ending, Payout, Result, break_even_percent, payout
from games.selectors import prices, prices_read_once, terms_offered
from games.table.terms import CLOCKS, Terms


@dataclass(frozen=True, slots=True)
class Price:
    """What one stake costs and pays in a prize match, in cents."""

    stake_cents: int
    pot_cents: int
    rake_cents: int

    @property
    def winner_cents(self) -> int:
        """What the winner receives: the pot without the rake."""
        return self.pot_cents - self.rake_cents

    @property
    def break_even_percent(self) -> Decimal:
        """The share of matches one must win to lose nothing, to a tenth."""
        return break_even_percent(prices().rake_bps)


#: how many points the example of each ending in the table of endings is worth.
ENDING_POINTS: Final = {
    Ending.BORNE_OFF: 1,
    Ending.DOUBLE_DROPPED: 1,
    Ending.RESIGNED: 2,
    Ending.LEFT: 3,
    Ending.TIME_OVER: 3,
    Ending.ABSENT: 3,
    Ending.ADJUDICATED: 1,
    Ending.STOOD_UP: 0,
    Ending.VOIDED: 0,
}


@dataclass(frozen=True, slots=True)
class EndingRow:
    """What one ending pays in an example of each kind of mode: a pot and a game by the point."""

    ending: str
    points: int
    pot: Payout
    by_point: Payout


@dataclass(frozen=True, slots=True)
class ClockRow:
    """One clock of the house, for the rules page."""

    name: str
    delay_seconds: int
    reserve_minutes: str


@require_safe
@prices_read_once()
def rules(request: HttpRequest) -> HttpResponse:
    """Show what is played for and every ending with what it pays; needs no login."""
    return render(
        request,
        "pasch/rules.html",
        {
            "prices": [price_of(stake) for stake in prices().prize_stakes_cents],
            "ties": [_facts(mode="prize3", stake_cents=c) for c in prices().prize_stakes_cents],
            "singles": [
                _facts(mode="single", rate_cents=rate, limit_cents=limit)
                for rate in prices().single_rates_cents
                for limit in prices().single_limits_cents
            ],
            "stakes": [
                _facts(mode="stake", stake_cents=base_cents_usual(prices()), has_cube=has_cube)
                for has_cube in (False, True)
            ],
            "endings": [_ending(ending, points) for ending, points in ENDING_POINTS.items()],
            "ending_terms": {"pot": _facts_of(_pot_example()), "by_point": _facts_of(_example())},
            "house_prices": prices(),
            "example": price_of(prices().prize_stakes_cents[0]),
            "rake_percent": rake_percent(),
            "clocks": [_clock(name) for name in CLOCKS],
        },
    )


def rake_percent() -> Decimal:
    """What the house keeps of a pot, in percent, without needless zeros."""
    percent = Decimal(prices().rake_bps) / 100
    return percent.quantize(Decimal(1)) if percent == percent.to_integral() else percent


def _facts(**wishes: object) -> dict[str, Any]:
    """What a table on these wishes costs and pays."""
    return _facts_of(terms_offered(**wishes))


def _facts_of(terms: Terms) -> dict[str, Any]:
    return {**terms_facts(terms), "has_cube": terms.has_cube}


def _pot_example() -> Terms:
    return terms_offered(mode="prize5", stake_cents=prices().prize_stakes_cents[0])


def _example() -> Terms:
    house = prices()
    rate_cents, limit_cents = house.single_rates_cents[0], house.single_limits_cents[0]
    return terms_offered(mode="single", rate_cents=rate_cents, limit_cents=limit_cents)


def _ending(ending: Ending, points: int) -> EndingRow:
    """What an ending pays, by the function that pays it."""
    result = Result(0 if points else None, ending, points)
    pot, by_point = payout(_pot_example().purse, result), payout(_example().purse, result)
    return EndingRow(ending.value, points, pot, by_point)


def price_of(stake_cents: int) -> Price:
    """Return what a prize match at this stake costs and pays."""
    terms = terms_offered(mode="prize5", stake_cents=stake_cents)
    return Price(terms.stake_cents, terms.pot_cents, terms.rake_cents)


def _clock(name: str) -> ClockRow:
    """Return one clock as a reader counts it: seconds a turn, minutes for the match."""
    terms = terms_offered(mode="prize5", stake_cents=prices().prize_stakes_cents[0], clock=name)
    minutes, seconds = divmod(terms.reserve_ms // 1000, 60)
    return ClockRow(name, terms.delay_ms // 1000, f"{minutes}:{seconds:02d}")
