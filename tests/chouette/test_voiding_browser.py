"""Players at a chouette read at once that their game was voided."""

import pytest
from playwright.sync_api import expect

from harness.chouettes import Hands
from tests.chouette.test_voiding import running, staff, void
from tests.desk.test_browser import DESKTOP, PHONE

pytestmark = pytest.mark.slow


def test_players_read_that_their_game_is_voided(player, people):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    pages = [
        player(user.username, locale=locale, color_scheme=colours, **screen)
        for user, locale, colours, screen in zip(
            players, ("en-GB", "de-DE"), ("light", "dark"), (DESKTOP, PHONE), strict=False
        )
    ]
    for page in pages:
        page.goto(f"/chouette/{hands.circle.pk}/")
        expect(page.locator("#room")).to_be_visible()
    void(running(hands), staff("anna"))
    for page, words in zip(
        pages, ("all stakes went back", "alle Einsätze gingen zurück"), strict=True
    ):
        expect(page.locator("#ask-text")).to_contain_text(words)
