"""The list of chouettes follows by itself, and players read the results of their games."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.chouette import commands as cmd
from games.chouette.pace import PAUSE_MS
from harness.chouettes import Hands
from tests.desk.test_browser import DESKTOP, PHONE

pytestmark = pytest.mark.slow


def test_a_chouette_opens_fills_begins_and_ends_before_the_readers_eyes(
    player: Any, people: Any
) -> None:
    reader, *three = people(4)
    pages = [
        player(reader.username, locale="en-GB", **DESKTOP),
        player(None, locale="en-GB", **PHONE),
    ]
    for page in pages:
        page.goto("/chouette/")
        page.mouse.move(0, 0)
        expect(page.get_by_text("No chouette at the moment")).to_be_visible()
    hands = Hands(three[:1])
    seen(pages, hands, three[0].username, "Before the first game", "5 places free")
    hands.sit_at(hands.circle, three)
    seen(pages, hands, ", ".join(each.username for each in three), "3 places free")
    hands.later(PAUSE_MS)
    seen(pages, hands, "Game 1")
    a_reader_who_points_at_the_list_keeps_it(pages[0], hands)
    for each in three:
        if each.pk in [person["id"] for person in hands.view()["people"]]:
            hands.do(each.pk, cmd.StandUpNow())
    for page in pages:
        expect(page.get_by_text("No chouette at the moment")).to_be_visible()
        assert page.problems == []


def seen(pages: list[Page], hands: Hands, *texts: str) -> None:
    """Every page shows the table with these texts, without being loaded again."""
    for page in pages:
        card = page.locator(f'[data-table="{hands.circle.pk}"]')
        for text in texts:
            expect(card).to_contain_text(text)


def a_reader_who_points_at_the_list_keeps_it(page: Page, hands: Hands) -> None:
    """A button offers the news while the pointer is over the list."""
    card = page.locator(f'[data-table="{hands.circle.pk}"]')
    card.hover()
    box = hands.view()["people"][0]["id"]
    hands.do(box, cmd.StandUpNow())
    button = page.get_by_role("button", name="The list has changed. Refresh")
    expect(button).to_be_visible()
    expect(card).to_contain_text("3 places free")
    button.click()
    expect(card).to_contain_text("4 places free")
    page.mouse.move(0, 0)


# --- results --------------------------------------------------------------------------------------
def test_the_result_of_the_second_game_is_shown_and_stands_first(player, people):
    players = people(5)
    hands = Hands(players)
    page = player(players[0].username, locale="en-GB", **DESKTOP)
    page.goto(f"/chouette/{hands.circle.pk}/")
    for number in (1, 2):
        hands.begin()
        box = hands.view()["people"][0]["id"]
        hands.do(box, cmd.StandUpNow())
        expect(page.locator("#ask-title")).to_contain_text(f"Game {number} is over")
        expect(page.locator("#ask-text")).to_contain_text("(box)")
        expect(page.locator("#games li").first).to_contain_text(f"Game {number}")
