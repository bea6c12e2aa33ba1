"""Tournaments in real browsers, on desktops and phones, and pages that follow by a socket."""

import time
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings
from playwright.sync_api import Page, expect

from accounts.models import User
from games.broadcast import publish
from games.kinds import kind_move_on
from games.live.places import ENTRY_SECONDS, SOCKETS_MAX, places_key
from games.models import Deadline, Table
from games.selectors import table_state
from games.services.tables import table_wake
from games.table import commands as cmd
from games.wire import encode
from harness.sitting import Sitting
from harness.tournaments import called, entered, knockout
from harness.waiting import WAIT_SECONDS
from ledger import audit
from ledger.selectors import account_balance, wallet_balance
from tests.desk.test_browser import DESKTOP, PHONE
from tests.e2e.hands import Hands
from tests.tournaments.conftest import late
from tests.tournaments.test_club_talk import closed, say
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Entry, Tournament
from tournaments.services.clubs import member_set
from tournaments.services.entering import meeting_ready, tournament_enter
from tournaments.services.holding import tournament_hold
from tournaments.services.running import tournament_move_on
from tournaments.services.store import changed, channel

pytestmark = pytest.mark.slow

MINE = '[data-testid="my-match"]'


def hands_of(player, users) -> dict[int, Hands]:
    """A browser for each of them, every second one on a phone."""
    found = {}
    for number, user in enumerate(users):
        screen = PHONE if number % 2 else DESKTOP
        page = player(user.username, locale="en-GB", **screen)
        found[user.pk] = Hands(page, taps=bool(number % 2))
    return found


def at_the_page(hands, tournament) -> None:
    hands.page.goto(f"/tournaments/{tournament.pk}/")


def enter(hands, tournament) -> None:
    """Enter by the button that says the price."""
    at_the_page(hands, tournament)
    hands.press(hands.page.get_by_role("button", name="Enter for 2.50"))
    expect(hands.page.get_by_test_id("enter")).to_contain_text("You have entered")


def come(meeting, hands) -> Table:
    """Both press the button of their match; the first one is forwarded to the table."""
    first, second = (hands[player] for player in meeting.players)
    for each in (first, second):
        at_the_page(each, meeting.tournament)
        each.press(each.page.locator(f"{MINE} button[value=ready]"))
    for each in (first, second):
        each.page.wait_for_url("**/table/**")
    meeting.refresh_from_db()
    return meeting.table


def play(meeting, hands, loser: int) -> None:
    """Roll in the browser of the player on roll; then the loser leaves the table."""
    table = come(meeting, hands)
    state = table_state(table)
    roller = meeting.players[state.game.on_roll]
    for player in meeting.players:
        hands[player].sees(table.seq)
    hands[roller].do("roll")
    for player in meeting.players:
        hands[player].sees(table.seq + 1)
    hands[loser].leave()
    for player in meeting.players:
        hands[player].sees_phase("over")
    kind_move_on("tournament")


def nobody_comes(meeting, hands, present: int) -> None:
    """One comes, the grace passes, the table opens, and the other one's clock runs out."""
    at_the_page(hands[present], meeting.tournament)
    hands[present].press(hands[present].page.locator(f"{MINE} button[value=ready]"))
    expect(hands[present].page.locator(MINE)).to_contain_text("is called")
    late(meeting)
    hands[present].page.wait_for_url("**/table/**")
    hands[present].sees(meeting.table.seq)
    hands[present].do("roll")
    hands[present].sees(meeting.table.seq + 1)
    due = Deadline.objects.get(table=meeting.table).due_at
    assert table_state(Table.objects.get(pk=meeting.table_id)).decider == 1
    assert table_wake(meeting.table_id, now_ms=int(due.timestamp() * 1000) + 1)
    kind_move_on("tournament")


def test_eight_play_a_sit_and_go_with_an_entry_fee(player, people, dice):
    dice((1, 6), (3, 1))  # the second seat wins the roll-off
    users = people(9)
    *eight, gone = users
    hands = hands_of(player, users)
    tournament = knockout(8, 250)
    enter(hands[gone.pk], tournament)
    page = hands[gone.pk].page
    hands[gone.pk].press(page.get_by_role("button", name="Withdraw"))
    expect(page.get_by_role("button", name="Enter for 2.50")).to_be_visible()
    assert wallet_balance(gone.pk) == 1_000
    for user in eight:
        enter(hands[user.pk], tournament)
    at_the_page(hands[gone.pk], tournament)
    kind_move_on("tournament")
    assert account_balance(f"escrow:{tournament.reference}") == 2_000
    first = called(tournament)
    absent = first[0].players[1]
    nobody_comes(first[0], hands, first[0].players[0])
    for meeting in first[1:]:
        play(meeting, hands, loser=meeting.players[1])
    while meetings := called(tournament):
        for meeting in meetings:
            play(meeting, hands, loser=meeting.players[1])
    everybody_sees_the_end(tournament, hands, eight, absent)
    at_the_page(hands[gone.pk], tournament)
    expect(hands[gone.pk].page.get_by_text("Final standing")).to_be_visible()
    assert wallet_balance(gone.pk) == 1_000
    assert audit.run().finding_count == 0
    assert [hands[user.pk].page.problems for user in users] == [[]] * 9


