"""Pages that belong to no app: the front door, the rules, how fairness works, and the choice of a theme."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

THEMES = ("nussbaum", "ahorn", "kontrast")
THEME_COOKIE = "theme"
YEAR_SECONDS = 365 * 24 * 60 * 60


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what the house is to somebody who has never been here."""
    return render(request, "pasch/home.html")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show every mode, every ending and what it pays; needs no login."""
    return render(request, "pasch/rules.html")


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """Explain how a player can check every roll; needs no login."""
    return render(request, "pasch/fairness.html")


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


def _back(request: HttpRequest) -> str:
    """Return the address in the form's `next` when it is one of ours, else the front door."""
    address = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return "/"
