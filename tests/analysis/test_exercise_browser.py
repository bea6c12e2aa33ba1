"""Exercises in a browser: by keyboard alone, and by touch on a phone in German."""

import os
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.models import Exercise, ExerciseTry
from analysis.training.house_set import house_exercises, of_day, set_store, today
from analysis.training.tasks import task_of_exercise
from backgammon.rules.notation import match_play
from backgammon.rules.variants import by_key
from tests.e2e.test_without_a_mouse import tab_to, walk_to
from tests.face.inspection import findings, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def with_the_set() -> None:
    """Tests over real connections begin with empty tables."""
    set_store(using="default")


PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}


def shoot(page: Page, name: str) -> None:
    if folder := os.environ.get("PASCH_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def moves_of(row: Exercise, number: int) -> list[tuple[str, str]]:
    """The places of an option's moves, and their dice."""
    task = task_of_exercise(row)
    assert task.dice
    position = task.situation.position
    legal = by_key("backgammon").legal_plays(position, task.dice)
    text = row.line["options"][number]["text"]
    names = {25: "bar", 0: "off"}
    return [
        (names.get(move.source, str(move.source)), str(move.die))
        for move in match_play(position, legal, text)
    ]


def asked(page: Page) -> None:
    page.locator("#exercise[data-state=asked] svg.bg").wait_for()


def test_two_exercises_are_solved_by_keys_alone(player: Any) -> None:
    row = next(row for row in house_exercises() if row.kind == "play")
    page = player("hilde", locale="en-GB")
    page.goto(f"/exercises/{row.pk}/")
    asked(page)
    expect(page.locator("#exercise-confirm")).to_be_disabled()
    tab_to(page, "[data-point]")
    moves = moves_of(row, 0)
    walk_to(page, moves[0][0])
    page.keyboard.press(moves[0][1])
    page.keyboard.press("z")
    for place, die in moves:
        walk_to(page, place)
        page.keyboard.press(die)
    expect(page.locator("#exercise-confirm")).to_be_focused()
    shoot(page, "question")
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-title")).to_contain_text("Found: ")
    expect(page.locator("#exercise-next")).to_be_focused()
    page.keyboard.press("2")
    expect(page.locator("#exercise-drawn")).to_have_attribute("data-trying", "2")
    settle(page)
    shoot(page, "answer")
    assert findings(page, "en") == []
    page.keyboard.press("Enter")
    asked(page)
    assert f"/exercises/{row.pk}/" not in page.url
    assert ExerciseTry.objects.get().loss == 0
    page.keyboard.press("s")
    page.wait_for_url("**/exercises/**")
    assert page.problems == []


def test_a_double_and_the_day_on_a_phone_in_german(player: Any) -> None:
    page = player(None, **PHONE)
    page.goto("/")
    settle(page)
    shoot(page, "home-phone")
    assert findings(page, "de") == []
    page.goto("/exercises/")
    settle(page)
    shoot(page, "overview-phone")
    assert findings(page, "de") == []
    row = next(row for row in house_exercises() if row.kind == "take")
    page.goto(f"/exercises/{row.pk}/")
    asked(page)
    settle(page)
    shoot(page, "take-phone")
    assert findings(page, "de") == []
    page.locator("[name=choice]").nth(1).tap()
    page.wait_for_selector("#exercise[data-state=answered]")
    settle(page)
    shoot(page, "take-answer-phone")
    assert findings(page, "de") == []
    page.goto("/exercises/today/")
    asked(page)
    row = of_day(today())
    assert row
    if row.kind == "play":
        page.locator("#exercise-play").fill(row.line["options"][1]["text"])
        page.locator("#exercise-confirm").tap()
    else:
        page.locator("[name=choice]").first.tap()
    page.wait_for_selector("#exercise[data-state=answered]")
    expect(page.locator(".exercise-votes")).to_be_visible()
    settle(page)
    shoot(page, "day-phone")
    assert findings(page, "de") == []
    assert page.problems == []