def everybody_sees_the_end(tournament, hands, eight: list[User], absent: int) -> None:
    """Check each page and each wallet: 900 + 540 + 2 × 180 cents are prizes, 200 the rake."""
    tournament.refresh_from_db()
    assert tournament.phase == "over"
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at=None)
    prizes = {entry.user_id: entry.prize_cents for entry in entries}
    assert sorted(prizes.values()) == [0, 0, 0, 0, 180, 180, 540, 900]
    assert prizes[absent] == 0
    assert account_balance("house_rake") == 200
    for entry in entries:
        assert wallet_balance(entry.user_id) == 750 + entry.prize_cents
        at_the_page(hands[entry.user_id], tournament)
        mine = hands[entry.user_id].page.locator(MINE)
        places = {1: "Place 1 of 8", 2: "Place 2 of 8", 3: "Place 3–4 of 8", 5: "Place 5–8 of 8"}
        expect(mine).to_contain_text(places[entry.first_place])
        change = (entry.prize_cents - 250) / 100
        expect(mine).to_contain_text(f"{change:+.2f}".replace("-", "−"))
    assert len(eight) == len(prizes)


def test_a_seat_left_before_the_first_roll_is_a_lost_match(player, people, dice):
    four = people(4, 0)
    hands = hands_of(player, four)
    tournament = knockout(4)
    entered(tournament, four)
    meeting, _other = called(tournament)
    come(meeting, hands)
    leaver, stayer = (hands[each].page for each in meeting.players)
    expect(leaver.locator(".competition")).to_contain_text("Friday")
    dialog = leaver.locator("#give-up-dialog")
    open_panel(leaver)
    leaver.locator('[data-action="stand_up"]').click()
    expect(dialog).to_contain_text("you lose it")
    dialog.get_by_role("button", name="Stay").click()
    expect(dialog).not_to_be_visible()
    leaver.locator('[data-action="stand_up"]').click()
    dialog.get_by_role("button", name="Leave and lose the match").click()
    card = stayer.locator("#result")
    expect(card).to_contain_text("loses this match of the tournament")
    expect(card.locator('[data-action="rematch"]')).not_to_be_visible()
    card.get_by_role("link", name="To the tournament").click()
    stayer.wait_for_url(f"**/tournaments/{tournament.pk}/")
    kind_move_on("tournament")
    meeting.refresh_from_db()
    assert meeting.decided_at is not None
    expect(stayer.locator(MINE)).to_contain_text("You are still in.")
    assert leaver.problems == stayer.problems == []


def open_panel(page) -> None:
    """On a phone the buttons at the foot lie in a sheet."""
    if page.locator('[data-action="panel"]').is_visible():
        page.locator('[data-action="panel"]').click()


def test_a_club_holds_a_swiss(player, people, dice):
    dice((1, 6), (3, 1))
    four = people(4, 0)
    hands = hands_of(player, four)
    page = hands[four[0].pk].page
    page.goto("/clubs/new/")
    page.locator("[name=name]").fill("Kreuzberg Pips")
    page.get_by_role("button", name="Create club").click()
    expect(page.locator("h1")).to_have_text("Kreuzberg Pips")
    address = page.url
    for user in four[1:]:
        hands[user.pk].page.goto(address)
        hands[user.pk].press(hands[user.pk].page.get_by_role("button", name="Join"))
        expect(hands[user.pk].page.get_by_role("button", name="Leave the club")).to_be_visible()
    page.goto(address)
    page.get_by_role("link", name="Set up a tournament").click()
    page.locator("[name=name]").fill("Tuesday")
    for name, value in {"format": "swiss", "length": "1", "most": "4", "begins": "full"}.items():
        page.locator(f"[name={name}]").select_option(value)
    page.locator("[name=members_only]").check()
    page.get_by_role("button", name="Announce it").click()
    expect(page.locator("h1")).to_have_text("Tuesday")
    tournament = Tournament.objects.get()
    for user in four:
        at_the_page(hands[user.pk], tournament)
        hands[user.pk].press(hands[user.pk].page.get_by_role("button", name="Take a seat"))
        expect(hands[user.pk].page.get_by_test_id("enter")).to_contain_text("You have entered")
    kind_move_on("tournament")
    rounds = 0
    while meetings := called(tournament):
        rounds += 1
        for meeting in meetings:
            play(meeting, hands, loser=meeting.players[1])
    assert rounds == 2
    winner = Entry.objects.get(first_place=1)
    page.goto(address)
    first = page.locator("table tbody tr").first
    expect(first).to_contain_text(winner.user.username)
    expect(first).to_contain_text("12")
    assert [hands[user.pk].page.problems for user in four] == [[]] * 4


def test_the_browser_calculates_the_draw_again(player, people):
    users = people(4)
    tournament = knockout(4)
    hands = hands_of(player, users)
    for user in users:
        at_the_page(hands[user.pk], tournament)
        hands[user.pk].press(hands[user.pk].page.get_by_role("button", name="Take a seat"))
        expect(hands[user.pk].page.get_by_test_id("enter")).to_contain_text("You have entered")
    parts = set(Entry.objects.values_list("part", flat=True))
    assert len(parts) == 4
    kind_move_on("tournament")
    page = hands[users[0].pk].page
    page.goto(f"/tournaments/{tournament.pk}/draw/")
    expect(page.locator("#draw-check")).to_have_attribute("data-result", "right")
    page.evaluate(
        "document.getElementById('draw').textContent ="
        " document.getElementById('draw').textContent.replace(/\"order\": \\[(\\d+), (\\d+)/,"
        " '\"order\": [$2, $1')"
    )
    page.evaluate("import('/static/js/tournaments.js?again')")
    expect(page.locator("#draw-check")).to_have_attribute("data-result", "wrong")
    assert page.problems == []


# --- pages that follow ----------------------------------------------------------------------------
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
