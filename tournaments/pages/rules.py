"""How tournaments work, for players."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.pages.words import BRACKETS, BYES, EXPLAINED
from tournaments.pools import USUAL_SHARES
from tournaments.services.naming import FORMATS
from tournaments.services.running import GRACE


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show formats, calls, fees and prizes, and how a draw is checked."""
    context = {
        "formats": [
            (FORMATS[key], [EXPLAINED[key], *([BYES] if key in BRACKETS else [])])
            for key in FORMATS
        ],
        "grace_minutes": int(GRACE.total_seconds()) // 60,
        "shares": [(size, [share / 100 for share in shares]) for size, shares in USUAL_SHARES],
    }
    return render(request, "tournaments/rules.html", context)
