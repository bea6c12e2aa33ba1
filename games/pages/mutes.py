"""Ending a mute."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.services.chat import mute_set
from kit.requests import SignedInRequest


@login_required
@require_POST
def mute_end(request: SignedInRequest, person_id: int) -> HttpResponse:
    """Take one of one's own mutes back; where there is none, nothing happens."""
    mute_set(user_id=request.user.pk, person_id=person_id, on=False)
    messages.success(request, _("You will see this player’s messages again."))
    return redirect("account")
