"""The rules of the chouette, for players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.chouette.engine.terms import PEOPLE_LEAST, PEOPLE_MOST
from games.chouette.pace import BANK_MS, CUBE_MS, DELAY_MS, PAUSE_MS
from games.chouette.services.playing import GONE_SECONDS
from games.selectors import prices


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show who plays against whom, the cubes, the rotation, time, credits and dice."""
    context = {
        "least": PEOPLE_LEAST,
        "most": PEOPLE_MOST,
        "cube_seconds": CUBE_MS // 1000,
        "delay_seconds": DELAY_MS // 1000,
        "bank_minutes": BANK_MS // 60_000,
        "pause_seconds": PAUSE_MS // 1000,
        "gone_minutes": GONE_SECONDS // 60,
        "rake_percent": prices().rake_bps / 100,
    }
    return render(request, "chouette/rules.html", context)
