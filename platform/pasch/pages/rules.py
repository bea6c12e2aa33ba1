"""The rules: what is played for, how it can end, and what each ending pays."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.forms.names import MODE_NAMES
from games.modes.mode import Mode
from games.modes.prices import FIGURES, Prices
from games.modes.registry import OPENED, mode_of
from games.modes.terms import CLOCKS, Terms
from games.pages.words import Facts, terms_facts
from games.prizes.payout import Ending, Payout, Result, break_even_percent, payout
from games.selectors import prices, prices_read_once, terms_offered
from ledger.templatetags.credits import credits_text


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
class ModeRow:
    """A mode on the rules page: how it is played, and examples of what it pays."""

    key: str
    name: str
    rules: str
    label: str
    examples: list[Facts]
    remark: str

    @property
    def kind(self) -> str:
        """How the examples pay: "pot" or "points"; empty without any."""
        return str(self.examples[0]["kind"]) if self.examples else ""

    @property
    def has_ties(self) -> bool:
        """Whether a match can end in a tie that divides the pot."""
        return any(facts["tie_cents"] is not None for facts in self.examples)

    @property
    def cube_differs(self) -> bool:
        """Whether some examples are played with the cube and some without."""
        return len({facts["has_cube"] for facts in self.examples}) > 1


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
            "modes": [_mode_row(mode) for mode in OPENED],
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


def _mode_row(mode: Mode) -> ModeRow:
    """A mode in words, with what its examples cost and pay."""
    examples = mode.examples(prices()) if mode.examples_label else ()
    figures = figures_in_text(prices())
    return ModeRow(
        mode.key,
        str(MODE_NAMES[mode.key]),
        " ".join(_(sentence) % figures for sentence in mode.rules),
        _(mode.examples_label) if examples else "",
        [_facts_of(terms_offered(mode=mode.key, **wishes)) for wishes in examples],
        _(mode.remark) if mode.remark else "",
    )


def figures_in_text(house: Prices) -> dict[str, str]:
    """The single figures of the house as a sentence has them, by name."""
    return {
        figure.name: credits_text(value) if figure.unit == "cents" else str(value)
        for figure in FIGURES
        if isinstance(value := getattr(house, figure.name), int)
    }


def _facts_of(terms: Terms) -> Facts:
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
    pot, by_point = (_paid(terms, result) for terms in (_pot_example(), _example()))
    return EndingRow(ending.value, points, pot, by_point)


def _paid(terms: Terms, result: Result) -> Payout:
    return payout(mode_of(terms).purse(terms), result)


def price_of(stake_cents: int) -> Price:
    """Return what a prize match at this stake costs and pays."""
    terms = terms_offered(mode="prize5", stake_cents=stake_cents)
    return Price(terms.stake_cents, terms.pot_cents, terms.rake_cents)


def _clock(name: str) -> ClockRow:
    """Return one clock as a reader counts it: seconds a turn, minutes for the match."""
    terms = terms_offered(mode="prize5", stake_cents=prices().prize_stakes_cents[0], clock=name)
    minutes, seconds = divmod(terms.reserve_ms // 1000, 60)
    return ClockRow(name, terms.delay_ms // 1000, f"{minutes}:{seconds:02d}")
