"""Two players compared by theme and phase, with the costliest errors of both as positions."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.names import MAX_LENGTH
from analysis.comparing import (
    ComparedPlayer,
    Rates,
    opponents_of,
    player_compared,
)
from analysis.decisions.curve import curve_variants
from analysis.decisions.filters import OF_DECISION
from analysis.pages.decision_cards import compared_cards
from analysis.pages.decision_facets import value_words
from analysis.pages.numbers import plain
from analysis.sums import ErrorRate
from kit.requests import SignedInRequest

Row = dict[str, Any]

#: a bar is full at this PR.
_BAR_PR = 30.0
_OFFERED = 200


@require_safe
@login_required
@never_cache
def compare(request: SignedInRequest) -> HttpResponse:
    """Compare the reader, or a second player, with a player."""
    variants = [variant for variant, _matches in curve_variants(request.user)]
    asked = request.GET.get("variant", "")
    variant = asked if asked in variants else next(iter(variants), "")
    names = [request.GET.get(each, "").strip()[:80] for each in ("one", "two")]
    context: Row = {
        "variants": variants,
        "variant": variant,
        "names": names,
        "name_length": max(80, MAX_LENGTH),
        "opponents": opponents_of(request.user)[:_OFFERED],
    }
    if variant and names[1]:
        players = [player_compared(request.user, name, variant) for name in names]
        context["missing"] = [
            name for name, player in zip(names, players, strict=True) if player is None
        ]
        known = [each for each in players if each is not None]
        if len(known) == len(players):
            context |= _shown(known)
    return render(request, "analysis/compare.html", context)


def _shown(players: list[ComparedPlayer]) -> Row:
    return {
        "players": [_player(each) for each in players],
        "parts": [
            ("theme", _rows("theme", [each.themes for each in players])),
            ("phase", _rows("phase", [each.phases for each in players])),
        ],
    }


def _player(each: ComparedPlayer) -> Row:
    return {
        "name": each.name,
        "kind": each.kind,
        "matches": each.matches,
        "whole": _side(each.rate),
        "cards": compared_cards(each.errors),
    }


def _rows(facet: str, sides: list[Rates]) -> list[Row]:
    """Each value that one of them has, with the figures of both."""
    return [
        {
            "name": value_words(facet, value),
            "sides": [_side(rates.get(value, ErrorRate())) for rates in sides],
        }
        for value in OF_DECISION[facet]
        if any(value in rates for rates in sides)
    ]


def _side(rate: ErrorRate) -> Row:
    band = rate.band
    return {
        "pr": plain(rate.pr),
        "counted": rate.counted,
        "band": f"{plain(band.low)}–{plain(band.high)}" if band else "",
        "few": band is None,
        "width": round(min(100.0, 100 * (rate.pr or 0.0) / _BAR_PR), 1),
    }
