"""The pages about the dice: how they work, checking a record, and what the nightly count found."""

from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Max
from django.db.models.functions import TruncDate
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from backgammon.dice import statistics
from games.models import DiceLogEntry, DiceStatistics
from games.pages.archive import match_seen
from games.selectors import table_get
from games.services.dice.keys import public_key
from games.services.dice.records import envelope, match_record
from games.services.dice.statistics import PLAYER_ROLLS_MIN, statistics_latest
from kit.requests import SignedInRequest

DAYS_A_PAGE: Final = 30
LINES_MAX: Final = 10_000
NUMBER_DIGITS: Final = 18

FACES: Final = range(1, statistics.FACES + 1)

#: the description of each test of the nightly count, in the order of the page.
TESTS: Final = {
    "cells": gettext_lazy("Are all 36 rolls equally frequent?"),
    "faces": gettext_lazy("Are all six faces equally frequent?"),
    "doubles": gettext_lazy("Is one roll in six a double?"),
    "pairs": gettext_lazy("Does a roll depend on the one before it?"),
}


@require_safe
def fair(request: HttpRequest) -> HttpResponse:
    """How the dice work, for players; with the house's key and the end of the public log."""
    last = DiceLogEntry.objects.order_by("-number").first()
    context = {"public_key": public_key().hex(), "log_end": last and _log_entry(last)}
    return render(request, "games/fair.html", context)


def _log_entry(entry: DiceLogEntry) -> dict[str, Any]:
    return {"number": entry.number, "hash": bytes(entry.hash).hex(), "at": entry.logged_at}


@require_safe
def fair_log(request: HttpRequest) -> HttpResponse:
    """The public log of openings: the last hash of each day, the newest first."""
    counted = (
        DiceLogEntry.objects.annotate(day=TruncDate("logged_at"))
        .values("day")
        .annotate(openings=Count("number"), number=Max("number"))
        .order_by("-day")
    )
    page = Paginator(counted, DAYS_A_PAGE).get_page(request.GET.get("page"))
    ends = DiceLogEntry.objects.in_bulk([day["number"] for day in page])
    days = [{**day, "root": bytes(ends[day["number"]].hash).hex()} for day in page]
    return render(request, "games/fair_log.html", {"page": page, "days": days})


@require_safe
def fair_log_file(request: HttpRequest) -> HttpResponse:
    """Entries of the log after number `after` as lines: number, opening hash, entry hash, time.

    There are 10,000 of them at most; a shorter file is the end of the log.
    """
    after = request.GET.get("after", "0")
    first = int(after) if after.isascii() and after.isdigit() and len(after) < NUMBER_DIGITS else 0
    entries = DiceLogEntry.objects.filter(number__gt=first).order_by("number")[:LINES_MAX]
    lines = [
        f"{entry.number} {bytes(entry.open_hash).hex()} {bytes(entry.hash).hex()} "
        f"{entry.logged_at:%Y-%m-%dT%H:%M:%SZ}\n"
        for entry in entries
    ]
    response = HttpResponse("".join(lines), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="dice-log-after-{first}.txt"'
    return response


@require_safe
def fair_check(request: HttpRequest) -> HttpResponse:
    """Check a record; the browser does it, and nothing is sent here."""
    context = {"public_key": public_key().hex()}
    return render(request, "games/fair_check.html", context)


@require_safe
def fair_dice(request: HttpRequest) -> HttpResponse:
    """The statistics of all dice of the house, as of the last nightly count."""
    counted = statistics_latest()
    context: dict[str, Any] = {"counted": counted, "rolls_min": PLAYER_ROLLS_MIN}
    if counted is not None:
        context |= _counts(counted)
    return render(request, "games/fair_dice.html", context)


def _counts(counted: DiceStatistics) -> dict[str, Any]:
    """A count as its page shows it."""
    rolls = sum(counted.cells)
    return {
        "rolls": rolls,
        "faces": FACES,
        "rows": [(one, [_cell(counted.cells, one, two) for two in FACES]) for one in FACES],
        "doubles": statistics.doubles_count(counted.cells),
        "doubles_percent": _percent(statistics.doubles_count(counted.cells), rolls),
        "expected_percent": Decimal("16.67"),
        "tests": [
            {"question": question, **finding, "odd": finding["p"] < statistics.ALARM_BELOW}
            if (finding := counted.findings[name])
            else {"question": question}
            for name, question in TESTS.items()
        ],
        "pips_mean": Decimal(statistics.PIPS_MEAN).quantize(Decimal("0.01")),
        "lists": [
            {"title": _("The luckiest"), "players": _players(counted.players["lucky"])},
            {"title": _("The unluckiest"), "players": _players(counted.players["unlucky"])},
        ],
    }


def _cell(cells: list[int], one: int, two: int) -> dict[str, Any] | None:
    """One of the 21 rolls, both orders together; None below the diagonal."""
    if two < one:
        return None
    total = sum(cells)
    count = cells[statistics.cell_of(one, two)]
    share = Decimal(1)
    if one != two:
        count += cells[statistics.cell_of(two, one)]
        share = Decimal(2)
    return {
        "dice": f"{one}-{two}",
        "count": count,
        "percent": _percent(count, total),
        "expected_percent": (100 * share / statistics.CELLS).quantize(Decimal("0.01")),
        "is_double": one == two,
    }


def _percent(part: int, whole: int) -> Decimal:
    """A share of a hundred to two places; 0 of nothing."""
    return (Decimal(100 * part) / max(whole, 1)).quantize(Decimal("0.01"))


def _players(players: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The players of a list with the pips that they threw a roll."""
    return [
        {**player, "mean": (Decimal(player["pips"]) / player["rolls"]).quantize(Decimal("0.01"))}
        for player in players
    ]


@require_safe
def match_dice(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The record of a match's dice, for people who may see the match."""
    match = match_seen(request, match_id)
    return _file(match_record(match), f"dice-{match.pk}.json")


@require_safe
@login_required
def dice_envelope(request: SignedInRequest, table_id: UUID) -> HttpResponse:
    """The house's secrets of the next game, encrypted, for the players at the table.

    The envelope exists until the first roll of that game.
    """
    table = table_get(table_id)
    sealed = None if table is None else envelope(table, request.user.pk)
    if sealed is None:
        raise Http404
    return _file(sealed, f"envelope-{sealed['game']}.json")


def _file(told: dict[str, object], name: str) -> JsonResponse:
    response = JsonResponse(told, json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
