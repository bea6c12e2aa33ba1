"""Registering, ranking and account in real pages of a real Chromium."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model

from accounts.throttle import Rate, count
from ratings.services import rating_settle
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
NAMES = ("magriel", "hilde", "Jürgen_der_Würfelkönig", "tilo", "barbara", "walter")


@pytest.fixture
def season(live):
    """Six players and a few dozen results, so that every strength is shown."""
    people = [get_user_model().objects.create_user(name) for name in NAMES]
    for number in range(150):
        winner, loser = sorted((number % 6, (number * 5 + 1 + number // 6) % 6))
        if winner != loser:
            rating_settle(
                reference=f"match:{uuid4()}",
                pool="prize",
                winner_id=people[winner].pk,
                loser_id=people[loser].pk,
                n=5,
            )
    return people


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_register_log_out_and_in_again(player, size) -> None:
    page = player(None, locale="en-GB", **size)
    page.goto("/accounts/signup/")
    page.get_by_label(re.compile("^name|^username", re.I)).fill("rnagriel")
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("#id_password2").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url(lambda url: "signup" not in url)
    page.goto("/account/")
    assert page.locator("h1").inner_text() == "rnagriel"
    page.locator("details.menu > summary").click()
    page.get_by_role("button", name="Log out").click()
    page.goto("/account/")
    page.locator("#id_login").fill("RNAGRIEL")
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url("**/account/")
    assert page.problems == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_in_a_crowd_the_browser_solves_a_puzzle_and_the_person_only_waits(
    player, settings, locale
) -> None:
    settings.SIGNUPS_PER_HOUR = 1
    count("signup", "house", Rate(1, 3_600))
    page = player(None, locale=locale, **PHONE)
    page.goto("/accounts/signup/")
    assert page.locator("input[data-challenge]").count() == 1
    page.locator("#id_username").fill("eleventh")
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("#id_password2").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url(lambda url: "signup" not in url)
    page.goto("/account/")
    assert page.locator("h1").inner_text() == "eleventh"
    assert page.problems == []


def test_ranking_works_without_a_script(player, season) -> None:
    page = player("hilde", java_script_enabled=False, **DESKTOP)
    page.goto("/ranking/")
    page.locator("#search").fill("JÜRGEN")
    page.locator("#search").press("Enter")
    names = page.locator("[data-player]").evaluate_all("rows => rows.map(r => r.dataset.player)")
    assert set(names) == {"hilde", "Jürgen_der_Würfelkönig"}
    page.locator("[data-player^=J] a.player").click()
    assert "W%C3%BCrfelk%C3%B6nig" in page.url
    assert page.problems == []


def test_a_copy_of_ones_data_can_be_downloaded_again_from_the_same_page(player) -> None:
    """The first download may have broken off; the page stays as it is."""
    page = player("magriel", locale="en-GB")
    page.goto("/account/export/")
    for _ in range(2):
        with page.expect_download(timeout=10_000) as download:
            page.get_by_role("button", name="Download the ZIP file").click()
        assert download.value.suggested_filename.endswith(".zip")
        assert download.value.failure() is None
