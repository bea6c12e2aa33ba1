"""Calendars to subscribe to: the public one, and a person's own at an address without a login."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from icalendar import Event

from accounts.calendar_feeds import feed_at, feed_end, feed_of, feed_renew
from house.reader import house_now
from kit.requests import SignedInRequest
from kit.throttle import Rate, network_of, take
from tournaments.pages.ics import Address, calendar_text, meeting_event, tournament_event
from tournaments.selectors_feeds import dates_of, meetings_with_dates, public_dates

#: one person's calendar programs, and those of one network, such as a club's
OWN: Final = Rate(60, 3_600)
PUBLIC: Final = Rate(600, 3_600)
WAIT_SECONDS: Final = 3_600


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
