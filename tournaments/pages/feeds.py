"""Calendars to subscribe to, and the files of a tournament: its draw and its results.

There is the public calendar, and a person's own at an address without a login.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from icalendar import Calendar, Event

from accounts.calendar_feeds import feed_at, feed_end, feed_of, feed_renew
from house.reader import house_now
from kit.requests import SignedInRequest
from kit.throttle import Rate, network_of, take
from tournaments.engine.state import TournamentState
from tournaments.files import draw_json, results_csv, results_json, results_trf
from tournaments.models import Entry, Meeting, Phase, Tournament
from tournaments.pages.words import line_of
from tournaments.selectors import (
    dates_of,
    entries_of,
    meetings_with_dates,
    public_dates,
    tournament_get,
)
from tournaments.services.store import state_of, terms_of
from tournaments.services.words import name_of
from tournaments.settlement import credits_text

#: one person's calendar programs, and those of one network, such as a club's
OWN: Final = Rate(60, 3_600)
PUBLIC: Final = Rate(600, 3_600)
WAIT_SECONDS: Final = 3_600


Address = Callable[[UUID], str]


@require_safe
def public(request: HttpRequest) -> HttpResponseBase:
    """Answer the tournaments that everybody can see; `language` chooses one that is offered."""
    network = network_of(str(request.META.get("REMOTE_ADDR", "")))
    if not take("calendar-public", network, PUBLIC):
        return _too_often(request)
    wished = request.GET.get("language", "")
    with translation.override(house_now().language(wished or translation.get_language() or "")):
        name = _("%(house)s: tournaments") % {"house": house_now().name}
        events = [
            tournament_event(each, _address(request)) for each in public_dates(timezone.now())
        ]
        return _answer(request, name, events, "no-cache")


@require_safe
def own(request: HttpRequest, token: str) -> HttpResponseBase:
    """Answer the calendar of the person whose address this is; 404 for any other text."""
    feed = feed_at(token)
    if feed is None:
        raise Http404
    person = feed.user
    if not take("calendar", str(person.pk), OWN):
        return _too_often(request)
    now = timezone.now()
    with translation.override(house_now().language(person.language)):
        name = _("%(house)s: %(name)s") % {
            "house": house_now().name,
            "name": person.get_username(),
        }
        page = _address(request)
        events = [tournament_event(each, page) for each in dates_of(person.pk, now)]
        events += [
            meeting_event(each, person.pk, page) for each in meetings_with_dates(person.pk, now)
        ]
        return _answer(request, name, events, "private, no-cache")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: SignedInRequest) -> HttpResponse:
    """Show the reader's calendar address; make one, renew it, or end it."""
    if request.user.is_guest:
        raise Http404
    if request.method == "POST":
        wish = request.POST.get("wish", "")
        if wish == "renew":
            feed_renew(request.user.pk)
            messages.success(request, _("This is your address now. Earlier ones no longer work."))
        elif wish == "end":
            feed_end(request.user.pk)
            messages.success(request, _("The address no longer works."))
        return redirect("calendar_settings")
    feed = feed_of(request.user.pk)
    place = request.build_absolute_uri(reverse("calendar_own", args=[feed.token])) if feed else ""
    context = {"address": place, "web": _for_programs(place), **public_addresses(request)}
    return render(request, "tournaments/calendar_settings.html", context)


def public_addresses(request: HttpRequest) -> dict[str, str]:
    """The public calendar in the reader's language, and its address for calendar programs."""
    place = request.build_absolute_uri(reverse("tournament_calendar"))
    place = f"{place}?language={translation.get_language()}"
    return {"public_address": place, "public_web": _for_programs(place)}


def _for_programs(place: str) -> str:
    """The address with the scheme that opens a calendar program."""
    return "webcal:" + place.partition(":")[2] if place else ""


def _address(request: HttpRequest) -> Address:
    return lambda key: request.build_absolute_uri(reverse("tournament", args=[key]))


def _answer(
    request: HttpRequest, name: str, events: Iterable[Event], keep: str
) -> HttpResponseBase:
    """The calendar, or 304 where the program has this very text."""
    text = calendar_text(name, events)
    etag = quote_etag(sha256(text).hexdigest()[:32])
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["ETag"], response["Cache-Control"] = etag, keep
    response["Content-Disposition"] = 'inline; filename="tournaments.ics"'
    return get_conditional_response(request, etag=etag, response=response) or response


def _too_often(request: HttpRequest) -> HttpResponse:
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(WAIT_SECONDS)
    return response


