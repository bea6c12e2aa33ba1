"""Series and matches of any length between two browsers, from the form to the result.

The browsers open the table, sit down, double, play some turns and show the result; the services
play what lies between. One browser is a desktop, the other a phone; one is German, the other
English.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from random import Random
from urllib.parse import urlencode
from uuid import uuid4

import msgspec
import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from accounts.models import User
from games.models import Match, Table
from games.selectors import table_state
from games.services.tables import table_command
from games.table import commands as cmd
from games.table.state import TableState
from games.table.view import table_view
from harness.hands import Json, decide
from harness.player import RESIGNS, Plan
from ledger.selectors import wallet_balance
from tests.e2e.hands import PHONE, Hands
from tests.e2e.test_match import seat_down, step

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
GERMAN, ENGLISH = {"locale": "de-DE"}, {"locale": "en-GB"}
COMMANDS_MAX = 4_000

#: rolls that do not repeat within a match
ROLLS = [(Random(n).randint(1, 6), Random(-n - 1).randint(1, 6)) for n in range(1009)]


class Quiet(Random):
    """A player who never doubles, resigns or drops."""

    def random(self) -> float:
        return 0.5


def sit_down(player, languages: tuple[Json, Json], **terms: object) -> tuple[Hands, Hands, Table]:
    """Open a table in one browser by its form and sit down in the other, a phone."""
    one = Hands(player("magriel", **DESKTOP, **languages[0]))
    two = Hands(player("hilde", **PHONE, **languages[1]), taps=True)
    one.page.goto(f"/play/open/?{urlencode(terms)}")
    one.press(one.page.locator("#open-form button.button-wide"))
    one.sees_phase("open")
    table = Table.objects.get()
    two.page.goto("/play/")
    two.press(two.page.locator('a[id^="join-"]'))
    two.press(two.page.locator("main form button").first)
    for hands in (one, two):
        hands.sees(3)
    return one, two, table


def drive(table: Table, until: Callable[[TableState], bool]) -> TableState:
    """Let the services play until this holds. Nobody doubles, resigns or leaves."""
    table.refresh_from_db()
    users = [table.opener_id, table.guest_id]
    rng, plan = Quiet(1), Plan()
    for _ in range(COMMANDS_MAX):
        table.refresh_from_db()
        state = table_state(table)
        if until(state):
            return state
        view: Json = msgspec.to_builtins(table_view(state))
        for seat in (0, 1):
            wish = plan.wish(view, seat) or decide(view, seat, rng, resigns=RESIGNS)
            if wish is not None:
                table_command(
                    table_id=table.pk,
                    user_id=users[seat],
                    command_id=str(uuid4()),
                    seen_seq=table.seq,
                    command=msgspec.convert(wish, cmd.PlayerCommand),
                )
                break
    raise AssertionError("the match never comes to that")


def some_turns(hands: tuple[Hands, Hands], table: Table, turns: int = 3) -> None:
    """Some decisions by clicking and tapping."""
    for _ in range(turns):
        table.refresh_from_db()
        for each in hands:
            each.sees(table.seq)
        state = table_state(table)
        if state.phase == "roll_off":
            hands[0].do("roll")
        else:
            step(hands, state)
        for each in hands:
            each.sees(table.seq + 1)


def look_again(hands: tuple[Hands, Hands], table: Table) -> None:
    """Load both pages again, as nobody follows what the services played in no time."""
    table.refresh_from_db()
    for each in hands:
        each.page.reload()
        each.sees(table.seq)


def finish(hands: tuple[Hands, Hands], table: Table) -> Match:
    """Play to the end; both browsers show the result and complain about nothing."""
    drive(table, lambda state: state.phase == "over")
    look_again(hands, table)
    for each in hands:
        each.sees_phase("over")
        expect(each.page.locator("#result")).to_be_visible()
        assert each.page.problems == []
    return Match.objects.get()


def books_agree() -> None:
    """The audit finds nothing and the ratings replay."""
    answer = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("audit", "--json", stdout=answer)
    assert [check for check in json.loads(answer.getvalue())["checks"] if check["findings"]] == []
    call_command("ratings_replay", "--check", stdout=io.StringIO())


def test_a_match_of_plakoto_without_credits(player, dice):
    dice(*ROLLS)
    one, two, table = sit_down(
        player, (GERMAN, ENGLISH), mode="match", variant="plakoto", target_points=3
    )
    some_turns((one, two), table)
    match = finish((one, two), table)
    assert max(match.score) >= 3
    assert (match.stake_cents, match.variant) == (0, "plakoto")
    balances = {wallet_balance(user.pk) for user in User.objects.filter(username__in=NAMES)}
    assert balances == {10_000}
    books_agree()


NAMES = ("magriel", "hilde")


def test_a_tavli_match(player, dice):
    dice(*ROLLS)
    one, two, table = sit_down(player, (ENGLISH, GERMAN), mode="tavli", target_points=3)
    some_turns((one, two), table)
    drive(table, lambda state: state.phase == "play" and state.game.number == 2)
    look_again((one, two), table)
    for each in (one, two):
        expect(each.page.locator("body")).to_contain_text("Plakoto")
    match = finish((one, two), table)
    assert max(match.score) >= 3
    books_agree()


def test_a_match_to_seven_points_with_the_crawford_game(player, dice):
    dice(*ROLLS)
    one, two, table = sit_down(
        player, (GERMAN, ENGLISH), mode="match", variant="backgammon", target_points=7
    )
    hands = (one, two)
    drive(table, lambda state: state.phase == "roll" and state.decider == 0 and state.seq > 8)
    look_again(hands, table)
    one.do("double")
    two.sees_phase("double_offered")
    two.do("take")
    one.sees_phase("play")  # the house has rolled by itself: the cube is not theirs
    state = drive(table, lambda state: bool(state.game and state.game.crawford))
    assert max(state.match.score) == 6
    look_again(hands, table)
    for each in hands:
        # on a phone it stands in the panel
        fact = each.page.locator('[data-fact="crawford"]')
        expect(fact).to_contain_text("Crawford")
        expect(fact).to_have_js_property("hidden", False)
        expect(each.page.locator('[data-action="double"]')).to_be_hidden()
    match = finish(hands, table)
    assert max(match.score) >= 7
    books_agree()


def test_a_money_session_with_jacoby_and_beavers_that_one_leaves(player, dice):
    dice(*ROLLS)
    one, two, table = sit_down(
        player,
        (ENGLISH, GERMAN),
        mode="session",
        base="0.50",
        jacoby="True",
        beavers="True",
    )
    hands = (one, two)
    terms = table_state(table).terms
    assert (terms.stake_cents, terms.rate_cents) == (1_500, 50)
    assert (terms.jacoby, terms.beavers) == (True, True)
    drive(table, lambda state: state.phase == "play" and state.game.number == 2)
    look_again(hands, table)
    two.leave()
    for each in hands:
        each.sees_phase("over")
        expect(each.page.locator("#result")).to_be_visible()
        assert each.page.problems == []
    match = Match.objects.get()
    assert (match.ending, sum(match.paid_cents) + match.rake_cents) == ("left", 3_000)
    for seat, name in enumerate(NAMES):
        user = User.objects.get(username=name)
        assert wallet_balance(user.pk) == 10_000 - 1_500 + match.paid_cents[seat]
    books_agree()


# --- standing up before the first roll ------------------------------------------------------------
def test_the_openers_page_goes_to_the_table_that_is_open_again(player, shots):
    one, two, old = seat_down(player)
    for _ in range(3):
        one.sees_phase("roll")
        two.do("panel", "stand_up")
        expect(two.page.locator("#result")).to_be_visible()
        successor = Table.objects.get(phase="open")
        one.page.wait_for_url(f"**/table/{successor.pk}/")
        one.sees_phase("open")
        expect(one.page.locator("#toasts")).to_contain_text("Dein Tisch ist wieder offen")
        shots(one.page, "standing-up-opener")
        shots(two.page, "standing-up-guest")
        two.page.goto("/play/")
        two.press(two.page.locator('a[id^="join-"]'))
        two.press(two.page.locator("main form button").first)
    expect(two.page.locator('[data-testid="pause"]')).to_be_visible()
    expect(two.page.locator("#messages")).to_contain_text("Du kannst wieder Platz nehmen")
    shots(two.page, "standing-up-pause")
    assert Table.objects.exclude(phase="closed").get().phase == "open"
    assert old.pk != successor.pk
