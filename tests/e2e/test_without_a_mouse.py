"""A whole game by keys alone, from the lobby to the result; and one in words alone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Match, Table, TableEvent
from games.selectors import table_state
from games.services.tables import table_join, table_open
from tests.page_pool import BY_HAND

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

#: three checkers each: hits, entering and bearing off in eight turns or ten.
ROLLS = [(6, 3), (5, 5), (5, 5), (5, 5), (5, 5), (6, 4), (6, 4), (6, 6), (5, 4), (5, 3)]
TURNS_MAX = 30
TABS_MAX = 120
FOCUS = "() => document.activeElement?.dataset.point ?? ''"


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this has the focus, as people without a mouse do."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}")


def walk_to(page: Page, place: str) -> None:
    """Bring the board's focus to a place with the arrow keys."""
    upper = place == "bar" or int(place) > 12
    page.keyboard.press("Home" if upper else "End")
    while page.evaluate(FOCUS) != place:
        before = page.evaluate(FOCUS)
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(FOCUS) != before, f"no arrow leads from {before} to {place}"


def movable(page: Page) -> str:
    """The rearmost place from which a checker can move, by the labels of the board."""
    told = page.locator('.bg-liftable[role="button"], .bg-liftable[aria-label]')
    names = told.evaluate_all("all => all.map(each => each.dataset.point)")
    return str(max(names, key=lambda name: 25 if name == "bar" else int(name)))


def play(page: Page) -> None:
    """A play, the rearmost checker first, and Enter to send it."""
    done = page.locator('[data-action="done"]')
    while not done.is_enabled():
        walk_to(page, movable(page))
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")


def seen(page: Page, table: Table) -> Any:
    """The state of the table, once the page shows it."""
    table.refresh_from_db()
    page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=table.seq)
    return table_state(table)


def happened() -> set[str]:
    """The kinds of moves in the game besides those from point to point."""
    plays = TableEvent.objects.filter(type="play_made").values_list("payload__text", flat=True)
    marks = {"*": "hit", "bar/": "entered"}
    return {word for mark, word in marks.items() if any(mark in play for play in plays)}


def told_more(page: Page, seq: int) -> None:
    page.wait_for_function("seq => Number(document.body.dataset.seq) > seq", arg=seq)


def test_a_game_is_played_to_its_end_by_keys_alone(player, dice) -> None:
    """Both sides at one board, which turns to the decider."""
    dice(*ROLLS)
    page = player("hilde", locale="en-GB")
    page.context.add_cookies([BY_HAND])
    page.goto("/play/practice/?strength=alone&variant=hypergammon")
    tab_to(page, "#practice .button-primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-my-turn=true]")
    table = Table.objects.get()
    tab_to(page, "[data-point]")
    for _ in range(TURNS_MAX):
        state = seen(page, table)
        if state.phase == "over":
            break
        page.wait_for_selector("body[data-my-turn=true][data-free=true]")
        page.keyboard.press("Space") if state.phase == "roll" else play(page)
        told_more(page, table.seq)
    assert state.match.last_game.ending == "borne_off"
    assert {"hit", "entered"} <= happened()
    expect(page.locator("#result-title")).to_be_focused()
    tab_to(page, '#result a[href="/play/"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/")
    assert page.problems == []


def enter(page: Page, text: str) -> None:
    page.locator("#typed").fill(text)
    page.locator("#typed").press("Enter")


def play_in_words(page: Page) -> None:
    """Type the first listed move until the play is complete, then an empty line."""
    draft, answer = page.locator("#words-draft"), page.locator("#typed-answer")
    while page.locator("#words-next li").count():
        before = draft.inner_text()
        enter(page, page.locator("#words-next li").first.inner_text())
        expect(draft).not_to_have_text(before)
        expect(answer).not_to_be_empty()
    enter(page, "")


@pytest.mark.slow
def test_a_game_is_played_to_its_end_in_words(player, dice) -> None:
    """Two people, one in German and one in English, who play without the board."""
    dice(*ROLLS)
    users = [User.objects.create_user(name) for name in ("magriel", "hilde")]
    table = table_open(user=users[0], mode="normal", variant="hypergammon")
    table_join(user=users[1], table_id=table.pk)
    pages = (player("magriel"), player("hilde", locale="en-GB"))
    for page in pages:
        page.goto(f"/table/{table.pk}/")
        page.locator('[data-action="text_view"]').press("Enter")
        expect(page.locator("svg.bg")).to_be_hidden()
        expect(page.locator("#typed")).to_be_focused()
    for _ in range(TURNS_MAX):
        states = [seen(page, table) for page in pages]
        state = states[0]
        if state.phase == "over":
            break
        page = pages[state.decider]
        page.wait_for_selector("body[data-my-turn=true][data-free=true]")
        if state.phase == "roll":
            enter(page, ("würfeln", "roll")[state.decider])
        else:
            play_in_words(page)
        told_more(page, table.seq)
    assert Match.objects.get().ending == "borne_off"
    assert {"hit", "entered"} <= happened()
    winner = Match.objects.get().winner_seat
    for seat, page in enumerate(pages):
        told = ("Du gewinnst", "You win")[seat] if seat == winner else users[winner].username
        expect(page.locator("#result-title")).to_contain_text(told)
        assert page.problems == []


def test_the_turn_to_roll_off_is_announced(player) -> None:
    """A screen reader says so to a player who waited at the open table."""
    users = [User.objects.create_user(name) for name in ("magriel", "hilde")]
    table = table_open(user=users[0], mode="normal", start_rule="roll_off_use")
    page = player("magriel", locale="en-GB")
    page.goto(f"/table/{table.pk}/")
    expect(page.locator("body")).to_have_attribute("data-phase", "open")
    page.wait_for_selector("body[data-free=true]")
    table_join(user=users[1], table_id=table.pk)
    expect(page.locator("body")).to_have_attribute("data-phase", "roll_off")
    expect(page.locator("#status")).to_contain_text("Your turn")
    assert page.problems == []
