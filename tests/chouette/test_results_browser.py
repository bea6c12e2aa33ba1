"""After a game its players read its result, also after the second one."""

import pytest
from playwright.sync_api import expect

from games.chouette import commands as cmd
from harness.chouettes import Hands
from tests.desk.test_browser import DESKTOP

pytestmark = pytest.mark.slow


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
