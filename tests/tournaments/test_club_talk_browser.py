"""The talk of a club on a page that stays open."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.desk.test_browser import DESKTOP
from tests.tournaments.test_club_talk import closed, say
from tournaments.services.clubs import member_set

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
