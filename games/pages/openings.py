"""Ways to a table of one's own: the form with all rules, and quick pairing."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from games import settlement
from games.forms.quick import QuickForm, quick_form
from games.forms.tables import TableForm
from games.pages.cards import quick_card, terms_card
from games.pages.counts import terms_waiting
from games.pages.practice import person_or_guest
from games.pages.waiting import seated
from games.pages.words import terms_facts, terms_line, terms_words
from games.selectors import prices_read_once, tables_running_of
from games.services.favourites import FavouriteError, favourite_save
from games.services.guests import GuestPlaysAlready
from games.services.lobby import quick_pair
from games.services.tables import table_open
from games.table.errors import TableError
from kit.requests import SignedInRequest
from kit.sentences import sentence


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@prices_read_once()
def open_table(request: SignedInRequest) -> HttpResponse:
    """Choose the terms of a table, and open it or save them as a favourite.

    Chosen terms may stand in the address. Nothing is opened while the form has mistakes, or was
    shown for another game than the one that is chosen in it.
    """
    if request.method != "POST":
        return _open_page(request, TableForm.of(request.GET, shows=True))
    form = TableForm.of(request.POST)
    if not form.is_valid() or form.is_new or "preview" in request.POST:
        return _open_page(request, form)
    if "save" in request.POST:
        return _save(request, form)
    try:
        private = form.cleaned_data["private"]
        table = table_open(user=request.user, private=private, **form.wishes())
    except TableError as error:
        form.add_error(None, sentence(error))
        return _open_page(request, form)
    return redirect("table_invite" if private else "table", table_id=table.pk)


def _open_page(request: SignedInRequest, form: TableForm, **more: object) -> HttpResponse:
    balance_cents = settlement.balance_cents(request.user.pk)
    mine = tables_running_of(request.user.pk)
    context = {
        **terms_card(form, balance_cents),
        "balance_cents": balance_cents,
        "may_open": not any(table.phase == "open" for table in mine),
        **more,
    }
    return render(request, "games/table_open.html", context)


def _save(request: SignedInRequest, form: TableForm) -> HttpResponse:
    """Save the settings of a form under the name that it states, or under their own words."""
    assert form.terms is not None, "the form is valid"
    name = request.POST.get("name", "").strip() or terms_line(form.terms)[:60].rstrip(" ·")
    try:
        favourite_save(user=request.user, name=name, **form.wishes())
    except FavouriteError as error:
        return _open_page(request, form, name=name, name_refused=sentence(error))
    return redirect("favourites")


@login_required
@require_GET
def table_terms(request: SignedInRequest) -> HttpResponse:
    """The costs and payouts of a table for the form's values; fetched while it is filled in."""
    form = TableForm.of(request.GET)
    facts = terms_facts(form.terms) if form.is_valid() and form.terms is not None else None
    elsewhere = ("mode", "base")  # the template shows theirs in any case
    errors = [
        text for name, texts in form.errors.items() if name not in elsewhere for text in texts
    ]
    return render(
        request, "games/table_terms.html", {"facts": facts, "form": form, "errors": errors}
    )


# --- quick pairing --------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@prices_read_once()
def quick(request: HttpRequest) -> HttpResponse:
    """Choose a quick game; a click on its tile seats the reader or lets them wait.

    A stranger plays a free one as a guest. A game for credits is shown with what it costs before
    anybody is seated.
    """
    if not request.user.is_authenticated and "credits" in request.GET.get("for", ""):
        return redirect_to_login(request.get_full_path())
    if request.method != "POST":
        return _quick_page(request, quick_form(request.GET, shows=True))
    form = quick_form(request.POST)
    if not form.is_valid() or form.is_new:
        return _quick_page(request, form)
    assert form.terms is not None, "the form is valid"
    if form.terms.stake_cents and not request.user.is_authenticated:
        return redirect_to_login(reverse("quick") + "?for=credits")
    if form.terms.stake_cents and "agreed" not in request.POST:
        return _agree_page(request, form)
    return _pair(request, form)


def _pair(request: HttpRequest, form: QuickForm) -> HttpResponse:
    """Seat the reader at a table of this form, or let them wait at a new one."""
    span = form.cleaned_data["strength_span"]
    try:
        user = person_or_guest(request)
        pairing = quick_pair(user=user, strength_span=span, **form.wishes())
    except GuestPlaysAlready as error:
        messages.info(request, sentence(error))
        return redirect("table", table_id=error.fields["table"])
    except TableError as error:
        form.add_error(None, sentence(error))
    else:
        return seated(request, pairing)
    return _quick_page(request, form)


def _quick_page(request: HttpRequest, form: QuickForm) -> HttpResponse:
    user_id = request.user.pk
    balance_cents = None if user_id is None else settlement.balance_cents(user_id)
    card = quick_card(form, balance_cents, terms_waiting(user_id))
    return render(request, "games/quick.html", {"quick": card})


def _agree_page(request: HttpRequest, form: QuickForm) -> HttpResponse:
    """The costs and prizes of a game, with a button that seats the reader."""
    terms = form.terms
    assert terms is not None, "the form is valid"
    context: dict[str, Any] = {
        "sent": [(name, form.data[name]) for name in form.fields if form.data.get(name)],
        "terms": {**terms_words(terms), **terms_facts(terms)},
        "balance_cents": (balance_cents := settlement.balance_cents(request.user.pk or 0)),
        "affordable": balance_cents >= terms.stake_cents,
    }
    return render(request, "games/quick_agree.html", context)
