"""Deciding a match at the desk: first what would happen is shown, then exactly that is decided."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games.models import Match
from games.services.administration import (
    PERMISSION,
    Preview,
    match_adjudicate,
    match_preview,
    match_void,
)
from games.table.errors import TableError
from games.table.state import TableState
from games.table.verdict import Verdict, possible_verdicts
from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import alone_context, decide_with, done_or_waits
from ledger.desk.forms import reason_field

VOID = "void"
TIE: Final = "-"
_VALUE: Final = re.compile(r"([01-])\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})", re.ASCII)
_LEVELS: Final[dict[int, str | Promise]] = {
    1: gettext_lazy("single game"),
    2: gettext_lazy("gammon"),
    3: gettext_lazy("backgammon"),
}

Groups = list[tuple[str, list[tuple[str, str]]]]


class MatchDecisionForm(forms.Form):
    """A decision about a match that was shown before: what, exactly as shown, and why."""

    outcome = forms.CharField(max_length=40, widget=forms.HiddenInput)
    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = reason_field()


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """The effect of a decision for one seat: credits now and then, and the rating."""

    person: User
    paid_before_cents: int | None
    paid_cents: int
    elo_before: Decimal
    elo_after: Decimal

    @property
    def elo_change(self) -> Decimal:
        """How the rating changes."""
        return self.elo_after - self.elo_before


@desk_page(PERMISSION)
@require_safe
def decision(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Show what a decision would pay, keep and rate; `outcome` is a result, or ``void``."""
    found = get_object_or_404(Match.objects.select_related("player_0", "player_1"), pk=match_id)
    outcome = request.GET.get("outcome", "")
    verdict = verdict_read(outcome)
    if verdict is None and outcome != VOID:
        messages.error(request, _("Choose a result first."))
        return redirect("desk:match", match_id)
    try:
        preview = match_preview(match_id=match_id, verdict=verdict)
    except TableError as error:
        messages.error(request, sentence(error, staff=True))
        return redirect("desk:match", match_id)
    players = (found.player_0, found.player_1)
    fields = {"outcome": outcome, "shown": preview.shown}
    context = {
        "match": found,
        "players": players,
        "outcome": outcome,
        "words": verdict_words(preview.verdict, players) if preview.verdict else "",
        "seats": _seats(found, players, preview),
        "rake_cents": preview.foreseen.payout.rake_cents,
        "rated": preview.foreseen.elo_before != preview.foreseen.elo_after,
        "form": MatchDecisionForm(initial=fields, auto_id="decide_%s"),
        "barred": request.user.pk in found.players,
        **alone_context(request, found.stake_cents),
    }
    return render(request, "desk/match_decision.html", context)


@desk_page(PERMISSION)
@require_POST
def void(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Let a match count for nothing, as it was shown."""
    get_object_or_404(Match, pk=match_id)
    form = MatchDecisionForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: match_void(
            match_id=match_id,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            shown=form.cleaned_data["shown"],
            verified_at=second_factor_at(request),
        ),
        done=lambda decided: done_or_waits(
            decided.proposal_id, _("Voided: the stakes are back, no rake, ratings corrected.")
        ),
        back=resolve_url("desk:match", match_id),
        again=_address(match_id, VOID),
    )


@desk_page(PERMISSION)
@require_POST
def adjudicate(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Decide a running match, as it was shown."""
    get_object_or_404(Match, pk=match_id)
    form = MatchDecisionForm(request.POST)
    verdict = verdict_read(request.POST.get("outcome", ""))
    if verdict is None:
        messages.error(request, _("Choose a result first."))
        return redirect("desk:match", match_id)
    return decide_with(
        request,
        form,
        lambda: match_adjudicate(
            match_id=match_id,
            verdict=verdict,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            shown=form.cleaned_data["shown"],
            verified_at=second_factor_at(request),
        ),
        done=lambda decided: done_or_waits(decided.proposal_id, _("Adjudicated, paid and rated.")),
        back=resolve_url("desk:match", match_id),
        again=_address(match_id, form.data["outcome"]),
    )


def _address(match_id: UUID, outcome: str) -> str:
    """The page that shows this decision."""
    page = reverse("desk:match_decision", args=[match_id])
    return f"{page}?{urlencode({'outcome': outcome})}"


def _seats(found: Match, players: tuple[User, User], preview: Preview) -> list[SeatFigures]:
    foreseen = preview.foreseen
    before: list[int | None] = list(found.paid_cents or [None, None])
    return [
        SeatFigures(
            person=players[seat],
            paid_before_cents=before[seat],
            paid_cents=foreseen.payout.paid_cents[seat],
            elo_before=Decimal(foreseen.elo_before[seat]),
            elo_after=Decimal(foreseen.elo_after[seat]),
        )
        for seat in (0, 1)
    ]


def verdict_value(verdict: Verdict) -> str:
    """A verdict as a form sends it: winner, score, level and cube."""
    winner = TIE if verdict.winner is None else str(verdict.winner)
    return ".".join(map(str, (winner, *verdict.score, verdict.level, verdict.cube)))


def verdict_read(value: str) -> Verdict | None:
    """The verdict that a form sent; None where it is no such value."""
    found = _VALUE.fullmatch(value)
    if found is None:
        return None
    winner, one, two, level, cube = found.groups()
    return Verdict(
        winner=None if winner == TIE else int(winner),
        score=(int(one), int(two)),
        level=int(level),
        cube=int(cube),
    )


def verdict_words(verdict: Verdict, players: Sequence[Any]) -> str:
    """A verdict in words, with its winner."""
    if verdict.winner is None:
        return f"{_('tie')}, {_result(verdict)}"
    name = players[verdict.winner].get_username()
    return _("%(name)s wins: %(result)s") % {"name": name, "result": _result(verdict)}


def verdict_groups(state: TableState, players: Sequence[Any]) -> Groups:
    """Every result the match can still have, by its winner, for a choice."""
    groups: dict[int | None, list[tuple[str, str]]] = {0: [], 1: [], None: []}
    for verdict in possible_verdicts(state):
        groups[verdict.winner].append((verdict_value(verdict), _result(verdict)))
    names = {
        seat: _("%(name)s wins") % {"name": players[seat].get_username()} for seat in (0, 1)
    } | {None: _("tie")}
    return [(names[winner], rows) for winner, rows in groups.items() if rows]


def _result(verdict: Verdict) -> str:
    if not verdict.level:
        return f"{verdict.score[0]} : {verdict.score[1]}"
    level = _LEVELS.get(verdict.level) or _("level %(level)s") % {"level": verdict.level}
    points = ngettext("%(points)s point", "%(points)s points", verdict.points)
    return _("%(level)s, cube at %(cube)s: %(points)s") % {
        "level": level,
        "cube": verdict.cube,
        "points": points % {"points": verdict.points},
    }
