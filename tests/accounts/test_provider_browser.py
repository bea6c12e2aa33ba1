"""A login by a provider in a real Chromium, under the content security policy of the site."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.accounts.providing import provider
from tests.login_provider import Provider

__all__ = ["provider"]

pytestmark = pytest.mark.slow


def test_the_policy_lets_a_person_to_the_provider_and_back(player: Any, provider: Provider) -> None:
    page = player(None, locale="en-GB")
    page.goto("/accounts/signup/")
    page.get_by_role("button", name="Continue with Keyhouse").click()
    page.wait_for_url("**/accounts/3rdparty/signup/")
    assert page.locator("#id_email").input_value() == "tilo@example.org"
    page.locator("#id_username").fill("tilo2")
    page.get_by_role("button", name="Register", exact=True).click()
    page.wait_for_url("**/welcome/")
    page.goto("/accounts/3rdparty/")
    expect(page.get_by_text("Tilo@Example.org ·")).to_be_visible()
    page.get_by_role("button", name="End link").click()
    page.get_by_role("button", name="Confirm with Keyhouse").click()
    page.wait_for_url("**/accounts/3rdparty/")
    expect(page.get_by_text("This is your only way to log in.")).to_be_visible()
    assert page.problems == []
