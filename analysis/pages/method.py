"""How the figures of a report are calculated, with their sources."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.pages.card import mark_limits
from analysis.pages.numbers import plain
from analysis.pages.summary import grade_words
from backgammon.counting.figures import CLASS_LEAST, CLASSES, LAST_CLASS


@require_safe
def method(request: HttpRequest) -> HttpResponse:
    """Figures, limits and formulas."""
    classes = [(grade_words(name), plain(below)) for below, name in CLASSES]
    context = {
        "marks": mark_limits(),
        "classes": classes,
        "last_class": grade_words(LAST_CLASS),
        "last_from": plain(CLASSES[-1][0]),
        "class_least": CLASS_LEAST,
    }
    return render(request, "analysis/method.html", context)
