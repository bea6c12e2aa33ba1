"""My decisions in a browser: filter, note and list by keys; exercises of a list on a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from analysis.models import DecisionList, MyDecision
from games.models import Match
from tests.analysis.test_exercise_browser import PHONE
from tests.analysis.test_report_browser import analysed
from tests.face.inspection import findings

__all__ = ["analysed"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_decisions_are_filtered_noted_and_listed_by_keys(player: Any, analysed: Match) -> None:
    page = player("magriel", locale="en-GB")
    page.goto("/decisions/")
    tray = page.locator("#decision-tray")
    expect(tray).to_be_hidden()
    page.get_by_role("link", name=re.compile(r"^Plays \d")).click()
    page.wait_for_url("**/decisions/?kind=play")
    plays = MyDecision.objects.filter(person__username="magriel", kind="play").count()
    expect(page.locator("#decision-count")).to_contain_text(f"{plays} decisions")
    page.keyboard.press("n")
    page.keyboard.type("Count the shots")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".decision-note").first).to_have_text("Count the shots")
    page.keyboard.press("x")
    expect(page.locator("#tray-title")).to_have_text("1 chosen")
    assert findings(page, "en") == []
    page.keyboard.press("l")
    page.keyboard.type("Thursday")
    page.locator("#tray-list").click()
    page.wait_for_url("**/decisions/?list=*")
    expect(page.locator("#decision-count")).to_contain_text("1 decision,")
    assert findings(page, "en") == []
    page.locator(".decision-board").first.click()
    page.wait_for_url(f"**/match/{analysed.pk}/analysis/?d=*")


def test_a_list_is_solved_as_exercises_on_a_phone(player: Any, analysed: Match) -> None:
    person = User.objects.get(username="hilde")
    page = player("hilde", locale="de-DE", **PHONE)
    page.goto("/decisions/")
    expect(page.locator(".decision-side")).to_be_hidden()
    page.locator(".decision-filters-open").tap()
    page.locator(".decision-chips a").first.tap()
    page.wait_for_url("**/decisions/?kind=play")
    page.locator(".decision-strip label").first.tap()
    page.locator("#tray-name").fill("Treffer")
    assert findings(page, "de") == []
    page.locator("#tray-exercises").tap()
    page.locator("#exercise[data-state=asked] svg.bg").wait_for()
    entry = DecisionList.objects.get(person=person, for_exercises=True).entries.get(
        pk=int(re.findall(r"set-(\d+)/", page.url)[0])
    )
    page.locator("#exercise-play").fill(entry.decision.line["options"][0]["text"])
    page.locator("#exercise-confirm").tap()
    expect(page.locator("#exercise-title")).to_contain_text("Gefunden")
