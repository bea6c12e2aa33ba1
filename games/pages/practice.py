"""Sitting down to practise against the house bot, or alone; strangers do so as guests."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.guests import guest_begin, guest_of, guest_renew
from accounts.models import User
from games.forms.practice import PracticeForm
from games.models import Table
from games.pages.cards import terms_card
from games.services.guests import GuestPlaysAlready
from games.services.practice import practice_open
from games.table.errors import BadSetup, TableError
from kit.sentences import sentence


@require_http_methods(["GET", "HEAD", "POST"])
def open_practice(request: HttpRequest) -> HttpResponse:
    """Open a practice table, against the house bot or alone, and redirect to it.

    A person who is not logged in becomes a guest. A guest who plays already is redirected to
    their table. Without a POST, and after a mistake, the page has every rule to choose from.
    """
    if request.method != "POST":
        return _page(request, PracticeForm.of(request.GET, shows=True))
    form = PracticeForm.of(request.POST)
    if not form.is_valid() or form.is_new or "preview" in request.POST:
        return _page(request, form)
    return practice_begun(request, lambda user: practice_open(user=user, **form.asked()))


def _page(request: HttpRequest, form: PracticeForm) -> HttpResponse:
    return render(request, "games/practice.html", terms_card(form, None))


def practice_begun(request: HttpRequest, begin: Callable[[User], Table]) -> HttpResponse:
    """Begin a practice game for the person of this request, and lead there.

    Raises `BadSetup`; every other refusal is told on the page it leads to.
    """
    try:
        table = begin(person_or_guest(request))
    except GuestPlaysAlready as error:
        messages.info(request, sentence(error))
        return redirect("table", table_id=error.fields["table"])
    except BadSetup:
        raise
    except TableError as error:
        messages.error(request, sentence(error))
        return redirect("lobby")
    return redirect("table", table_id=table.pk)


def person_or_guest(request: HttpRequest) -> User:
    """The account of the request, else a guest, who may be made now. Raises `Crowded`."""
    if request.user.is_authenticated:
        return request.user
    guest = guest_of(request.session)
    if guest is None:
        return guest_begin(request)
    guest_renew(guest)
    return guest
