"""The report of a match: how well it was played, decision by decision."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import person_of
from analysis.access import may_read
from analysis.mistakes import mistakes_of
from analysis.models import ImportedMatch, Report
from analysis.pages.card import CardPlace, card
from analysis.pages.chart import chart, is_joker
from analysis.pages.numbers import of_result, plain
from analysis.pages.report_decisions import ReportDecision, decision_of, decisions_of, neighbours
from analysis.pages.reported import POST, ReportedMatch, brought, played
from analysis.pages.summary import player_figures, verdict
from analysis.pages.words import mark_words, opinion_words, option_words, rolled_words
from analysis.queue import RequestRefused, requests_left
from analysis.queue import request as request_analysis
from analysis.report_state import newest_report, standing
from analysis.stored import depth_words
from backgammon.analysis.depths import Depth
from backgammon.counting.decisions import commented
from backgammon.counting.match_post import match_post
from backgammon.engines.nets import Nets
from backgammon.formats.errors import UnsupportedRecord
from backgammon.formats.mat import format_mat
from backgammon.formats.ogxm import format_ogxm
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import written_by_key
from backgammon.formats.sgf import format_sgf
from games.pages.archive import match_or_404
from kit.requests import SignedInRequest
from kit.sentences import sentence

#: lists show so many rows; the others are behind a fold.
JOKERS_MOST: Final = 12


@require_safe
def report(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The report of a match; `d` names a decision, `part` a piece of the page for a script."""
    match, reader = match_or_404(match_id), person_of(request)
    if reader not in match.players and not may_read(match, request.user):
        return render(request, "analysis/private.html", {"match": match}, status=403)
    return _page(request, played(match, reader))


