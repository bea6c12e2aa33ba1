"""Pages of tournaments change by the socket, and by asking again where there is none."""

import time
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings
from playwright.sync_api import Page, expect

from games.broadcast import publish
from games.live.places import ENTRY_SECONDS, SOCKETS_MAX, places_key
from games.table import commands as cmd
from games.wire import encode
from harness.sitting import Sitting
from harness.tournaments import called, knockout
from harness.waiting import WAIT_SECONDS
from tests.desk.test_browser import DESKTOP
from tests.tournaments.test_club_talk import closed, say
from tournaments.engine.terms import TournamentTerms
from tournaments.services.clubs import member_set
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on
from tournaments.services.store import changed, channel

#: long before a page with a socket asks by itself, which it does every 30 s


class Looker:
    """A page, with what it has received and fetched: "report" and "fetch", in this order."""

    def __init__(self, page, address: str) -> None:
        self.page = page
        self.seen: list[str] = []
        page.on("websocket", self._opened)
        page.on("requestfinished", self._fetched)
        page.goto(address)

    def _opened(self, socket) -> None:
        if "/ws/tournament" in socket.url:
            socket.on("framereceived", lambda _frame: self.seen.append("report"))

    def _fetched(self, request) -> None:
        asked = urlsplit(request.url)
        if "hx-request" in request.headers and asked.path.startswith("/tournaments/"):
            self.seen.append("fetch")

    def is_connected(self) -> None:
        """Return once the page has fetched what changed before the socket reported anything."""
        ends = time.monotonic() + WAIT_SECONDS
        while not ("report" in self.seen and "fetch" in self.seen[self.seen.index("report") :]):
            assert time.monotonic() < ends, f"no report and then a fetch: {self.seen}"
            self.page.wait_for_timeout(50)
        self.seen.clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_an_entry_appears_in_other_browsers_without_asking(player, people):
    one, two = people(2, 0)
    tournament = knockout(4)
    looker = Looker(player(None, locale="en-GB"), f"/tournaments/{tournament.pk}/")
    lister = Looker(player(one.username, locale="en-GB"), "/tournaments/")
    for each in (looker, lister):
        each.is_connected()
    tournament_enter(user=two, tournament_id=tournament.pk)
    entrants = looker.page.locator(".entrants")
    expect(entrants).to_contain_text(two.username)
    seats = lister.page.locator(f"[data-tournament='{tournament.pk}'] .seats")
    expect(seats).to_contain_text("1 of 4")
    assert (looker.seen, lister.seen) == (["report", "fetch"], ["report", "fetch"])
    assert looker.page.problems + lister.page.problems == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_who_looks_fetches_once_in_four_seconds_whatever_is_reported(player, monkeypatch):
    monkeypatch.setattr("tournaments.live.PAUSE_SECONDS", 0.0)
    tournament = knockout(4)
    looker = Looker(player(None, locale="en-GB"), f"/tournaments/{tournament.pk}/")
    looker.is_connected()
    began = time.monotonic()
    for _ in range(40):
        publish(channel(tournament.pk), encode(changed(0)))
        looker.page.wait_for_timeout(75)
    assert looker.seen.count("report") > 20
    assert looker.seen.count("fetch") <= 1 + (time.monotonic() - began) / 4, looker.seen


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_who_waits_is_taken_to_the_table_and_who_looks_sees_the_score(player, people, dice):
    users = people(4, 0)
    terms = TournamentTerms("knockout", length=3, least=4, most=4)
    tournament = tournament_hold(founder=None, name="Friday", terms=terms, offer="to-three")
    for user in users:
        tournament_enter(user=user, tournament_id=tournament.pk)
    tournament_move_on(tournament.pk)
    meeting = called(tournament)[0]
    address = f"/tournaments/{tournament.pk}/"
    looker = Looker(player(None, locale="en-GB"), address)
    waiter = Looker(player(meeting.player_0.username, locale="en-GB"), address)
    waiter.is_connected()
    waiter.page.get_by_role("button", name="To the match").click()
    expect(waiter.page.get_by_test_id("my-match")).to_contain_text("is called")
    waiter.is_connected()
    meeting_ready(user=meeting.player_1, tournament_id=tournament.pk)
    waiter.page.wait_for_url("**/table/**")
    looker.is_connected()
    meeting.refresh_from_db()
    game_resigned(Sitting(meeting.table, (meeting.player_0, meeting.player_1)))
    score = looker.page.locator(".match-live .side-score")
    expect(score.get_by_text("1", exact=True)).to_be_visible()
    assert looker.page.problems + waiter.page.problems == []


def game_resigned(sitting: Sitting) -> None:
    """After a turn the player on roll resigns the game; the match goes on."""
    sitting.turn()
    loser = sitting.state.game.on_roll
    sitting.give(loser, cmd.OfferResignation(level=1))
    sitting.give(1 - loser, cmd.AcceptResignation())


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_without_a_socket_the_page_asks_every_few_seconds(player, people):
    one, two = people(2, 0)
    tournament = knockout(4)
    ends = time.time() + ENTRY_SECONDS
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.zadd(places_key(one.pk), {f"elsewhere-{n}": ends for n in range(SOCKETS_MAX)})
    looker = Looker(player(one.username, locale="en-GB"), f"/tournaments/{tournament.pk}/")
    tournament_enter(user=two, tournament_id=tournament.pk)
    expect(looker.page.locator(".entrants")).to_contain_text(two.username)


# --- the talk of a club ---------------------------------------------------------------------------
__all__ = ["closed"]


@pytest.mark.slow
def test_a_former_member_keeps_no_line_of_a_closed_club_on_the_page(player, closed: Any) -> None:
    club, one, two, _three = closed
    say(club, one, "eight o'clock")
    page: Page = player(two.username, locale="en-GB", **DESKTOP)
    page.goto(f"/clubs/{club.pk}/")
    talk = page.locator("#club-talk")
    expect(talk).to_contain_text("eight o'clock")
    member_set(director=one, club_id=club.pk, user_id=two.pk, standing="")
    expect(talk).to_be_empty()
    expect(page.locator("[hx-get*='/talk/']")).to_have_count(0)  # it asks no more
