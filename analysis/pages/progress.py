"""The progress of a player over the months, as far as the reader may see the analyses."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.selectors import person_formerly, person_named
from analysis.pages.exercise_words import theme_words
from analysis.pages.form import form_row, form_shown, train_address
from analysis.pages.numbers import percent, plain, signed
from analysis.pages.progress_chart import luck_chart, rate_chart
from analysis.progress import (
    MATCHES_MAX,
    OfTheme,
    Progress,
    ProgressAsked,
    ProgressMonth,
    kinds_of,
    progress_of,
)

Row = dict[str, Any]


@require_safe
@never_cache
def progress(request: HttpRequest, username: str) -> HttpResponse:
    """PR and luck by month, and PR by theme, in one variant."""
    person = _person(username)
    if person.get_username() != username:
        return redirect("player_progress", person.get_username())
    asked = ProgressAsked(person, request.user)
    analysed = asked.latest(MATCHES_MAX)
    kinds = kinds_of(analysed)
    context: Row = {"person": person, "own": asked.is_own, "kinds": kinds}
    if kinds:
        wanted = request.GET.get("variant", "")
        variant = wanted if wanted in {each.variant for each in kinds} else kinds[0].variant
        found, form = progress_of(analysed, variant, timezone.now())
        context |= _shown(found) | {"variant": variant}
        context["form"] = form and form_shown(form, own=asked.is_own)
    return render(request, "analysis/progress.html", context)


def _person(username: str) -> User:
    """The person of this name, now or before."""
    person = person_named(username) or person_formerly(username)
    if person is None:
        raise Http404
    return person


def _shown(found: Progress) -> Row:
    lucks = [(month, month.luck) for month in found.months if month.luck is not None]
    in_points = [
        (month, month.luck_points) for month in found.months if month.luck_points is not None
    ]
    return {
        "months": [_month(month) for month in reversed(found.months)],
        "has_points": bool(in_points),
        "has_matches": bool(lucks),
        "parts": [
            form_row(_("All"), found.rate),
            form_row(_("Plays"), found.plays),
            form_row(_("Cube"), found.cube),
        ],
        "themes": [_theme(each) for each in found.themes],
        "rates": rate_chart(found.months),
        "lucks": luck_chart(lucks),
        "lucks_points": luck_chart(in_points),
        "engines": [" ".join(each) for each in found.engines],
    }


def _month(month: ProgressMonth) -> Row:
    return {
        "day": month.day,
        "matches": month.matches,
        "row": form_row("", month.rate),
        "few": month.rate.band is None,
        "plays": plain(month.plays.pr),
        "cube": plain(month.cube.pr),
        "luck": signed(month.luck, 2),
        "luck_points": signed(month.luck_points, 2),
    }


def _theme(each: OfTheme) -> Row:
    return {
        "row": form_row(theme_words(each.theme), each.rate),
        "share": percent(each.share, 0),
        "width": round(100 * each.share, 1),
        "train": train_address(each.theme),
    }
