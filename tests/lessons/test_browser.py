"""The lessons in a browser: one by touch in German, and all of them by keyboard alone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.lessons.answer import right_choice, solution
from games.lessons.lesson import Step
from games.lessons.registry import ALL, by_key
from games.models import LearntStep
from tests.e2e.test_without_a_mouse import tab_to, walk_to
from tests.face.inspection import findings, settle

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
}


def place_name(place: int) -> str:
    return {25: "bar", 0: "off"}.get(place, str(place))


def tap(page: Page, place: int) -> None:
    page.locator(f'[data-point="{place_name(place)}"]').tap()


def mood(page: Page, expected: str) -> None:
    expect(page.locator("#lesson")).to_have_attribute("data-mood", expected)


def test_the_first_lesson_is_solved_on_a_phone_in_german(player) -> None:
    page = player(None, **PHONE)
    page.goto("/learn/")
    settle(page)
    assert findings(page, "de") == []
    page.locator(".learn-go").tap()
    mood(page, "ask")
    tap(page, 13)  # the six of the wrong checker, and the five of it
    tap(page, 7)
    mood(page, "wrong")
    expect(page.locator("#lesson-answer")).to_contain_text("Nicht ganz")
    page.locator("#lesson-again").tap()
    tap(page, 24)
    tap(page, 18)
    mood(page, "right")
    expect(page.locator("#lesson-next")).to_be_focused()
    settle(page)
    assert findings(page, "de") == []
    page.locator("#lesson-next").tap()
    page.locator("#lesson-show").tap()
    mood(page, "shown")
    page.locator("#lesson-next").tap()
    page.locator('[name=choice][value="mine"]').tap()
    mood(page, "wrong")
    page.locator('[name=choice][value="theirs"]').tap()
    mood(page, "right")
    page.locator("#lesson-next").tap()
    page.wait_for_url("**/learn/dice/")
    page.goto("/learn/way/")
    expect(page.locator("#lesson")).to_have_attribute("data-step", "2")
    assert page.problems == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (768, 1024), (1366, 768)])
def test_the_board_fits_its_card_and_is_seen_at_once(player, width: int, height: int) -> None:
    page = player(None, viewport={"width": width, "height": height})
    page.goto("/learn/hitting/")
    mood(page, "ask")
    settle(page)
    board, card = (page.locator(each).bounding_box() for each in ("#board svg", ".lesson-board"))
    assert card["x"] - 1 <= board["x"]
    assert board["x"] + board["width"] <= card["x"] + card["width"] + 1
    assert card["x"] + card["width"] <= width
    assert board["y"] + board["height"] <= height, "nothing of it is below the fold"


def solve(page: Page, step: Step) -> None:
    """Answer a step by keys; the focus is on the board or on the first choice."""
    if step.is_question:
        for choice in step.choices:
            if choice.key == right_choice(step):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        return
    for move in solution(step):
        walk_to(page, place_name(move.source))
        page.keyboard.press(str(move.die))


@pytest.mark.slow
def test_every_lesson_is_solved_by_keys_alone(player, django_user_model) -> None:
    hilde = django_user_model.objects.create_user("hilde")
    page = player("hilde", locale="en-GB")
    for lesson in ALL:
        page.goto(f"/learn/{lesson.key}/")
        mood(page, "ask")
        tab_to(page, "[name=choice]" if lesson.steps[0].is_question else "[data-point]")
        for step in lesson.steps:
            expect(page.locator("#lesson")).to_have_attribute(
                "data-step", str(lesson.number(step.key))
            )
            solve(page, step)
            mood(page, "right")
            expect(page.locator("#lesson-next")).to_be_focused()
            if step is not lesson.steps[-1]:
                page.keyboard.press("Enter")
    total = sum(len(lesson.steps) for lesson in ALL)
    assert LearntStep.objects.filter(person=hilde, solved=True).count() == total
    assert page.problems == []


@pytest.mark.slow
def test_a_try_is_taken_back_typed_and_explained(player) -> None:
    page = player(None, locale="en-GB")
    number = by_key("hitting").number("cover")
    page.goto(f"/learn/hitting/{number}/")
    mood(page, "ask")
    tab_to(page, "[data-point]")
    walk_to(page, "24")
    page.keyboard.press("6")
    expect(page.locator('[data-point="18"]')).to_have_attribute(
        "aria-label", "Point 18: one checker of yours"
    )
    page.keyboard.press("z")
    line = page.locator("#lesson-play")
    line.fill("13/7")
    line.press("Enter")
    mood(page, "ask")
    line.fill("19/13")
    line.press("Enter")
    mood(page, "illegal")
    line.fill("13/7* 8/7")
    line.press("Enter")
    mood(page, "right")
    assert page.problems == []
