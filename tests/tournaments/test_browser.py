"""Eight people play a sit-and-go for credits in their browsers, on desktops and phones."""

import pytest
from playwright.sync_api import expect

from accounts.models import User
from games.kinds import kind_move_on
from games.models import Deadline, Table
from games.selectors import table_state
from games.services.tables import table_wake
from harness.tournaments import called, entered, knockout
from ledger import audit
from ledger.selectors import account_balance, wallet_balance
from tests.desk.test_browser import DESKTOP, PHONE
from tests.e2e.hands import Hands
from tests.tournaments.conftest import late
from tournaments.models import Entry, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

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
