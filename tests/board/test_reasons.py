"""T2: what is not possible now says why in a word, on every screen and in both languages."""

from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from tests.board.conftest import DESKTOP, PHONE, action
from tests.board.house import BoardHouse
from tests.board.tables import doubled, may_double, seated, to_play

pytestmark = pytest.mark.slow
Look = Callable[..., Any]
SIDEWAYS = {"width": 844, "height": 390}
SCREENS = {"desktop": DESKTOP, "phone": PHONE, "sideways": SIDEWAYS}


def described(page: Any, name: str) -> str:
    """The text that a button is described by."""
    place = action(page, name).get_attribute("aria-describedby")
    return str(page.locator(f"#{place}").inner_text())


def rolled_by_the_house() -> BoardHouse:
    """hilde took a double, doubled again, and now plays what the house rolled for her."""
    house = doubled(seat=0)
    house.do(cmd.Take(), 0)
    house.play_any(1)
    house.do(cmd.Double(), 0)
    house.do(cmd.Take(), 1)
    assert house.view()["auto_roll_because"] == "not_yours"
    return house


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "Rolled automatically: you do not own the cube."),
        ("de", "Automatisch gewürfelt: du hast den Dopplerwürfel nicht."),
    ],
)
def test_t2_an_automatic_roll_says_why_there_was_no_double(
    look: Look, screen: str, lang: str, words: str
) -> None:
    page = look(rolled_by_the_house(), lang=lang, viewport=SCREENS[screen])
    line = page.locator("#why")
    assert line.is_visible()
    assert " ".join(line.inner_text().split()) == words
    assert described(page, "done") == line.inner_text()
    box, view = line.bounding_box(), SCREENS[screen]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= view["width"]
    assert not page.evaluate(
        """() => {
          const [one, ...others] = ['#why', '[data-action=done]', '[data-action=undo]',
            '[data-player=me] [data-slot=name]', '[data-player=me] .clock',
            '[data-player=me] .stat',
          ].map((name) => document.querySelector(name).getBoundingClientRect());
          return others.some((two) => one.left < two.right && two.left < one.right
            && one.top < two.bottom && two.top < one.bottom);
        }"""
    ), "the line covers nothing"


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", "No double: it is the first turn of the game."),
        ("de", "Keine Verdopplung: es ist der erste Zug des Spiels."),
    ],
)
def test_t2_before_the_first_roll_the_roll_button_says_why_there_is_no_double(
    look: Look, lang: str, words: str
) -> None:
    page = look(seated(), lang=lang)
    assert described(page, "roll") == words


def test_t2_a_roll_of_ones_own_needs_no_reason(look: Look) -> None:
    page = look(may_double(seat=1))
    assert page.locator("#why").is_hidden()
    action(page, "roll").click()
    page.wait_for_selector("body[data-phase=play]")
    assert page.locator("#why").is_hidden()


def test_t2_a_table_without_a_cube_does_not_speak_of_it_in_every_turn(look: Look) -> None:
    page = look(to_play(mode="prize3", stake_cents=250))
    assert page.locator("#why").is_hidden()


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "No resigning: it is not your turn."), ("de", "Keine Aufgabe: du bist nicht am Zug.")],
)
def test_t2_the_button_to_resign_says_why_it_is_off(look: Look, lang: str, words: str) -> None:
    page = look(may_double(seat=0), lang=lang)
    assert action(page, "resign").is_disabled()
    assert described(page, "resign") == words


def test_t2_a_level_that_was_refused_stays_in_the_dialog_with_its_reason(look: Look) -> None:
    house = may_double(seat=1)
    house.do(cmd.OfferResignation(level=1), 1)
    house.do(cmd.RefuseResignation(), 0)
    page = look(house)
    action(page, "resign").click()
    levels = page.locator("#resign-levels label")
    assert levels.nth(0).inner_text() == "single game: already refused this turn."
    assert levels.nth(0).locator("input").is_disabled()
    assert levels.nth(1).locator("input").is_checked()


def test_t2_taking_back_says_why_it_is_off(look: Look) -> None:
    page = look(to_play(mode="practice", has_cube=False))
    assert action(page, "take_back").is_disabled()
    assert described(page, "take_back") == "Nothing to take back."


def test_t2_a_cube_at_its_highest_value_takes_no_beaver_and_the_band_says_so(look: Look) -> None:
    house = doubled(seat=0, mode="stake", stake_cents=100, beavers=True)
    view = house.view()
    view["why_not"][0]["beaver"] = "cap"
    house.view = lambda: view  # type: ignore[method-assign]  # 4096 is a long way
    page = look(house)
    assert "No beaver: the cube is at its highest value." in page.locator("#band-text").inner_text()


def test_t2_a_refused_command_says_the_reason(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    house.state, before = rolled_by_the_house().state, house.state
    action(page, "double").click()
    page.locator(".toast", has_text="Not possible now: it is not your turn.").wait_for()
    house.state = before
