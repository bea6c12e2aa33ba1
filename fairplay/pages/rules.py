"""The page of fair play for everybody: rules, how detection works in outline, figures."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.login_marks import KEPT as MARKS_KEPT
from fairplay.clearing import LONGEST, SMALL_CENTS
from fairplay.ladder import HEALS, STEPS, WINDOW
from fairplay.pages.words import SANCTIONS
from fairplay.procedure import APPEAL, HEARING, HOLD, QUEUE
from fairplay.public import months
from fairplay.refunds import CHECKS_KEPT, CONDUCT_KEPT


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show what is not allowed, what follows, how a case is decided, and the months in figures."""
    context = {
        "sanctions": list(SANCTIONS.values())[1:],
        "hold_hours": HOLD // timedelta(hours=1),
        "small_cents": SMALL_CENTS,
        "wait_hours": LONGEST // timedelta(hours=1),
        "queue_days": QUEUE.days,
        "appeal_days": APPEAL.days,
        "hearing_days": HEARING.days,
        "steps_minutes": [step // timedelta(minutes=1) for step in STEPS[1:]],
        "window": WINDOW,
        "heals": HEALS,
        "conduct_days": CONDUCT_KEPT.days,
        "checks_days": CHECKS_KEPT.days,
        "marks_days": MARKS_KEPT.days,
        "months": months(),
    }
    return render(request, "fairplay/rules.html", context)
