"""Calendars to subscribe to: the public one, and a person's own at an address without a login."""

import logging
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.calendar_feeds import CalendarFeed, feed_at, feed_end, feed_renew
from accounts.models import User
from accounts.services import user_disable
from harness.tournaments import called, entered, knockout, played
from kit.throttle import Rate
from pasch.observability.logs import JsonLines, TextFormatter
from pasch.personal_data import person_erase
from tests.aging import rows_age
from tests.tournaments import calendars
from tests.tournaments.test_pages import client_of
from tests.tournaments.test_titles import decided, held, moderator, named
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Tournament
from tournaments.pages import feeds
from tournaments.services.clubs import club_found, club_join, club_leave
from tournaments.services.directing import tournament_call_off
from tournaments.services.entering import tournament_enter
from tournaments.services.holding import tournament_hold

__all__ = ["moderator"]

PUBLIC = reverse("tournament_calendar")
HARD = "Blots, bars; back\\games\nand a very long name: Übergänge für"


def at_token(token: str) -> str:
    return reverse("calendar_own", args=[token])


def events_at(address: str, **headers: str) -> dict[str, calendars.Event]:
    answer = Client().get(address, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    _calendar, events = calendars.read(answer.content)
    found = {event["UID"]: event for event in events}
    assert len(found) == len(events)
    return found


def key(tournament: Tournament) -> str:
    return f"tournament-{tournament.pk}"


def utc(value: str) -> datetime:
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def test_an_event_has_what_a_program_needs(people):
    tournament = held(named("founder"), HARD)
    event = events_at(PUBLIC)[key(tournament)]
    assert calendars.text(event["SUMMARY"]) == HARD
    assert utc(event["DTSTART"]) == tournament.starts_at.replace(microsecond=0)
    assert utc(event["DTSTAMP"]) == tournament.created_at.replace(microsecond=0)
    assert (event["STATUS"], event["SEQUENCE"]) == ("CONFIRMED", "0")
    place = reverse("tournament", args=[tournament.pk])
    assert event["URL"] == f"http://testserver{place}"
    said = calendars.text(event["DESCRIPTION"])
    assert said.startswith("Knock-out · ")
    assert said.endswith(place)
    calendar, _events = calendars.read(Client().get(PUBLIC).content)
    assert (calendar["VERSION"], calendar["REFRESH-INTERVAL"]) == ("2.0", "PT1H")


def test_the_same_rows_are_the_same_text_and_answered_with_304(people):
    tournament = held(named("founder"))
    first = Client().get(PUBLIC)
    again = Client().get(PUBLIC, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().get(PUBLIC).content == first.content
    tournament_call_off(director=tournament.founder, tournament_id=tournament.pk)
    changed = Client().get(PUBLIC, headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_what_is_called_off_leaves_the_public_calendar_and_stays_in_its_peoples(people):
    tournament = held(named("founder"))
    (player,) = people(1)
    tournament_enter(user=player, tournament_id=tournament.pk)
    before = events_at(PUBLIC)[key(tournament)]
    tournament_call_off(director=tournament.founder, tournament_id=tournament.pk)
    assert key(tournament) not in events_at(PUBLIC)
    for person in (tournament.founder, player):
        after = events_at(at_token(feed_renew(person.pk).token))[key(tournament)]
        assert after["STATUS"] == "CANCELLED"
        assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])
        assert utc(after["DTSTAMP"]) >= utc(before["DTSTAMP"])
        assert after["DTSTART"] == before["DTSTART"]
        assert utc(after["LAST-MODIFIED"]) == utc(after["DTSTAMP"])


def test_the_nearest_have_the_places_of_a_calendar(people, monkeypatch):
    monkeypatch.setattr("tournaments.selectors.MOST", 2)
    founder, now = named("founder"), timezone.now()
    terms = TournamentTerms("knockout", length=1, least=4, most=4)
    made = [
        tournament_hold(
            founder=founder, name=f"In {days}", terms=terms, starts_at=now + timedelta(days=days)
        )
        for days in (40, 1, 2)
    ]
    assert list(events_at(PUBLIC)) == [key(made[1]), key(made[2])]


def test_a_name_that_was_taken_away_leaves_the_calendars(people, moderator):
    tournament = held(named("founder"), "Vile Name")
    before = events_at(PUBLIC)[key(tournament)]
    decided(tournament, moderator)
    after = events_at(PUBLIC)[key(tournament)]
    assert calendars.text(after["SUMMARY"]) == "Knock-out, Backgammon"
    assert int(after["SEQUENCE"]) == int(before["SEQUENCE"]) + 1
    assert b"Vile" not in Client().get(PUBLIC).content


def test_the_public_calendar_is_in_the_language_that_is_asked_for(people):
    tournament = held(named("founder"))
    german = [
        events_at(PUBLIC, **{"accept-language": "de"}),
        events_at(f"{PUBLIC}?language=de", **{"accept-language": "en"}),
    ]
    for each in german:
        assert calendars.text(each[key(tournament)]["DESCRIPTION"]).startswith("K.-o. · ")
    events_at(f"{PUBLIC}?language=xx\n", **{"accept-language": "de"})


def test_an_arena_ends_after_its_minutes_and_others_nobody_knows_when(people):
    arena = tournament_hold(
        founder=named("founder"),
        name="Arena",
        terms=TournamentTerms("arena", length=1, least=4, most=16, minutes=45),
        starts_at=timezone.now() + timedelta(hours=1),
    )
    plain = held(named("other"))
    events = events_at(PUBLIC)
    event = events[key(arena)]
    assert utc(event["DTEND"]) - utc(event["DTSTART"]) == timedelta(minutes=45)
    assert "DTEND" not in events[key(plain)]


def test_tournaments_of_private_clubs_are_for_those_who_can_see_them(people):
    founder, member, guest, stranger = map(named, ("founder", "member", "guest", "stranger"))
    closed = club_found(user=founder, name="Closed", is_open=False)
    open_club = club_found(user=founder, name="Open")
    private = held(founder, club=closed)
    inner = held(founder, club=open_club, members_only=True)
    public = held(founder, club=open_club)
    assert events_at(PUBLIC).keys() == {key(public)}
    club_join(user=member, club_id=open_club.pk)
    club_join(user=guest, club_id=closed.pk)  # has asked, and is not in
    seen = {
        user.username: events_at(at_token(feed_renew(user.pk).token)).keys()
        for user in (founder, member, guest, stranger)
    }
    assert seen == {
        "founder": {key(private), key(inner), key(public)},
        "member": {key(inner), key(public)},
        "guest": set(),
        "stranger": set(),
    }
    club_leave(user=member, club_id=open_club.pk)
    assert not events_at(at_token(CalendarFeed.objects.get(user=member).token))


def test_ones_own_calendar_has_what_one_entered_and_ones_matches(people, dice):
    players = people(4)
    mine, _other = held(named("founder")), held(named("second"), "Not entered")
    tournament_enter(user=players[0], tournament_id=mine.pk)
    User.objects.filter(pk=players[0].pk).update(language="de")
    address = at_token(feed_renew(players[0].pk).token)
    assert events_at(address).keys() == {key(mine)}
    sit_and_go = knockout(4)
    entered(sit_and_go, players)
    meeting = next(each for each in called(sit_and_go) if players[0].pk in each.players)
    events = events_at(address)
    match = f"match-{sit_and_go.pk}-{meeting.number}"
    assert events.keys() == {key(mine), key(sit_and_go), match}
    (other,) = {*meeting.players} - {players[0].pk}
    opponent = User.objects.get(pk=other)
    assert calendars.text(events[match]["SUMMARY"]) == f"Match gegen {opponent.username} (Friday)"
    assert utc(events[match]["DTSTART"]) == meeting.called_at.replace(microsecond=0)
    assert utc(events[match]["DTEND"]) == meeting.due_at.replace(microsecond=0)
    played(meeting, players[0])
    assert events_at(address)[match]["SEQUENCE"] == "1"


def test_what_began_long_ago_is_left_out(people, monkeypatch):
    tournament = held(named("founder"))
    later = timezone.now() + timedelta(days=40)
    monkeypatch.setattr(feeds.timezone, "now", lambda: later)
    assert key(tournament) not in events_at(PUBLIC)


def test_an_address_is_renewed_ended_and_closed_with_the_account(people):
    user = named("reader")
    first = feed_renew(user.pk).token
    assert feed_at(first).user == user
    second = feed_renew(user.pk).token
    assert (feed_at(first), feed_at(second).user) == (None, user)
    feed_end(user.pk)
    assert feed_at(second) is None
    third = feed_renew(user.pk).token
    user_disable(user)
    assert Client().get(at_token(third)).status_code == 404
    rows_age(User.objects.filter(pk=user.pk), is_active=True)
    assert Client().get(at_token(third)).status_code == 404  # closing ended it for good
    fourth = feed_renew(user.pk).token
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert feed_at(fourth) is None
    person_erase(User.objects.get(pk=user.pk))
    assert not CalendarFeed.objects.exists()


def test_no_address_can_be_made_from_what_the_database_has(people):
    feed = feed_renew(named("reader").pk)
    value = f"{feed.user_id}.{feed.serial}"
    forged = [
        value,
        Signer(salt="accounts.calendar", sep=".", key="another").sign(value),
        Signer(sep=".").sign(value),
        feed.token[:-1] + ("A" if feed.token[-1] != "A" else "B"),
        f"9{feed.token}",
        "x",
    ]
    for each in forged:
        assert Client().get(at_token(each)).status_code == 404, each
    assert Client().get(at_token(feed.token)).status_code == 200


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonLines()], ids=["text", "json"])
def test_no_line_of_the_log_has_an_address(people, formatter):
    address = at_token(feed_renew(named("reader").pk).token)
    said = 'GET "%s" and %s?x=1'
    record = logging.LogRecord("a", logging.ERROR, "", 1, said, (address, address), None)
    line = formatter.format(record)
    assert line.count("/calendar/***") == 2
    assert re.search(r"/calendar/[0-9]", line) is None


