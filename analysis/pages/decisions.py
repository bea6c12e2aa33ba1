"""My decisions: every decision of a reader's matches, filtered, put into lists, made exercises."""

from collections.abc import Callable
from random import SystemRandom
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.decisions.filters import DecisionFilter, filter_of
from analysis.decisions.lists import (
    CHOSEN_MOST,
    ListRefused,
    decisions_chosen,
    entries_drop,
    exercises_make,
    list_add,
    list_remove,
    list_rename,
    list_restore,
    list_share,
    list_shared,
    lists_of,
    note_write,
    notes_on,
)
from analysis.decisions.search import DecisionSearch
from analysis.models import DecisionList, MyDecision
from analysis.pages.decision_cards import cards_of, listed_cards
from analysis.pages.decision_facets import facets_shown, sorts_shown
from analysis.pages.numbers import plain
from kit.requests import SignedInRequest
from kit.sentences import sentence

Row = dict[str, Any]

SHOWN: Final = 12


@require_safe
@login_required
@never_cache
def decisions(request: SignedInRequest) -> HttpResponse:
    """The decisions that the filter of the address lets through."""
    wanted = filter_of(dict(request.GET.lists()))
    search = DecisionSearch(request.user, wanted, timezone.now())
    paginator = Paginator(range(search.decisions), SHOWN)
    page = paginator.get_page(request.GET.get("page"))
    rows = search.rows(page.start_index() - 1, SHOWN) if search.decisions else []
    notes = notes_on(request.user, rows)
    context: Row = {
        "any": bool(search.matches),
        "count": search.decisions,
        "lost": plain(search.lost),
        "pr_part": plain(search.pr_part),
        "pr": plain(search.pr),
        "cards": cards_of(rows, search, notes),
        "facets": facets_shown(search, wanted),
        "chosen_facets": sum(len(values) for values in wanted.facets.values()),
        "sorts": sorts_shown(wanted),
        "wanted": wanted,
        "back": _back(wanted, page.number),
        "page": page,
        **_lists_shown(request, wanted),
    }
    return render(request, "analysis/decisions.html", context)


def _lists_shown(request: SignedInRequest, wanted: DecisionFilter) -> Row:
    """The lists beside the decisions, and the one that is open."""
    lists = list(lists_of(request.user))
    opened = next((each for each in lists if each.pk == wanted.listed), None)
    if wanted.listed is not None and opened is None:
        raise Http404("no list of this reader")
    shared = opened is not None and opened.share_key is not None
    link = reverse("decisions_shared", args=[opened.share_key]) if opened and shared else ""
    return {
        "lists": [
            {"list": each, "count": each.entries.count(), "now": each == opened} for each in lists
        ],
        "opened": opened,
        "link": request.build_absolute_uri(link) if link else "",
    }


def _back(wanted: DecisionFilter, page: int) -> str:
    pairs = wanted.pairs() + ([("page", str(page))] if page > 1 else [])
    return urlencode(pairs)


@require_safe
@never_cache
def shared(request: HttpRequest, key: UUID) -> HttpResponse:
    """A list that its person gave a link to: positions and plays, without names and notes."""
    found = list_shared(key)
    if found is None:
        raise Http404("no list has this link")
    entries = found.entries.select_related("decision__report").order_by("pk")
    page = Paginator(entries, SHOWN).get_page(request.GET.get("page"))
    context = {"list": found, "cards": listed_cards(page.object_list), "page": page}
    return render(request, "analysis/decisions_shared.html", context)


@require_POST
@login_required
def choose(request: SignedInRequest) -> HttpResponse:
    """Put the chosen decisions into a list, out of one, or make exercises of them."""
    numbers = [int(each) for each in request.POST.getlist("decision") if _is_number(each)]
    chosen, name = decisions_chosen(request.user, numbers), request.POST.get("name", "")
    act = request.POST.get("act", "")
    try:
        if act == "drop":
            entries_drop(_own_list(request, request.POST.get("list", "")), chosen)
            return _to_list(request)
        if act == "exercises":
            made = exercises_make(request.user, name, chosen, SystemRandom())
            messages.success(request, _made_words(made))
            return HttpResponseRedirect(f"{reverse('exercise_next')}?theme=set-{made.pk}")
        made = list_add(request.user, name, chosen)
    except ListRefused as error:
        messages.error(request, sentence(error))
        return _to_list(request)
    if len(numbers) > CHOSEN_MOST:
        messages.info(request, _("Only the first 200 by cost were taken."))
    messages.success(request, _("They are in the list “%(name)s”.") % {"name": made.name})
    return HttpResponseRedirect(f"{reverse('decisions')}?list={made.pk}")


def _made_words(made: DecisionList) -> str:
    sound = made.entries.filter(sound=True).count()
    errors = made.entries.count() - sound
    return _("Exercises “%(name)s”: %(errors)d of your decisions and %(sound)d sound ones.") % {
        "name": made.name,
        "errors": errors,
        "sound": sound,
    }


@require_POST
@login_required
def note(request: SignedInRequest) -> HttpResponse:
    """Keep a note on the position of a decision."""
    number = request.POST.get("note", "")
    found = MyDecision.objects.filter(person=request.user).select_related("decision")
    row = get_object_or_404(found, pk=int(number) if _is_number(number) else 0)
    note_write(row, request.POST.get("text", ""))
    return _to_list(request, f"#decision-{row.pk}")


@require_POST
@login_required
def manage(request: SignedInRequest, list_id: UUID) -> HttpResponse:
    """Rename, remove, take back, share a list."""
    found = _own_list(request, str(list_id))
    act = request.POST.get("act", "")
    acts: dict[str, Callable[[], None]] = {
        "rename": lambda: list_rename(found, request.POST.get("name", "")),
        "remove": lambda: list_remove(found),
        "restore": lambda: list_restore(found),
        "share": lambda: list_share(found, shared=True),
        "unshare": lambda: list_share(found, shared=False),
    }
    if act not in acts:
        raise Http404("nothing else can be done to a list")
    try:
        acts[act]()
    except ListRefused as error:
        messages.error(request, sentence(error))
    if act == "remove":
        return _removed(request, found)
    return HttpResponseRedirect(f"{reverse('decisions')}?list={found.pk}")


def _removed(request: SignedInRequest, found: DecisionList) -> HttpResponse:
    """Say that a list is deleted, with the way back."""
    gone = _("“%(name)s” is gone; its decisions stay where they were.") % {"name": found.name}
    context = {
        "title": _("The list is deleted"),
        "words": gone,
        "restore_url": reverse("decisions_list", args=[found.pk]),
        "fields": [("act", "restore")],
        "back_url": reverse("decisions"),
        "back_words": _("My decisions"),
    }
    return render(request, "analysis/removed.html", context)


def _own_list(request: SignedInRequest, key: str) -> DecisionList:
    try:
        number = UUID(key)
    except ValueError as error:
        raise Http404("no list has this name") from error
    return get_object_or_404(DecisionList, pk=number, person=request.user)


def _to_list(request: SignedInRequest, place: str = "") -> HttpResponse:
    """Go back to the filter that the form came from."""
    asked = QueryDict(request.POST.get("back", "")[:2000])
    pairs = filter_of(dict(asked.lists())).pairs()
    if _is_number(asked.get("page", "")):
        pairs.append(("page", asked["page"]))
    query = f"?{urlencode(pairs)}" if pairs else ""
    return HttpResponseRedirect(f"{reverse('decisions')}{query}{place}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19
