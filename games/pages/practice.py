"""Sitting down to practise against the house bot, or alone; strangers do so as guests."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.guests import GuestsTooMany, guest_begin, guest_of, guest_renew
from accounts.models import User
from games.forms.practice import PracticeForm
from games.pages.refusals import REFUSALS, refusal_text
from games.services.practice import GuestPlaysAlready, practice_open
from games.table.errors import TableError


@require_POST
def open_practice(request: HttpRequest) -> HttpResponse:
    """Open a practice table, against the house bot or alone, and redirect to it.

    A person who is not logged in becomes a guest. A guest who plays already is redirected to
    their table.
    """
    form = PracticeForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The house does not offer a table on these terms."))
        return redirect("lobby")
    try:
        table = practice_open(user=_who(request), **form.cleaned_data)
    except GuestsTooMany as error:
        messages.error(request, REFUSALS[error.code])
        return redirect("lobby")
    except GuestPlaysAlready as error:
        messages.info(request, refusal_text(error))
        return redirect("table", table_id=error.fields["table"])
    except TableError as error:
        messages.error(request, refusal_text(error))
        return redirect("lobby")
    return redirect("table", table_id=table.pk)


def _who(request: HttpRequest) -> User:
    """The account of the request, else a guest, who may be made now."""
    if request.user.is_authenticated:
        return request.user
    guest = guest_of(request.session)
    if guest is None:
        return guest_begin(request)
    guest_renew(guest)
    return guest