PRODUCT: Final = "-//Pasch//Tournaments//EN"
#: programs are asked to look again so often
REFRESH: Final = timedelta(hours=1)


def calendar_text(name: str, events: Iterable[Event]) -> bytes:
    """A calendar of this name with these events."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def tournament_event(tournament: Tournament, address: Address) -> Event:
    """A tournament that has a time, or was drawn; `removals` are fetched with it."""
    begins = tournament.starts_at or tournament.drawn_at
    assert begins is not None, "a tournament in a calendar has a time"
    page = address(tournament.pk)
    lines = [line_of(tournament)]
    if tournament.fee_cents:
        fee = credits_text(tournament.fee_cents)
        lines.append(_("Entry fee: %(fee)s") % {"fee": fee})
    called_off = tournament.phase == Phase.CALLED_OFF
    event = _event(f"tournament-{tournament.pk}", name_of(tournament), begins, page)
    event.add("description", "\n".join([*lines, page]))
    event.add("status", "CANCELLED" if called_off else "CONFIRMED")
    ends = _end(tournament, begins)
    if ends is not None and ends > begins:
        event.add("dtend", ends)
    _revised(event, *_changes(tournament))
    return event


def meeting_event(meeting: Meeting, user_id: int, address: Address) -> Event:
    """A match of this person, from the call to the time by which they have to come."""
    other = meeting.player_1 if meeting.player_0_id == user_id else meeting.player_0
    page, tournament = address(meeting.tournament_id), name_of(meeting.tournament)
    title = _("Match against %(name)s") % {"name": other.get_username()}
    key = f"match-{meeting.tournament_id}-{meeting.number}"
    event = _event(key, f"{title} ({tournament})", meeting.called_at, page)
    event.add("description", page)
    event.add("status", "CONFIRMED")
    event.add("dtend", meeting.due_at)
    changes = [meeting.called_at, *([meeting.decided_at] if meeting.decided_at else [])]
    _revised(event, max(changes), len(changes) - 1)
    return event


def _event(key: str, title: str, begins: datetime, page: str) -> Event:
    event = Event()
    event.add("uid", key)
    event.add("summary", title)
    event.add("dtstart", begins)
    event.add("url", page)
    event.add("transp", "OPAQUE")
    return event


def _end(tournament: Tournament, begins: datetime) -> datetime | None:
    """When it ended, or when an arena will; how long other formats take nobody knows before."""
    if tournament.phase == Phase.OVER:
        return tournament.ended_at
    terms = terms_of(tournament)
    if terms.format == "arena" and tournament.phase != Phase.CALLED_OFF:
        return begins + timedelta(minutes=terms.minutes)
    return None


def _changes(tournament: Tournament) -> tuple[datetime, int]:
    """When the event last changed, and how often what it says did."""
    moments = [tournament.ended_at]
    for removal in tournament.removals.all():
        moments += [removal.taken_at, removal.given_back_at]
    known = [moment for moment in moments if moment is not None]
    return max([tournament.created_at, *known]), len(known)


def _revised(event: Event, at: datetime, sequence: int) -> None:
    event.add("dtstamp", at)
    event.add("last-modified", at)
    event.add("sequence", sequence)


def _found(
    request: HttpRequest, tournament_id: UUID
) -> tuple[Tournament, list[Entry], TournamentState]:
    tournament = tournament_get(tournament_id, request.user.pk)
    if tournament is None:
        raise Http404
    return tournament, entries_of(tournament), state_of(tournament)


@require_safe
def draw(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """The draw of a tournament; the browser calculates it again."""
    tournament, entries, state = _found(request, tournament_id)
    if tournament.drawn_at is None:
        raise Http404
    names: dict[int, Any] = {entry.user_id: entry.user.get_username() for entry in entries}
    context = {
        "tournament": tournament,
        "name": name_of(tournament),
        "draw": draw_json(tournament, entries, state),
        "order": [names[player] for player in state.order],
    }
    return render(request, "tournaments/draw.html", context)


@require_safe
def file(request: HttpRequest, tournament_id: UUID, kind: str) -> HttpResponse:
    """Results as JSON, CSV or TRF."""
    tournament, entries, state = _found(request, tournament_id)
    if kind == "json":
        return JsonResponse(results_json(tournament, entries, state))
    if kind == "csv":
        text, content_type = results_csv(entries, state), "text/csv; charset=utf-8"
    elif kind == "trf":
        text, content_type = results_trf(tournament, entries, state), "text/plain; charset=utf-8"
    else:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament.pk}.{kind}"'}
    return HttpResponse(text, content_type=content_type, headers=headers)
