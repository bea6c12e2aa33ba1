"""The settings of a player's table: they are kept; no move without the player's choice."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from tests.board.house import BoardHouse
from tests.board.tables import may_double, seated, to_play

pytestmark = pytest.mark.slow
Look = Callable[..., Any]


def settle(page: Any, **choices: bool | str) -> None:
    """Choose in the dialog, and close it."""
    page.locator('[data-action="settings"]').click()
    for name, value in choices.items():
        field = page.locator(f'#settings-dialog [name="{name}"]')
        if isinstance(value, str):
            field.select_option(value)
        else:
            field.set_checked(value)
    page.keyboard.press("Escape")


def sent(house: BoardHouse) -> list[str]:
    return [frame["command"]["type"] for frame in house.commands]


def test_choices_of_a_visitor_are_kept_in_the_browser(look: Look) -> None:
    page = look(to_play())
    settle(page, numbers=False, direction="left")
    with page.expect_response("**/settings/"):
        settle(page, tap="select")
    page.reload()
    page.wait_for_selector("body[data-free=true]")
    assert "no-numbers" in page.locator("#room").get_attribute("class")
    one = page.locator('[data-point="1"]').bounding_box()
    assert one["x"] < page.locator('[data-point="12"]').bounding_box()["x"] + 1
    page.locator('[data-point="8"]').click()
    assert page.locator('[data-action="undo"]').is_disabled()


def test_a_complete_play_goes_out_by_itself_where_that_was_chosen(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    settle(page, auto_confirm=True)
    page.locator('[data-point="5"]').click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert sent(house) == ["play"]


def test_always_roll_rolls_once_and_never_doubles(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    settle(page, always_roll=True)
    house.dice = [(6, 3)]
    house.roll(1)
    house.play_any(1)
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert sent(house) == ["roll"]


def test_always_roll_rolls_in_the_roll_off(look: Look) -> None:
    house = seated(1, dice=((6, 3),), mode="normal", start_rule="roll_off_use")
    page = look(house)
    with page.expect_response("**/settings/"):
        settle(page, always_roll=True)
    house.seat = 0
    page.reload()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert sent(house) == ["roll"]


def at_the_end(seat: int = 0) -> BoardHouse:
    """hilde is on roll with two checkers on her last point; every roll bears both off."""
    house = seated(seat, dice=((6, 5),), mode="normal")
    match = house.state.match
    assert match is not None
    assert match.game is not None
    points = (2, *[0] * 22, -15)
    position = msgspec.structs.replace(match.game.position, points=points, off=(13, 0))
    game = msgspec.structs.replace(match.game, position=position)
    match = msgspec.structs.replace(match, game=game)
    house.state = msgspec.structs.replace(house.state, match=match)
    return house


def test_a_forced_play_is_made_shown_and_sent(look: Look) -> None:
    house = at_the_end()
    page = look(house)
    page.locator('[data-action="roll"]').click()
    page.locator(".toast", has_text="That play was forced").wait_for()
    page.wait_for_selector("body[data-phase=between_games], body[data-phase=over]")
    assert sent(house) == ["roll", "play"]


def test_a_forced_play_waits_for_players_who_play_every_checker(look: Look) -> None:
    house = at_the_end()
    page = look(house)
    settle(page, auto_forced=False)
    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert page.locator('[data-action="done"]').is_disabled()
    assert sent(house) == ["roll"]


def test_who_looks_elsewhere_is_called_only_if_he_wants(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    page.evaluate(
        """() => {
          window.called = [];
          window.Notification = class extends EventTarget {
            static permission = 'granted';
            constructor(title, options) { super(); window.called.push([title, options.body]); }
          };
          Object.defineProperty(document, 'hidden', {get: () => true});
        }"""
    )
    settle(page, notify=True)
    house.roll(1)
    house.play_any(1)
    page.wait_for_selector("body[data-my-turn=true]")
    assert page.evaluate("window.called") == [["Your turn", "Marlene_K"]]


def test_doubling_asks_again_also_with_the_mouse(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    settle(page, ask_twice=True)
    page.locator('[data-action="double"]').click()
    assert "Really" in page.locator('[data-action="double"]').inner_text()
    assert sent(house) == []


def test_letters_can_be_switched_off(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    settle(page, letters=False)
    page.keyboard.press("d")
    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert sent(house) == ["roll"]


def test_r_rolls_and_l_says_that_nobody_has_played(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    page.keyboard.press("r")
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert sent(house) == ["roll"]
    first = look(seated())
    first.keyboard.press("l")
    expect(first.locator("#status")).to_have_text("Nobody has played in this game yet.")


def test_the_dialog_has_a_name_for_everything(look: Look) -> None:
    page = look(seated())
    page.locator('[data-action="settings"]').click()
    for field in page.locator("#settings-dialog [name]:not([type=hidden])").all():
        assert field.evaluate("field => field.labels[0].textContent.trim() !== ''")


COUNT = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones += 1;
    return start.apply(this, when);
  };
}"""


