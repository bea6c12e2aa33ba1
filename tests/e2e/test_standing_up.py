"""Standing up before the first roll, in two browsers: the opener's page goes to the open table."""

import pytest
from playwright.sync_api import expect

from games.models import Table
from tests.e2e.test_match import seat_down

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
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
