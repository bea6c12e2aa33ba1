"""The replay in a browser: buttons, slider, keys and the list of moves."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow


def test_a_match_is_replayed_step_by_step(played, player) -> None:
    page = player("hilde")
    page.goto(f"/match/{played.pk}/")
    body = page.locator("body")
    expect(body).to_have_attribute("data-step", "0")
    page.locator('[data-replay-go="next"]').click()
    expect(body).to_have_attribute("data-step", "1")
    page.keyboard.press("End")
    expect(body).to_have_attribute("data-step", "6")
    expect(page.locator('[data-replay="me"]')).to_contain_text("156")
    page.keyboard.press("ArrowLeft")
    expect(body).to_have_attribute("data-step", "5")
    page.locator("#moves [data-step]").first.click()
    expect(body).to_have_attribute("data-step", "2")
    expect(page.locator('#moves [aria-current="step"]')).to_contain_text("31")
    page.locator("#replay-slider").fill("4")
    expect(body).to_have_attribute("data-step", "4")
    page.locator('[data-replay-go="flip"]').click()
    expect(page.locator('[data-replay="me"]')).to_contain_text("magriel")
    assert page.problems == []


def test_a_replay_runs_by_itself_and_its_positions_can_be_shared(played, player) -> None:
    page = player("hilde")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/match/{played.pk}/#step-1")
    body = page.locator("body")
    expect(body).to_have_attribute("data-step", "1")
    expect(page.locator(".bg-arrows > *")).not_to_have_count(0)
    page.locator('[data-replay-go="link"]').click()
    expect(page.locator('[data-replay="copied"]')).to_have_text("Kopiert")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/match/{played.pk}/#step-1")
    page.locator('[data-replay-go="position"]').click()
    page.wait_for_function(
        "navigator.clipboard.readText().then((text) => text === '4HPwATDgc/ABMA')"
    )
    page.locator('[data-replay-go="xgid"]').click()
    page.wait_for_function(
        "navigator.clipboard.readText().then((text) => /^XGID=-b----E-C/.test(text))"
    )
    page.locator("#replay-speed").select_option("600")
    page.locator('[data-replay-go="run"]').click()
    expect(page.locator('[data-replay-go="run"]')).to_have_attribute("aria-pressed", "true")
    expect(body).to_have_attribute("data-step", "6")
    expect(page.locator('[data-replay-go="run"]')).to_have_attribute("aria-pressed", "false")
    assert page.problems == []


def test_the_moves_are_readable_without_scripts(played, player) -> None:
    page = player("hilde", java_script_enabled=False)
    page.goto(f"/match/{played.pk}/")
    expect(page.locator("#replay")).to_be_hidden()
    expect(page.locator("#moves .roll")).to_have_count(3)


def test_the_replay_fits_a_phone(played, player) -> None:
    page = player("hilde", viewport={"width": 375, "height": 667})
    page.goto(f"/match/{played.pk}/")
    expect(page.locator("body")).to_have_attribute("data-step", "0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    page.goto("/matches/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
