"""Deciding a match at the desk: first what would happen is shown, then exactly that is decided."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
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
from kit.requests import SignedInRequest
from pasch.desk.access import desk_page, second_factor_at
from pasch.desk.alone import alone_context, done_or_waits
from pasch.desk.decisions import decide_with, refusal_text
from pasch.desk.forms import MatchDecisionForm
from pasch.desk.verdicts import verdict_read, verdict_words

VOID = "void"


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
        messages.error(request, refusal_text(error))
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
