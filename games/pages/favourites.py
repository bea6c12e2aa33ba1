"""Saved settings: play by them with one press, rename and delete them."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.forms.tables import TableForm
from games.models import Favourite
from games.modes.registry import mode_of
from games.pages.cards import favourite_rows
from games.selectors import favourites_of, prices_read_once, terms_offered
from games.services.chat import mute_set
from games.services.favourites import (
    FAVOURITES_MAX,
    favourite_delete,
    favourite_rename,
    terms_played_last,
)
from games.services.lobby import quick_pair
from games.table.errors import TableError
from kit.requests import SignedInRequest
from kit.sentences import sentence


@login_required
@require_GET
@prices_read_once()
def favourites(request: SignedInRequest) -> HttpResponse:
    """The reader's saved settings, each with its terms."""
    context = {
        "favourites": favourite_rows(request.user.pk),
        "most": FAVOURITES_MAX,
        "name_length_max": Favourite.NAME_LENGTH_MAX,
    }
    return render(request, "games/favourites.html", context)


@login_required
@require_POST
def play(request: SignedInRequest, favourite_id: int) -> HttpResponse:
    """Sit down with somebody who wants the same, or wait.

    Settings with a stake open the form with what they cost, for a press of its button.
    """
    favourite = favourites_of(request.user.pk).filter(pk=favourite_id).first()
    if favourite is None:
        raise Http404
    return _play(request, favourite.wishes)


@login_required
@require_POST
def again(request: SignedInRequest) -> HttpResponse:
    """The same by the terms of the last table."""
    terms = terms_played_last(request.user.pk)
    if terms is None:
        raise Http404
    return _play(request, mode_of(terms).wishes_of(terms))


def _play(request: SignedInRequest, wishes: dict[str, Any]) -> HttpResponse:
    try:
        if terms_offered(**wishes).stake_cents:
            chosen = TableForm.data_for(wishes)
            return redirect(f"{reverse('table_open')}?{urlencode(chosen)}")
        pairing = quick_pair(user=request.user, **wishes)
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("lobby")
    return redirect("table", table_id=pairing.table.pk)


@login_required
@require_POST
def change(request: SignedInRequest, favourite_id: int) -> HttpResponse:
    """Rename or delete saved settings."""
    try:
        if "delete" in request.POST:
            favourite_delete(user=request.user, favourite_id=favourite_id)
        else:
            name = request.POST.get("name", "")
            favourite_rename(user=request.user, favourite_id=favourite_id, name=name)
    except TableError as error:
        messages.error(request, sentence(error))
    return redirect("favourites")


@login_required
@require_POST
def mute_end(request: SignedInRequest, person_id: int) -> HttpResponse:
    """Take one of one's own mutes back; where there is none, nothing happens."""
    mute_set(user_id=request.user.pk, person_id=person_id, on=False)
    messages.success(request, _("You will see this player’s messages again."))
    return redirect("account")