def test_who_asks_too_often_waits(people, monkeypatch):
    monkeypatch.setattr(feeds, "OWN", Rate(2, 3_600))
    monkeypatch.setattr(feeds, "PUBLIC", Rate(2, 3_600))
    for address in (at_token(feed_renew(named("reader").pk).token), PUBLIC):
        answers = [Client(REMOTE_ADDR="203.0.113.9").get(address) for _number in range(3)]
        assert [each.status_code for each in answers] == [200, 200, 429]
        assert int(answers[2]["Retry-After"]) > 0


def test_the_page_makes_renews_and_ends_the_address(people):
    user = named("reader")
    client, page = client_of(user), reverse("calendar_settings")
    assert page in client.get(reverse("settings")).content.decode()
    assert page in client.get(reverse("tournaments")).content.decode()
    assert Client().get(page).status_code == 302
    assert "webcal://testserver/tournaments/calendar.ics" in (
        Client().get(reverse("tournaments")).content.decode()
    )
    assert "/calendar/" not in re.sub("/settings/calendar/", "", client.get(page).content.decode())
    tokens = []
    for _number in range(2):
        shown = client.post(page, {"wish": "renew"}, follow=True)
        token = CalendarFeed.objects.get(user=user).token
        assert f"webcal://testserver{at_token(token)}" in shown.content.decode()
        assert "no-store" in shown["Cache-Control"]
        tokens.append(token)
    assert [Client().get(at_token(each)).status_code for each in tokens] == [404, 200]
    client.post(page, {"wish": "end"})
    assert Client().get(at_token(tokens[1])).status_code == 404
