"""Pages that belong to no app: the front door, the rules, and the choice of a theme."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from games.table.terms import CLOCKS, PRIZE_STAKES_CENTS, prize5

THEMES = ("nussbaum", "ahorn", "kontrast")
THEME_COOKIE = "theme"
YEAR_SECONDS = 365 * 24 * 60 * 60
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
        """The share of matches one must win to lose nothing: stake over prize, to a tenth."""
        share = Decimal(100 * self.stake_cents) / self.winner_cents
        return share.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)


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
            "prices": [_price(stake) for stake in PRIZE_STAKES_CENTS],
            "example": _price(EXAMPLE_STAKE_CENTS),
            "clocks": [_clock(name) for name in CLOCKS],
        },
    )


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme the reader chose in a cookie and go back to where the reader was."""
    response = HttpResponseRedirect(_back(request))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            THEME_COOKIE,
            chosen,
            max_age=YEAR_SECONDS,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


def _price(stake_cents: int) -> Price:
    """Return what a prize match at this stake costs and pays."""
    terms = prize5(stake_cents=stake_cents)
    return Price(terms.stake_cents, terms.pot_cents, terms.rake_cents)


def _clock(name: str) -> ClockRow:
    """Return one clock as a reader counts it: seconds a turn, minutes for the match."""
    terms = prize5(stake_cents=EXAMPLE_STAKE_CENTS, clock=name)
    minutes, seconds = divmod(terms.reserve_ms // 1000, 60)
    return ClockRow(name, terms.delay_ms // 1000, f"{minutes}:{seconds:02d}")


def _back(request: HttpRequest) -> str:
    """Return the address in the form's `next` when it is one of ours, else the front door."""
    address = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return "/"
