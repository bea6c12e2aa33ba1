"""An absent opponent: a calm notice, a countdown, and a win only after a second question."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from games.table.state import ABSENCE_MS
from tests.board.house import BoardHouse
from tests.board.tables import by_the_point, doubled, forfeited, may_double

pytestmark = pytest.mark.slow
Look = Callable[..., Any]


def action(page: Any, name: str) -> Any:
    return page.locator(f'[data-action="{name}"]')


def gone(house: BoardHouse, seat: int = 1) -> BoardHouse:
    """The last connection of that player ends."""
    house.do(cmd.NotePresence(present=False), seat)
    return house


def gone_for_long(house: BoardHouse) -> BoardHouse:
    """Marlene_K, on turn, has been away as long as it takes."""
    gone(house)
    house.ahead_ms += ABSENCE_MS
    return house


def test_the_absence_is_counted_down_and_nothing_can_be_claimed_yet(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    notice = page.locator("#absence")
    assert notice.is_hidden()
    gone(house)
    notice.wait_for()
    told = r"Marlene_K has lost connection\. You can claim the win in (2:0[01]|1:5\d)\."
    assert re.search(told, notice.inner_text())
    assert action(page, "claim").is_hidden()
    dot = page.locator('[data-player="op"] .dot')
    assert dot.get_attribute("aria-label") == "offline"
    house.do(cmd.NotePresence(present=True), 1)
    notice.wait_for(state="hidden")
    page.get_by_text("Marlene_K is back").first.wait_for()


def test_nothing_is_counted_while_it_is_not_his_turn(look: Look) -> None:
    page = look(gone(doubled(seat=0)))
    assert page.locator("#absence").is_hidden()
    dot = page.locator('[data-player="op"] .dot')
    assert dot.get_attribute("aria-label") == "offline"


def test_the_claim_says_what_it_brings_and_is_asked_twice(look: Look) -> None:
    house = gone_for_long(may_double(seat=0))
    page = look(house)
    action(page, "claim").click()
    assert "you win the match and gain 2.00" in page.locator("#claim-brings").inner_text()
    assert house.commands == []
    action(page, "claim_confirm").click()
    page.wait_for_selector("body[data-phase=over]")
    assert [frame["command"] for frame in house.commands] == [{"type": "claim"}]
    assert "away for too long on their turn" in page.locator("#result").inner_text()


def test_by_the_point_the_claim_is_named_in_points_and_credits(look: Look) -> None:
    house = by_the_point()
    house.do(cmd.Take(), 0)
    page = look(gone_for_long(house))
    action(page, "claim").click()
    text = page.locator("#claim-brings").inner_text().replace("\xa0", " ")
    assert "you win 6 points and gain 5.40 ℂ" in text


def test_who_waits_is_not_asked_again_in_the_same_absence(look: Look) -> None:
    house = gone_for_long(may_double(seat=0))
    page = look(house)
    action(page, "wait").click()
    house.send({"type": "presence", "online": [True, False], "watchers": 3})
    page.get_by_text("3 watching").wait_for()
    assert page.locator("#absence").is_hidden()
    assert house.commands == []


def test_the_question_closes_when_he_comes_back(look: Look) -> None:
    house = gone_for_long(may_double(seat=0))
    page = look(house)
    action(page, "claim").click()
    house.do(cmd.NotePresence(present=True), 1)
    page.locator("#claim-dialog").wait_for(state="hidden")
    assert page.locator("#absence").is_hidden()


def test_no_other_button_moves_for_the_notice(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    strips = page.locator(".strip, .foot button:visible, svg.bg, .actions")
    before = [each.bounding_box() for each in strips.all()]
    gone(house)
    page.locator("#absence").wait_for()
    assert [each.bounding_box() for each in strips.all()] == before


def test_time_given_back_after_an_outage_is_told(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    now_ms = house.now_ms()
    house.do(cmd.CreditOutage(began_ms=now_ms, ended_ms=now_ms + 90_000))
    page.get_by_text("The server was down for 1:30").first.wait_for()


def test_after_a_match_who_goes_to_the_lobby_stands_up_first(look: Look) -> None:
    house = forfeited(seat=1)
    page = look(house)
    page.locator("#result").get_by_text("To the lobby").click()
    page.wait_for_url("**/play/")
    assert [frame["command"] for frame in house.commands] == [{"type": "stand_up"}]
    assert house.state.phase == "closed"


def test_who_stays_reads_that_there_is_no_rematch_any_more(look: Look) -> None:
    house = forfeited(seat=1)
    page = look(house)
    action(page, "rematch").click()
    page.get_by_text("Waiting for hilde to accept").wait_for()
    house.do(cmd.StandUp(), 0)
    page.locator("#rematch-text", has_text="no rematch here").wait_for()
    assert action(page, "rematch").is_disabled()
