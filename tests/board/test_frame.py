"""The frame of the table: what must be seen at the same time, on every screen."""

from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from tests.board.conftest import action
from tests.board.tables import between_games, doubled, may_double, resignation_offered, to_play

pytestmark = pytest.mark.slow

Look = Callable[..., Any]
DESKTOP = {"width": 1280, "height": 800}
SCREENS = [(360, 740), (390, 844), (844, 390), (1366, 768), (1920, 1080)]


def box(page: Any, selector: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is shown."""
    found = page.locator(selector).bounding_box()
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def inside(page: Any, selector: str) -> bool:
    left, top, right, bottom = box(page, selector)
    view = page.viewport_size
    return left >= 0 and top >= 0 and right <= view["width"] and bottom <= view["height"]


def apart(page: Any, one: str, other: str) -> bool:
    a, b = box(page, one), box(page, other)
    return a[2] <= b[0] + 1 or b[2] <= a[0] + 1 or a[3] <= b[1] + 1 or b[3] <= a[1] + 1


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_an_offer_and_the_open_side_leave_the_board_in_view(
    look: Look, width: int, height: int
) -> None:
    house = may_double(0)
    page = look(house, viewport={"width": width, "height": height})
    if action(page, "panel").is_visible():
        action(page, "panel").click()
    page.locator("#tab-talk").click()
    house.do(cmd.OfferResignation(level=1), 1)
    page.wait_for_selector("#band")
    for shown in (".bg", "#band", '[data-action="accept_resignation"]', "#panel-talk"):
        assert inside(page, shown), shown
    assert box(page, ".bg")[3] - box(page, ".bg")[1] > 180
    for covered in (".bg", "#band", '[data-action="accept_resignation"]', ".clock >> nth=1"):
        assert apart(page, "#side", covered), covered


@pytest.mark.parametrize(("width", "height"), [*SCREENS, (1024, 768), (740, 360), (667, 375)])
def test_a_question_hides_no_checker(look: Look, width: int, height: int) -> None:
    house = doubled(mode="stake", stake_cents=50, beavers=True, raccoons=True)
    page = look(house, lang="de", viewport={"width": width, "height": height})
    page.wait_for_selector("#band")
    assert hidden_by_the_band(page) == 0
    for command, seat in ((cmd.Beaver(), 0), (cmd.Raccoon(), 1)):
        house.do(command, seat)
    page.locator("#band h2", has_text="Raccoon").wait_for()
    assert hidden_by_the_band(page) == 0
    assert apart(page, "#band-text", '[data-action="take"]')
    page = look(resignation_offered(), viewport={"width": width, "height": height})
    page.wait_for_selector("#band")
    assert hidden_by_the_band(page) == 0


def hidden_by_the_band(page: Any) -> int:
    """How many checkers the band touches."""
    found: int = page.evaluate(
        """() => {
          const band = document.querySelector('#band').getBoundingClientRect();
          return [...document.querySelectorAll('.bg-checker .bg-body')].filter(each => {
            const box = each.getBoundingClientRect();
            return box.width && box.left < band.right - 1 && box.right > band.left + 1
              && box.top < band.bottom - 1 && box.bottom > band.top + 1;
          }).length;
        }"""
    )
    return found


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_a_toast_is_not_over_the_board(look: Look, width: int, height: int) -> None:
    house = to_play((3, 1))
    page = look(house, viewport={"width": width, "height": height})
    house.send({"type": "reported"})
    page.wait_for_selector(".toast")
    assert apart(page, ".toast", ".bg")
    assert apart(page, ".toast", '[data-action="done"]')


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_note_is_not_over_the_dice(look: Look, seat: int | None) -> None:
    """While the opponent is on roll, the dice of one's own last play lie beside the note."""
    page = look(doubled(seat) if seat else may_double(seat), viewport=DESKTOP)
    page.locator("#actions-note").wait_for()
    dice = page.locator("[data-die]").count()
    assert dice == 2
    for number in range(dice):
        assert apart(page, "#actions-note", f"[data-die] >> nth={number}")


def test_buttons_of_practice_leave_the_frame_free(look: Look) -> None:
    page = look(to_play((3, 1), mode="practice"), viewport=DESKTOP)
    assert apart(page, '[data-action="done"]', "text=0/15 >> nth=0")
    assert apart(page, '[data-action="done"]', "text=0/15 >> nth=1")


@pytest.mark.parametrize("mode", ["stake", "session"])
def test_the_ways_out_stay_in_view_however_much_is_at_stake(look: Look, mode: str) -> None:
    wishes = {"beavers": True, "raccoons": True} if mode == "stake" else {}
    table = doubled(0, mode=mode, stake_cents=50, start_rule="opener_alternates", **wishes)
    page = look(table, viewport={"width": 1366, "height": 768})
    for name in ("resign", "leave"):
        assert inside(page, f'[data-action="{name}"]'), name


def test_moves_and_chat_are_seen_together_on_a_laptop(look: Look) -> None:
    page = look(may_double(0), viewport={"width": 1366, "height": 768})
    for hidden in ("talk-form", "talk-phrases"):  # a player who is logged in has both
        page.evaluate("id => { document.getElementById(id).hidden = false; }", hidden)
    for shown in ("#moves", "#panel-talk", '[data-action="leave"]'):
        assert inside(page, shown), shown
    _, top, _, bottom = box(page, "#moves")
    assert bottom - top > 80
    assert apart(page, "#moves", "#panel-talk")
    assert box(page, "#talk-form")[3] <= box(page, ".moves")[3], "nothing of the field is cut off"


def test_the_list_of_moves_follows_in_the_second_game(look: Look) -> None:
    house = between_games()
    page = look(house, viewport={"width": 1280, "height": 560})
    for seat in (0, 1):
        house.do(cmd.Ready(), seat)
    for _ in range(12):
        seat = house.state.decider
        assert seat is not None
        if house.state.phase == "roll":
            house.roll(seat)
        if house.state.phase == "play":
            house.play_any(house.state.decider or 0)
    page.wait_for_selector(f"body[data-seq='{len(house.events)}']")
    gap = page.evaluate(
        "document.querySelector('#moves').getBoundingClientRect().bottom"
        " - document.querySelector('#moves .current').getBoundingClientRect().bottom"
    )
    assert gap >= -1


def test_a_question_mark_lists_the_keys(look: Look) -> None:
    page = look(to_play((3, 1)))
    page.keyboard.press("?")
    assert page.locator("#keys-dialog").is_visible()


def test_a_checker_that_cannot_move_says_so(look: Look) -> None:
    page = look(to_play((6, 6)))
    page.locator('[data-point="6"]').click()
    page.get_by_text("No legal move here: 6").wait_for(state="attached")
