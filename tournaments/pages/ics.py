"""Tournaments and matches as a calendar (RFC 5545), in the language that is active.

The name of an event never changes, so programs find it again. `DTSTAMP` is when it last changed,
and `SEQUENCE` grows with each change; both follow from the rows, so the same rows give the same
text.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from tournaments.models import Meeting, Phase, Tournament
from tournaments.pages.words import line_of
from tournaments.services.naming import name_of
from tournaments.services.store import terms_of
from tournaments.settlement import credits_text

PRODUCT: Final = "-//Pasch//Tournaments//EN"
#: programs are asked to look again so often
REFRESH: Final = timedelta(hours=1)

Address = Callable[[UUID], str]


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
