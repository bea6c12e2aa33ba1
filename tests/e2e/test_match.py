"""A whole match to five points between two browsers, by clicking and tapping alone."""

import contextlib
import io
import json
from decimal import Decimal

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from accounts.models import User
from games.models import Match, Table
from games.selectors import table_state
from games.services.tables import table_join, table_open
from games.table.rights import actions
from games.table.state import TableState
from ledger.selectors import house_totals, wallet_balance
from ratings.selectors import rating_of
from tests.e2e.hands import PHONE, Hands

pytestmark = pytest.mark.django_db(transaction=True)

STEPS_MAX = 400
#: the opener wins a gammon with the fewest rolls, as the guest's last checkers leave too late
FIRST = [(6, 6), (6, 6), (6, 6), (5, 5), (6, 6), (6, 6), (6, 6), (6, 6), (3, 3)]
SECOND = [(3, 1), (4, 2), (5, 4), (2, 1), (5, 4), (6, 4), (3, 1), (3, 1), (2, 1)]
DICE = [roll for both in zip(FIRST, SECOND, strict=True) for roll in both]


def come_in(player, **context) -> tuple[Hands, Hands]:
    """Two players, one on a desktop and one on a phone."""
    one = Hands(player("magriel", viewport={"width": 1280, "height": 800}, **context))
    return one, Hands(player("hilde", **PHONE, **context), taps=True)


def seat_down(player, **context) -> tuple[Hands, Hands, Table]:
    """Open a table in one browser and sit down in the other; both show the first game."""
    one, two = come_in(player, **context)
    one.page.goto("/play/open/?mode=prize5")
    one.press(one.page.locator("#open-form form > button").first)
    one.sees_phase("open")
    two.page.goto("/play/")
    two.press(two.page.locator('a[id^="join-"]'))
    two.press(two.page.locator("main form button").first)
    for hands in (one, two):
        hands.sees_phase("roll")
    return one, two, Table.objects.get()


def take_seats(player) -> tuple[Hands, Hands, Table]:
    """Seat both players, then open the table's page in each browser."""
    hands = come_in(player)
    users = [User.objects.get(username=name) for name in ("magriel", "hilde")]
    table = table_open(user=users[0], mode="prize5", stake_cents=250)
    table_join(user=users[1], table_id=table.pk)
    for each in hands:
        each.page.goto(f"/table/{table.pk}/")
        each.sees_phase("roll")
    return *hands, table


def step(hands: tuple[Hands, Hands], state: TableState) -> None:
    """One decision in the browser of the decider. The opener doubles when possible."""
    if state.phase == "between_games":
        for each in hands:
            each.do("ready")
        return
    seat = state.decider
    match state.phase:
        case "roll" if seat == 0 and "double" in actions(state, 0):
            hands[0].do("double")
        case "roll":
            hands[seat].do("roll")
        case "play":
            hands[seat].play()
        case "double_offered":
            hands[seat].do("take")


def play_on(
    hands: tuple[Hands, Hands], table: Table, until: str, *, seat: int | None = None
) -> TableState:
    """Play step by step, with both pages up to date, until `seat` must decide in phase `until`."""
    for _ in range(STEPS_MAX):
        table.refresh_from_db()
        state = table_state(table)
        for each in hands:
            each.sees(table.seq)
        if state.phase == until and seat in (None, state.decider):
            return state
        step(hands, state)
        for each in hands:
            each.sees(table.seq + 1)
    raise AssertionError(f"the match never came to {until}")


@pytest.mark.slow
def test_a_match_with_double_take_gammon_crawford_game_and_resignation(player, dice, shots):
    dice(*DICE)
    one, two, table = seat_down(player)
    first = play_on((one, two), table, "between_games")
    assert (first.match.last_game.level, first.match.last_game.cube) == (2, 2)
    assert first.match.score == (4, 0)
    shots(one.page, "table-between-games-desktop")
    one.do("ready")
    two.do("ready")
    one.sees(first.seq + 2)
    table.refresh_from_db()
    assert table_state(table).game.crawford
    expect(one.page.locator('[data-fact="crawford"]')).to_be_visible()
    play_on((one, two), table, "play", seat=1)
    two.resign()  # a plain game ends the match, so nobody can refuse it
    for each in (one, two):
        each.sees_phase("over")
    table.refresh_from_db()
    last = table_state(table)
    assert (last.match.result.winner, last.match.score) == (0, (5, 0))
    check_settled(one, two, winner=0)
    shots(one.page, "result-desktop")
    shots(two.page, "result-phone")
    check_pages(one, two, winner=0)
    assert one.page.problems == []
    assert two.page.problems == []


def check_settled(one: Hands, two: Hands, winner: int) -> None:
    """Check both tables, both wallets, the rake, both ratings and the audit."""
    users = User.objects.get(username="magriel"), User.objects.get(username="hilde")
    match = Match.objects.get()
    assert match.winner_seat == winner
    assert wallet_balance(users[winner].pk) == 10_000 - 250 + 450
    assert wallet_balance(users[1 - winner].pk) == 10_000 - 250
    assert house_totals().rake_cents == 50
    elos = [rating_of(user.pk, "prize").elo for user in users]
    assert elos[winner] > Decimal(1500) > elos[1 - winner]
    assert sum(elos) == Decimal(3000)
    for seat, hands in enumerate((one, two)):
        card = hands.page.locator("#result")
        expect(card).to_be_visible()
        expect(card).to_contain_text(whole(elos[seat]))
        strip = hands.page.locator('[data-player="me"] [data-slot="elo"]')
        expect(strip).to_have_text(whole(elos[seat]))
        balance = "102,00" if seat == winner else "97,50"
        expect(card.locator("#result-facts dd").last).to_contain_text(balance)
        expect(hands.page.locator("#balance")).to_contain_text(balance)
    answer = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("audit", "--json", stdout=answer)
    report = json.loads(answer.getvalue())
    assert not [check for check in report["checks"] if check["findings"]]
    call_command("ratings_replay", "--check", stdout=io.StringIO())


def check_pages(one: Hands, two: Hands, winner: int) -> None:
    """Check the pages of both wallets and the ranking list."""
    names = "magriel", "hilde"
    for seat, hands in enumerate((one, two)):
        hands.page.goto("/wallet/")
        balance = "102,00" if seat == winner else "97,50"
        expect(hands.page.locator("main")).to_contain_text(balance)
        hands.page.goto("/ranking/")
        rows = hands.page.locator("table tbody tr")
        expect(rows.first).to_contain_text(names[winner])
        expect(rows.nth(1)).to_contain_text(names[1 - winner])


def whole(elo: Decimal) -> str:
    return str(int(elo.quantize(Decimal(1))))


@pytest.mark.slow
@pytest.mark.parametrize("leaver", [0, 1], ids=["opener on a desktop", "guest on a phone"])
def test_leaving_in_the_middle_of_a_match_forfeits_it(player, dice, leaver):
    dice(*DICE)
    one, two, table = take_seats(player)
    hands = (one, two)
    for _ in range(3):
        table.refresh_from_db()
        for each in hands:
            each.sees(table.seq)
        step(hands, table_state(table))
        for each in hands:
            each.sees(table.seq + 1)
    hands[leaver].leave()
    for each in hands:
        each.sees_phase("over")
    assert Match.objects.get().ending == "left"
    check_settled(one, two, winner=1 - leaver)