@require_safe
@never_cache
def imported_report(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The report of a match that its reader brought; nobody else learns that it is there."""
    return _page(request, brought(_own_or_404(match_id, request)))


@require_safe
@never_cache
def shared_report(request: HttpRequest, share_key: UUID) -> HttpResponse:
    """The report of a match from elsewhere for whoever has the link."""
    response = _page(request, brought(_shared_or_404(share_key), shared=True))
    response["X-Robots-Tag"] = "noindex"
    return response


def _own_or_404(match_id: UUID, request: HttpRequest) -> ImportedMatch:
    return get_object_or_404(_imported(), pk=match_id, person=request.user.pk)


def _shared_or_404(share_key: UUID) -> ImportedMatch:
    return get_object_or_404(_imported(), share_key=share_key)


def _imported() -> QuerySet[ImportedMatch]:
    return ImportedMatch.objects.select_related("transcript")


def _page(request: HttpRequest, match: ReportedMatch) -> HttpResponse:
    found = newest_report(match.subject)
    if request.GET.get("part") == "standing":
        return JsonResponse(_standing_told(match, found))
    if request.GET.get("part") == "mistakes":
        return JsonResponse(_mistakes(match, found))
    rows = decisions_of(found) if found else []
    if not rows:
        return render(request, "analysis/report_waiting.html", _head(request, match, found))
    context = _decision(request, match, rows)
    if request.GET.get("part") == "decision":
        return render(request, "analysis/decision.html", context)
    assert found is not None
    context |= _head(request, match, found) | _whole(request, match, found, rows)
    return render(request, "analysis/report.html", context)


def _head(request: HttpRequest, match: ReportedMatch, found: Report | None) -> dict[str, Any]:
    """The values of the page about the match and the state of its analysis.

    Without a report the first look is what the reader waits for.
    """
    may_ask = match.seat is not None and bool(match.ask_url) and request.user.is_authenticated
    left = requests_left(request.user) if may_ask and request.user.is_authenticated else 0
    full, deep = standing(match.subject, "full"), standing(match.subject, "deep")
    quick = standing(match.subject, "quick") if found is None else None
    if quick is not None and quick.state in ("queued", "working"):
        full = quick
    return {
        "match": match,
        "report": found,
        "by_nets": found is not None and found.engine == Nets.name,
        "full": full,
        "deep": deep,
        "waits": any(each.state in ("queued", "working") for each in (full, deep)),
        "is_player": may_ask,
        "requests_left": left,
        "may_ask_deep": may_ask and left > 0 and deep.state == "unasked",
        "kept_back": match.kept_back,
    }


def _standing_told(match: ReportedMatch, found: Report | None) -> dict[str, Any]:
    """The state that the page's script waits for: it loads the page anew when this has changed."""
    states = [standing(match.subject, depth) for depth in ("quick", "full", "deep")]
    return {
        "depth": found.depth if found else "",
        "states": [[each.state, each.place, each.workers] for each in states[1:]],
        "percent": next((each.percent for each in states if each.percent is not None), None),
    }


def _mistakes(match: ReportedMatch, found: Report | None) -> dict[str, Any]:
    """Return how many mistakes the reader made, their PR, and where the costliest one stands.

    While no report is there, `state` says how far the first look is.
    """
    if found is None or match.seat is None:
        return {"state": standing(match.subject, "quick").state}
    made = mistakes_of(found, match.seat)
    return {
        "state": "done",
        "mistakes": made.count,
        "pr": "" if made.pr is None else plain(made.pr, 1),
        "worst": "" if made.worst is None else decision_of(made.worst).key,
    }


def _place(request: HttpRequest, match: ReportedMatch, rows: list[ReportDecision]) -> CardPlace:
    near = match.seat or 0
    if request.GET.get("flip") == "1":
        near = 1 - near
    return CardPlace(
        variant=match.variant,
        has_cube=match.has_cube,
        names=match.names,
        near=near,
        points=_in_points(rows),
    )


def _in_points(rows: list[ReportDecision]) -> bool:
    """Whether results are points: in unlimited play, where a loss is less than nought."""
    span = rows[0].line.get("span")
    return span is not None and span[0] < 0


def _decision(
    request: HttpRequest, match: ReportedMatch, rows: list[ReportDecision]
) -> dict[str, Any]:
    """One decision: the one in the address, else the first error, else the first of all."""
    keys = [row.key for row in rows]
    errors = [row.key for row in rows if row.mark]
    asked = request.GET.get("d", "")
    key = asked if asked in keys else (errors or keys)[0]
    row = rows[keys.index(key)]
    place = _place(request, match, rows)
    names = place.names
    return {
        "match": match,
        "card": card(row, place),
        "around": neighbours(keys, errors, key),
        "flip": request.GET.get("flip") == "1",
        "near_name": names[place.near],
        "far_name": names[1 - place.near],
        "mover_near": row.on_roll == place.near,
        "score": row.score,
    }


def _whole(
    request: HttpRequest, match: ReportedMatch, found: Report, rows: list[ReportDecision]
) -> dict[str, Any]:
    place = _place(request, match, rows)
    seats = (place.near, 1 - place.near)
    drawn = chart(
        rows,
        place.near,
        place.names,
        points=place.points,
    )
    jokers = [row for row in rows if is_joker(row, points=place.points)]
    return {
        "said": []
        if found.depth == "quick"
        else verdict(found.figures, place.names, points=place.points),
        "figures": [
            player_figures(match, found.figures, rows, seat, points=place.points) for seat in seats
        ],
        "counted": sum(line["counted"] for line in found.figures),
        "in_points": place.points,
        "chart": drawn,
        "chart_points": [] if drawn is None else drawn.points,
        "lists": [
            {
                "name": place.names[seat],
                "own": match.seat == seat,
                "rows": _listed(rows, seat, ("??", "?"), place),
                "doubtful": _listed(rows, seat, ("?!",), place),
                "disputed": _disputed(rows, seat, place),
            }
            for seat in seats
        ],
        "jokers": [
            _row(row, of_result(row.line["gift"], points=place.points), place.names[row.seat])
            for row in jokers[:JOKERS_MOST]
        ],
        "names": place.names,
    }


def _listed(
    rows: list[ReportDecision], seat: int, marks: tuple[str, ...], place: CardPlace
) -> list[dict[str, Any]]:
    return [
        _row(row, of_result(row.line["cost"], points=place.points, sign=False))
        for row in rows
        if row.seat == seat and row.mark in marks
    ]


def _disputed(rows: list[ReportDecision], seat: int, place: CardPlace) -> list[dict[str, Any]]:
    """The decisions that the second engine does not call errors."""
    return [
        _row(row, of_result(row.line["cost"], points=place.points, sign=False))
        for row in rows
        if row.seat == seat and row.disputed
    ]


def _row(row: ReportDecision, part: str, name: str = "") -> dict[str, Any]:
    """A row of a list; `part` is what the decision or its roll was worth of the result."""
    return {
        "key": row.key,
        "mark": "≠" if row.disputed else row.mark,
        "mark_words": _("Engines disagree") if row.disputed else mark_words(row.mark),
        "roll": row.roll,
        "text": option_words(row.line["played"]),
        "loss": plain(row.loss, 3),
        "depth": rolled_words(row) or depth_words(row.line["ply"]),
        "part": part,
        "name": name,
        "good": (row.line["gift"] or 0) > 0,
    }


@require_POST
@login_required
def ask(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Queue an analysis that a player of the match asks for."""
    match = match_or_404(match_id)
    if request.user.pk not in match.players:
        raise Http404
    depth: Depth = "deep" if request.POST.get("depth") == "deep" else "full"
    try:
        request_analysis(match, depth, request.user)
    except RequestRefused as error:
        messages.error(request, sentence(error))
    return HttpResponseRedirect(reverse("match_report", args=[match_id]))


#: the formats that a report can be written in.
_FORMATS: Final[dict[str, Callable[[MatchRecord], str | bytes]]] = {
    "sgf": format_sgf,
    "mat": partial(format_mat, comments=True),
    "ogxm": format_ogxm,
}


@require_safe
def report_file(request: HttpRequest, match_id: UUID, key: str) -> HttpResponse:
    """The match as a file (SGF, .mat or OGXM) with a comment beside each decision."""
    match, reader = match_or_404(match_id), person_of(request)
    if reader not in match.players and not may_read(match, request.user):
        raise Http404
    return _file(played(match, reader), key)


@require_safe
@never_cache
def imported_report_file(request: HttpRequest, match_id: UUID, key: str) -> HttpResponse:
    """The match that its reader brought, as a file with comments."""
    return _file(brought(_own_or_404(match_id, request)), key)


@require_safe
@never_cache
def shared_report_file(_request: HttpRequest, share_key: UUID, key: str) -> HttpResponse:
    """A match from elsewhere as a file with comments, for whoever has the link."""
    response = _file(brought(_shared_or_404(share_key), shared=True), key)
    response["X-Robots-Tag"] = "noindex"
    return response


def _file(match: ReportedMatch, key: str) -> HttpResponse:
    found = newest_report(match.subject)
    if found is None or key not in (*_FORMATS, POST):
        raise Http404
    if key == POST:
        notes = {(row.game, row.number): _note(row) for row in decisions_of(found) if row.mark}
        text = match_post(match.record(), notes)
        return HttpResponse(text, content_type="text/plain; charset=utf-8")
    comments = {(row.game, row.number): _comment(row) for row in decisions_of(found)}
    chosen = written_by_key(key)
    try:
        written = _FORMATS[key](commented(match.record(), comments))
    except UnsupportedRecord as error:
        raise Http404 from error
    response = HttpResponse(written, content_type=chosen.media_type)
    name = match.file_name(chosen)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _note(row: ReportDecision) -> str:
    """Return the cost of an error and the right answer in a few words."""
    best = option_words(str(row.line["best"]))
    return f"{row.mark} {mark_words(row.mark)}: −{plain(row.loss or 0, 3)}, " + _("best: %s") % best


def _comment(row: ReportDecision) -> str:
    """Values that other programs show beside a decision."""
    if row.loss is None:
        return ""
    lines = []
    if row.disputed:
        lines.append(_("Engines disagree") + f": −{plain(row.loss, 3)}")
    elif row.mark:
        cost = plain(row.loss, 3)
        lines.append(f"{row.mark} {mark_words(row.mark)}: −{cost}")
    for number, option in enumerate(row.line["options"], start=1):
        mine = " *" if option["text"] == row.line["played"] else ""
        equity = f"{option['equity']:+.3f}"
        lines.append(f"{number}. {option_words(option['text'])}  {equity}{mine}")
    depth = rolled_words(row) or depth_words(row.line["ply"])
    lines.append(f"{row.line['engine']} {row.line['version']}, {depth}")
    if row.opinion is not None:
        lines.append(opinion_words(row.opinion, row.line["best"]))
    return "\n".join(lines)
