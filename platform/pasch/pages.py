"""Pages that belong to no app: the front door and the rules."""

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.prizes.payout import break_even_percent
from games.selectors import prices, terms_offered
from games.table.terms import CLOCKS

EXAMPLE_STAKE_CENTS = 250


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


@dataclass(frozen=True, slots=True)
class ClockRow:
    """One clock of the house, for the rules page."""

    name: str
    delay_seconds: int
    reserve_minutes: str


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what the house is to somebody who has never been here."""
    return render(
        request,
        "pasch/home.html",
        {
            "example": _price(EXAMPLE_STAKE_CENTS),
            "rake_percent": _rake_percent(),
            "welcome_cents": settings.LEDGER_WELCOME_CENTS,
        },
    )


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show what is played for and every ending with what it pays; needs no login."""
    return render(
        request,
        "pasch/rules.html",
        {
            "prices": [_price(stake) for stake in prices().prize_stakes_cents],
            "example": _price(EXAMPLE_STAKE_CENTS),
            "rake_percent": _rake_percent(),
            "clocks": [_clock(name) for name in CLOCKS],
        },
    )


def _rake_percent() -> Decimal:
    """What the house keeps of a pot, in percent, without needless zeros."""
    percent = Decimal(prices().rake_bps) / 100
    return percent.quantize(Decimal(1)) if percent == percent.to_integral() else percent


def _price(stake_cents: int) -> Price:
    """Return what a prize match at this stake costs and pays."""
    terms = terms_offered(mode="prize5", stake_cents=stake_cents)
    return Price(terms.stake_cents, terms.pot_cents, terms.rake_cents)


def _clock(name: str) -> ClockRow:
    """Return one clock as a reader counts it: seconds a turn, minutes for the match."""
    terms = terms_offered(mode="prize5", stake_cents=EXAMPLE_STAKE_CENTS, clock=name)
    minutes, seconds = divmod(terms.reserve_ms // 1000, 60)
    return ClockRow(name, terms.delay_ms // 1000, f"{minutes}:{seconds:02d}")
