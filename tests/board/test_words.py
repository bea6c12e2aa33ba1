"""The table in words: the same turn by typing alone, and only legal plays."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.board.tables import may_double, seated, to_play

pytestmark = pytest.mark.slow
Look = Callable[..., Any]


def in_words(look: Look, house: Any, **options: Any) -> Any:
    """The page of that table, switched to words."""
    page = look(house, **options)
    panel = page.locator('[data-action="panel"]:visible')
    if panel.count():
        panel.click()
    page.locator('[data-action="text_view"]').click()
    if panel.count():
        page.locator('[data-action="panel_close"]').click()
    return page


def enter(page: Any, text: str) -> None:
    page.locator("#typed").fill(text)
    page.locator("#typed").press("Enter")


def test_a_turn_is_rolled_played_and_sent_by_typing(look: Look) -> None:
    house = seated(dice=((3, 1),))
    page = in_words(look, house)
    assert page.locator("svg.bg").is_hidden()
    enter(page, "roll")
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert "rolled: 3, 1" in page.locator("#words-now").inner_text()
    enter(page, "8/5 6/5")
    assert page.locator("#typed-answer").inner_text() == "Play complete. Press Enter to confirm."
    assert "2 on point 5" in page.locator("#words-me").inner_text()
    enter(page, "")
    page.wait_for_selector("body[data-my-turn=false]")
    assert house.commands[-1]["command"]["moves"] == [[8, 5, 3], [6, 5, 1]]


@pytest.mark.parametrize(
    ("dice", "text", "moves"),
    [
        ((6, 3), "24/15", [[24, 18, 6], [18, 15, 3]]),
        ((6, 3), "24/18/15", [[24, 18, 6], [18, 15, 3]]),
        ((6, 3), "13/10, 24/18*", [[24, 18, 6], [13, 10, 3]]),
        ((2, 2), "13/11(2) 6/4(2)", [[13, 11, 2], [13, 11, 2], [6, 4, 2], [6, 4, 2]]),
    ],
)
def test_plays_are_understood_as_they_are_written(
    look: Look, dice: tuple[int, ...], text: str, moves: list[list[int]]
) -> None:
    house = to_play(dice)
    page = in_words(look, house)
    enter(page, text)
    enter(page, "done")
    page.wait_for_selector("body[data-my-turn=false]")
    assert sorted(house.commands[-1]["command"]["moves"]) == sorted(moves)


def test_what_is_not_legal_changes_nothing(look: Look) -> None:
    house = to_play((3, 1))
    page = in_words(look, house)
    before = page.locator("#words-me").inner_text()
    for text, answer in (
        ("24/22", "not legal"),
        ("hello", "Not understood"),
        ("8/5 8/7 6/5", "not legal"),
        ("8/5(", "Not understood"),
        ("bar/22", "not legal"),
        ("99/3", "Not understood"),
    ):
        enter(page, text)
        assert answer in page.locator("#typed-answer").inner_text(), text
        assert page.locator("#words-me").inner_text() == before, text
    assert house.commands == []


def test_a_half_play_says_what_is_owed_and_the_rest_is_offered(look: Look) -> None:
    house = to_play((3, 1))
    page = in_words(look, house)
    enter(page, "8/5")
    assert page.locator("#typed-answer").inner_text() == "still to play: 1"
    assert page.locator("#words-draft").inner_text() == "So far: 8/5"
    page.get_by_role("button", name="6 to 5").click()
    enter(page, "undo")
    assert page.locator("#words-draft").inner_text() == "So far: 8/5"


def test_in_german_the_words_are_german(look: Look) -> None:
    house = seated(dice=((3, 1),))
    page = in_words(look, house, lang="de")
    enter(page, "würfeln")
    page.wait_for_selector("body[data-phase=play][data-free=true]")


def test_back_on_the_board_the_draft_is_the_same(look: Look) -> None:
    page = in_words(look, to_play((3, 1)))
    enter(page, "8/5 6/5")
    page.locator('[data-action="text_view"]').click()
    label = page.locator('[data-point="5"]').get_attribute("aria-label")
    assert "2 checkers of yours" in label
    assert page.locator('[data-action="done"]').is_enabled()


def test_a_double_is_answered_in_words(look: Look) -> None:
    house = may_double(seat=1)
    page = in_words(look, house)
    enter(page, "double")
    page.wait_for_selector("body[data-phase=double_offered]")
    assert house.commands[-1]["command"]["type"] == "double"
