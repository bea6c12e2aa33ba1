"""Challenging a player: challenge, wait, answer."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from redis.exceptions import RedisError

from accounts.selectors import person_named
from games import settlement
from games.forms.names import begins_text
from games.forms.tables import ChallengeForm
from games.live.presence import ONLINE_SECONDS, people_gone, person_is_online, person_seen
from games.models import Challenge
from games.pages.cards import terms_card
from games.pages.lobby import pairs_of, people_rows
from games.pages.words import terms_facts, terms_words
from games.selectors import challenge_get, challenge_terms, challenges_waiting_for
from games.services.challenges import (
    challenge_accept,
    challenge_decline,
    challenge_make,
    challenge_withdraw,
)
from games.table.errors import TableError
from kit.requests import SignedInRequest
from kit.sentences import sentence

#: the challenger's page polls every two seconds; after this silence it counts as closed
CHALLENGER_GONE_SECONDS = ONLINE_SECONDS


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def make(request: SignedInRequest, username: str) -> HttpResponse:
    """Choose the terms, and challenge."""
    opponent = person_named(username)
    if opponent is None or opponent.is_bot or opponent.pk == request.user.pk:
        raise Http404
    posted = request.method == "POST"
    form = ChallengeForm.of(request.POST) if posted else ChallengeForm.of(request.GET, shows=True)
    if posted and form.is_valid() and not form.is_new and "preview" not in request.POST:
        try:
            challenge = challenge_make(user=request.user, opponent_id=opponent.pk, **form.wishes())
        except TableError as error:
            form.add_error(None, sentence(error))
        else:
            return redirect("challenge", challenge_id=challenge.pk)
    balance_cents = settlement.balance_cents(request.user.pk)
    context = {
        "opponent": people_rows([opponent.pk])[0],
        "is_here": person_is_online(opponent.pk),
        "balance_cents": balance_cents,
        "pair": pairs_of(request.user.pk, [opponent.pk])[opponent.pk],
        **terms_card(form, balance_cents),
        "begins": _begins(form),
    }
    return render(request, "games/challenge_make.html", context)


def _begins(form: ChallengeForm) -> str:
    """The beginner of the games, in words for the challenger; empty while terms have mistakes."""
    terms = form.terms or next((terms for _key, terms in form.offers()), None)
    return begins_text(terms) if terms else ""


@login_required
@require_GET
def challenge(request: SignedInRequest, challenge_id: UUID) -> HttpResponse:
    """Show a challenge to its two players; for htmx, only the part that changes."""
    found = _challenge_or_404(request, challenge_id)
    person_seen(request.user.pk)
    asked_again = bool(request.headers.get("HX-Request"))
    if found.table_id is not None:
        address = reverse("table", args=[found.table_id])
        return HttpResponse(headers={"HX-Redirect": address}) if asked_again else redirect(address)
    page = "games/challenge_state.html" if asked_again else "games/challenge.html"
    return render(request, page, _context(found, request.user))


def _context(found: Challenge, user: Any) -> dict[str, object]:
    terms = challenge_terms(found)
    mine = found.challenger_id == user.pk
    other = found.challenged_id if mine else found.challenger_id
    balance_cents = settlement.balance_cents(user.pk)
    return {
        "challenge": found,
        "mine": mine,
        "other": (row := people_rows([other])[0]),
        "begins": begins_text(terms, "" if mine else str(row["name"])),
        "pair": pairs_of(user.pk, [other])[other],
        "terms": {**terms_words(terms), **terms_facts(terms)},
        "balance_cents": balance_cents,
        "affordable": balance_cents >= terms.stake_cents,
    }


@login_required
@require_GET
def waiting(request: SignedInRequest) -> HttpResponse:
    """The challenges that the reader can answer; every page polls them."""
    person_seen(request.user.pk)
    found = list(challenges_waiting_for(request.user.pk))
    return render(request, "games/challenges.html", {"challenges": found})


@login_required
@require_POST
def answer(request: SignedInRequest, challenge_id: UUID) -> HttpResponse:
    """Accept, decline or withdraw."""
    wish = request.POST.get("answer", "")
    try:
        if wish == "accept":
            return _accept(request, challenge_id)
        if wish == "decline":
            challenge_decline(user=request.user, challenge_id=challenge_id)
        elif wish == "withdraw":
            challenge_withdraw(user=request.user, challenge_id=challenge_id)
    except TableError as error:
        messages.error(request, sentence(error))
    return redirect("lobby")


def _accept(request: SignedInRequest, challenge_id: UUID) -> HttpResponse:
    found = _challenge_or_404(request, challenge_id)
    if _is_gone(found.challenger_id):
        messages.error(request, _("The challenger has left."))
        return redirect("lobby")
    table = challenge_accept(user=request.user, challenge_id=challenge_id)
    return redirect("table", table_id=table.pk)


def _is_gone(user_id: int) -> bool:
    """Whether this player is known to have left; always false while Valkey is down."""
    try:
        return bool(people_gone([user_id], CHALLENGER_GONE_SECONDS))
    except RedisError:
        return False


def _challenge_or_404(request: SignedInRequest, challenge_id: UUID) -> Challenge:
    found = challenge_get(challenge_id)
    if found is None or request.user.pk not in (found.challenger_id, found.challenged_id):
        raise Http404
    return found