def test_a_checker_is_heard_and_muted_nothing_is(look: Look) -> None:
    page = look(to_play((3, 1)))
    page.evaluate(COUNT)
    page.locator('[data-point="8"]').click()
    assert page.evaluate("window.tones") == 1
    with page.expect_response("**/settings/"):
        page.locator('[data-action="sound"]').click()
    page.locator('[data-point="6"]').click()
    assert page.evaluate("window.tones") == 1
    assert page.locator('[data-action="sound"]').get_attribute("aria-pressed") == "false"
    page.reload()
    page.wait_for_selector("body[data-free=true]")
    assert page.locator('[data-action="sound"]').get_attribute("aria-pressed") == "false"


def test_nothing_sounds_before_the_first_gesture(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    page.evaluate(COUNT)
    house.roll(1)
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert page.evaluate("window.tones") == 0


SOUND = """async ([events, seat, mine]) => {
  const { soundOf } = await import('/static/js/table/sounds.js');
  return soundOf(events, seat, mine);
}"""


@pytest.mark.parametrize(
    ("events", "sound"),
    [
        ([{"type": "play_made", "seat": 1, "moves": [[8, 5, 3]], "text": "8/5*"}], "hit"),
        ([{"type": "play_made", "seat": 0, "moves": [[8, 5, 3]], "text": "8/5*"}], None),
        ([{"type": "dice_rolled", "seat": 1}], "roll"),
        ([{"type": "double_offered", "seat": 1}], "cube"),
        ([{"type": "match_ended", "winner": 1}], "lose"),
        ([{"type": "match_ended", "winner": None}], None),
    ],
)
def test_every_event_has_its_sound(script: Any, events: list[Any], sound: str | None) -> None:
    assert script.evaluate(SOUND, [events, 0, False]) == sound


ONLY = """async ([graph, at]) => {
  const { onlyPlay } = await import('/static/board/draft.js');
  const me = new Array(26).fill(0), op = new Array(26).fill(0);
  for (const place of at) me[place] += 1;
  return onlyPlay(graph, {me, op, hand: {me: 0, op: 0}, pinned: new Map()}, false);
}"""


def test_two_orders_of_the_same_moves_are_one_play(script: Any) -> None:
    graph = [[[6, 5, 1, 1], [4, 2, 2, 2]], [[4, 2, 2, 3]], [[6, 5, 1, 3]], []]
    walk = script.evaluate(ONLY, [graph, [6, 4]])
    assert sorted(walk) == sorted([[4, 2, 2, 2], [6, 5, 1, 3]])


def test_where_there_is_a_choice_nothing_is_forced(script: Any) -> None:
    assert script.evaluate(ONLY, [[[[6, 5, 1, 1], [4, 3, 1, 1]], []], [6, 4]]) is None
