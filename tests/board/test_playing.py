"""Putting a play together: by pointer, drag, keyboard or words. Nothing is sent before Done."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.board.conftest import DESKTOP, PHONE, action
from tests.board.house import BoardHouse
from tests.board.tables import may_double, seated, to_play

Look = Callable[..., Any]


def point(page: Any, name: int | str) -> Any:
    return page.locator(f'[data-point="{name}"]')


def played(house: BoardHouse) -> list[list[int]]:
    """The moves of the only play that the page has sent."""
    (frame,) = [each for each in house.commands if each["command"]["type"] == "play"]
    return frame["command"]["moves"]


def test_a_tap_plays_the_active_die_and_done_sends_the_play(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    point(page, 8).click()
    assert action(page, "done").is_disabled()
    point(page, 6).click()
    assert house.commands == []
    action(page, "done").click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert played(house) == [[8, 5, 3], [6, 5, 1]]


def test_a_right_click_plays_the_other_die(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    point(page, 6).click(button="right")
    point(page, 8).click()
    action(page, "done").click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert played(house) == [[6, 5, 1], [8, 5, 3]]


def test_the_dice_swap_when_tapped_and_confirm_when_the_play_is_complete(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    page.locator(".bg-die.bg-mine").first.click()
    point(page, 6).click()
    point(page, 8).click()
    page.locator(".bg-die.bg-mine").first.click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert played(house) == [[6, 5, 1], [8, 5, 3]]


def test_a_tap_on_a_point_that_two_checkers_make_plays_both(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    point(page, 5).click()
    action(page, "done").click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert sorted(played(house)) == [[6, 5, 1], [8, 5, 3]]


def test_undo_goes_back_as_far_as_there_is_something_to_undo(look: Look) -> None:
    house = to_play((2, 2))
    page = look(house)
    for name in (13, 13, 6, 6):
        point(page, name).click()
    assert action(page, "done").is_enabled()
    for _ in range(4):
        action(page, "undo").click()
    assert action(page, "undo").is_disabled()
    assert "2 checkers of yours" in (point(page, 24).get_attribute("aria-label") or "")
    assert "5 checkers of yours" in (point(page, 13).get_attribute("aria-label") or "")
    assert house.commands == []


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 6, start[1] + 6)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def middle(page: Any, name: int | str) -> tuple[float, float]:
    """Where to grasp the checker once the layout is stable: late fonts may change it."""
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    point(page, name).hover(trial=True)
    box = point(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_checker_can_be_dragged_also_with_both_dice_at_once(look: Look) -> None:
    house = to_play((6, 3))
    page = look(house)
    drag(page, middle(page, 24), middle(page, 15))
    action(page, "done").click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert [24, 15] in [[moves[0][0], moves[-1][1]] for moves in [played(house)]]


def test_a_checker_dropped_elsewhere_goes_back(look: Look) -> None:
    house = to_play((6, 3))
    page = look(house)
    drag(page, middle(page, 24), middle(page, 23))
    assert action(page, "undo").is_disabled()
    assert "2 checkers of yours" in (point(page, 24).get_attribute("aria-label") or "")


def test_a_whole_turn_is_played_by_keyboard(look: Look) -> None:
    house = seated(dice=((3, 1),))
    page = look(house)
    page.keyboard.press("Space")
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    point(page, 24).focus()
    page.keyboard.press("End")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.point") == "6"
    page.keyboard.press("1")
    page.keyboard.press("z")
    page.keyboard.press("1")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.point") == "8"
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-my-turn=false]")
    assert played(house) == [[6, 5, 1], [8, 5, 3]]


def test_space_rolls_and_never_doubles(look: Look) -> None:
    house = may_double(seat=1)
    house.dice = [(4, 2)]
    page = look(house)
    assert action(page, "double").is_visible()
    page.keyboard.press("Space")
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert [frame["command"]["type"] for frame in house.commands] == ["roll"]


def test_seat_one_plays_in_its_own_numbering(look: Look) -> None:
    house = may_double(seat=1)
    house.dice = [(3, 1)]
    page = look(house)
    action(page, "roll").click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    point(page, 5).click()
    action(page, "done").click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert sorted(played(house)) == [[6, 5, 1], [8, 5, 3]]


def test_a_hit_shows_the_opposing_checker_on_the_bar_and_undo_puts_it_back(look: Look) -> None:
    house = to_play((6, 2))
    house.play(0, (24, 18, 6), (13, 11, 2))
    house.seat = 1
    house.dice = [(6, 1)]
    page = look(house)
    action(page, "roll").click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    point(page, 7).click()
    label = point(page, "bar").get_attribute("aria-label") or ""
    assert "1 opposing" in label
    point(page, "bar").focus()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    assert "0 opposing" in (point(page, "bar").get_attribute("aria-label") or "")


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_direction_can_be_turned(look: Look, viewport: dict[str, int]) -> None:
    page = look(to_play(), viewport=viewport)
    before = middle(page, 1)[0], middle(page, 12)[0]
    page.keyboard.press("f")
    after = middle(page, 1)[0], middle(page, 12)[0]
    assert before[0] > before[1]
    assert after[0] < after[1]


def test_a_watcher_can_move_nothing(look: Look) -> None:
    house = to_play()
    house.seat = None
    page = look(house)
    point(page, 8).click()
    assert page.locator("#actions button:visible").count() == 0
    assert house.commands == []


def test_checkers_that_move_are_animated_and_the_rest_stays(look: Look) -> None:
    page = look(to_play((3, 1)), reduced_motion="no-preference")
    page.evaluate(
        """() => {
          window.moved = new Set();
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, options) {
            if (this.matches('.bg-checker')) window.moved.add(this);
            return animate.call(this, frames, options);
          };
        }"""
    )
    point(page, 8).click()
    assert page.evaluate("window.moved.size") == 1


def test_with_reduced_motion_nothing_is_animated(look: Look) -> None:
    page = look(to_play((3, 1)))
    point(page, 8).click()
    assert page.evaluate("document.getAnimations().length") == 0


# --- in words -------------------------------------------------------------------------------------
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_half_play_says_what_is_owed_and_the_rest_is_offered(look: Look) -> None:
    house = to_play((3, 1))
    page = in_words(look, house)
    enter(page, "8/5")
    assert page.locator("#typed-answer").inner_text() == "still to play: 1"
    assert page.locator("#words-draft").inner_text() == "So far: 8/5"
    page.get_by_role("button", name="6 to 5").click()
    enter(page, "undo")
    assert page.locator("#words-draft").inner_text() == "So far: 8/5"


@pytest.mark.slow
def test_in_german_the_words_are_german(look: Look) -> None:
    house = seated(dice=((3, 1),))
    page = in_words(look, house, lang="de")
    enter(page, "würfeln")
    page.wait_for_selector("body[data-phase=play][data-free=true]")


@pytest.mark.slow
def test_back_on_the_board_the_draft_is_the_same(look: Look) -> None:
    page = in_words(look, to_play((3, 1)))
    enter(page, "8/5 6/5")
    page.locator('[data-action="text_view"]').click()
    label = page.locator('[data-point="5"]').get_attribute("aria-label")
    assert "2 checkers of yours" in label
    assert page.locator('[data-action="done"]').is_enabled()


@pytest.mark.slow
def test_a_double_is_answered_in_words(look: Look) -> None:
    house = may_double(seat=1)
    page = in_words(look, house)
    enter(page, "double")
    page.wait_for_selector("body[data-phase=double_offered]")
    assert house.commands[-1]["command"]["type"] == "double"
