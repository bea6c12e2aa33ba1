"""Registering, ranking and account in real pages of a real Chromium."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect

from accounts.guests import GUESTS
from kit.throttle import Rate, count
from ratings.services import rating_settle
from tests.accounts.conftest import PASSWORD
from tests.accounts.providing import provider
from tests.face.inspection import findings
from tests.login_provider import Provider

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
    says_what_is_missing(page)
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


def says_what_is_missing(page: Page) -> None:
    """One field, which can be shown, and no list before anything is typed."""
    field, needs = page.locator("#id_password1"), page.locator("[data-needs]")
    assert page.locator("input[type=password]").count() == 1
    expect(needs).to_be_hidden()
    for typed, met in (
        ("short", {"length": "false", "own": "true", "used": "true"}),
        ("Rnagriel9", {"length": "true", "own": "false", "used": "true"}),
        ("backgammon7", {"length": "true", "own": "true", "used": "false"}),
        (PASSWORD, {"length": "true", "own": "true", "used": "true"}),
    ):
        field.fill(typed)
        for need, is_met in met.items():
            expect(needs.locator(f"[data-need={need}]")).to_have_attribute("data-met", is_met)
    page.get_by_role("button", name="Show").click()
    expect(field).to_have_attribute("type", "text")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_in_a_crowd_the_browser_solves_a_puzzle_and_the_person_only_waits(
    player, settings, locale
) -> None:
    settings.SIGNUPS_PER_HOUR = 1
    count("signup", "house", Rate(1, 3_600))
    page = player(None, locale=locale, **PHONE)
    for _ in range(GUESTS.of_network.count):
        count("guests-network", "127.0.0.1", GUESTS.of_network)
    page.goto("/")
    page.locator("#play-now button").click()
    page.wait_for_url("**/table/**")
    assert get_user_model().objects.filter(is_guest=True).count() == 1
    page.goto("/accounts/signup/")
    assert page.locator("input[data-challenge]").count() == 1
    page.locator("#id_username").fill("eleventh")
    page.locator("#id_password1").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").first.click()
    page.wait_for_url(lambda url: "signup" not in url)
    page.goto("/account/")
    assert page.locator("h1").inner_text() == "eleventh"
    assert [each for each in page.problems if " 429 " not in each] == []


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
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the ZIP file").click()
        assert download.value.suggested_filename.endswith(".zip")
        assert download.value.failure() is None


# --- a login by a provider ------------------------------------------------------------------------
__all__ = ["provider"]


def test_the_policy_lets_a_person_to_the_provider_and_back(player: Any, provider: Provider) -> None:
    page = player(None, locale="en-GB")
    page.goto("/accounts/signup/")
    page.get_by_role("button", name="Continue with Keyhouse").click()
    page.wait_for_url("**/accounts/3rdparty/signup/")
    assert page.locator("#id_email").input_value() == "tilo@example.org"
    page.locator("#id_username").fill("tilo2")
    page.get_by_role("button", name="Register", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome, tilo2")).to_be_visible()
    page.goto("/accounts/3rdparty/")
    expect(page.get_by_text("Tilo@Example.org ·")).to_be_visible()
    page.get_by_role("button", name="End link").click()
    page.get_by_role("button", name="Confirm with Keyhouse").click()
    page.wait_for_url("**/accounts/3rdparty/")
    expect(page.get_by_text("This is your only way to log in.")).to_be_visible()
    assert page.problems == []


# --- settings -------------------------------------------------------------------------------------
WIDE = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"}
TALL = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_a_set_that_was_chosen_is_there_on_another_device(player: Callable[..., Any]) -> None:
    page = player("magriel", **WIDE)
    page.goto("/settings/")
    page.get_by_label("Salon").check()
    expect(page.locator("html")).to_have_attribute("data-board", "salon")
    expect(page.locator("#settings-status")).not_to_be_empty()
    assert findings(page, page.locator("html").get_attribute("lang")) == []
    page.goto("/rules/")
    expect(page.locator("html")).to_have_attribute("data-board", "salon")
    phone = player("magriel", **TALL)
    phone.goto("/settings/")
    expect(phone.locator("html")).to_have_attribute("data-board", "salon")
    assert findings(phone, phone.locator("html").get_attribute("lang")) == []
    assert page.problems == []
