"""Staying in step with the server: gaps, lost connections, lost answers, refusals."""

from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from tests.board.conftest import DESKTOP
from tests.board.house import BoardHouse
from tests.board.tables import may_double, seated, to_play

pytestmark = pytest.mark.slow
Look = Callable[..., Any]


def at_seq(page: Any, house: BoardHouse) -> None:
    """Wait until the page shows everything that has happened."""
    page.wait_for_selector(f"body[data-seq='{len(house.events)}'][data-free=true]")


def test_a_lost_connection_comes_back_with_what_was_missed(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    seen = len(house.events)
    house.hang_up()
    house.do(cmd.Double(), 1)
    house.do(cmd.Take(), 0)
    at_seq(page, house)
    assert house.connections == 2
    assert {"type": "resume", "since": seen} in house.received
    assert "takes" in page.locator("#moves").inner_text()


def test_a_command_without_answer_is_sent_again_with_the_same_id_and_done_once(look: Look) -> None:
    house = seated()
    page = look(house)
    house.deaf = True
    page.locator('[data-action="roll"]').click()
    page.wait_for_selector("body[data-free=false]")
    house.hang_up()
    house.deaf = False
    at_seq(page, house)
    first, second = house.commands
    assert first == second
    assert [event["type"] for event in house.events].count("dice_rolled") == 1
    assert page.locator("body").get_attribute("data-phase") == "play"


def misses_a_double(look: Look) -> tuple[BoardHouse, Any, int]:
    """A page that did not receive the opponent's double, and the last seq that it has."""
    house = may_double(seat=0)
    page = look(house)
    seen = len(house.events)
    house.deaf = True
    house.do(cmd.Double(), 1)
    house.deaf = False
    return house, page, seen


def test_an_update_that_starts_too_late_is_answered_with_resume(look: Look) -> None:
    house, page, seen = misses_a_double(look)
    house.do(cmd.Take(), 0)
    at_seq(page, house)
    assert house.received[-1] == {"type": "resume", "since": seen}


def test_a_last_update_that_got_lost_is_asked_for_when_a_pong_tells_of_it(look: Look) -> None:
    house, page, seen = misses_a_double(look)
    house.pong(sent_ms=house.now_ms())
    at_seq(page, house)
    assert house.received[-1] == {"type": "resume", "since": seen}
    assert page.locator('[data-action="take"]').is_visible()


def test_an_update_that_is_known_already_changes_nothing(look: Look) -> None:
    house = to_play((3, 1))
    page = look(house)
    page.locator('[data-point="8"]').click()
    house._publish(len(house.events) - 1)
    house.send({"type": "presence", "online": [True, False], "watchers": 2})
    page.wait_for_selector('[data-player="op"] .dot.off')
    assert page.locator('[data-action="undo"]').is_enabled()


def test_a_refused_command_is_explained_and_the_page_goes_on(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    house.answers = _AlwaysStale()
    page.locator('[data-action="double"]').click()
    page.wait_for_selector(".toast")
    assert "already changed" in page.locator(".toast").inner_text()
    page.wait_for_selector("body[data-free=true]")
    assert page.locator('[data-action="double"]').is_enabled()


class _AlwaysStale(dict[str, dict[str, Any]]):
    """Every command is refused as stale."""

    def __contains__(self, key: object) -> bool:
        return True

    def __getitem__(self, key: str) -> dict[str, Any]:
        return {"type": "rejected", "id": key, "seq": 0, "code": "stale", "message": "stale"}


def test_without_a_connection_a_veil_says_so_and_nothing_can_be_done(look: Look) -> None:
    house = seated()
    page = look(house)
    house.refuse = True
    house.hang_up()
    page.wait_for_selector("#veil:not([hidden])")
    assert "Connection lost" in page.locator("#veil").inner_text()
    assert page.locator('[data-action="roll"]').is_disabled()
    house.refuse = False
    page.wait_for_selector("#veil", state="hidden")
    assert page.locator('[data-action="roll"]').is_enabled()


def test_a_page_that_comes_back_shows_the_same_as_one_that_stayed(look: Look) -> None:
    house = may_double(seat=1)
    house.dice = [(6, 2), (5, 5), (4, 3)]
    stayed = look(house, viewport=DESKTOP)
    house.roll(1)
    house.play_any(1)
    house.roll(0)
    house.play_any(0)
    at_seq(stayed, house)
    before = _shown(stayed)
    stayed.reload()
    at_seq(stayed, house)
    assert _shown(stayed) == before


def _shown(page: Any) -> list[str]:
    labels = page.locator("[data-point]").evaluate_all("all => all.map(e => e.ariaLabel)")
    texts = [page.locator(f"#{name}").inner_text() for name in ("moves", "stake-facts")]
    checkers = page.locator(".bg-checker:not(.bg-away)").evaluate_all(
        "all => all.map(e => e.getAttribute('transform')).sort()"
    )
    return [*labels, *texts, *checkers]


def test_a_slower_way_is_said_until_a_connection_takes_the_usual_one(look: Look) -> None:
    house = seated()
    house.slow = True
    page = look(house)
    page.wait_for_selector("#toasts .toast")
    said = "The connection is slower at the moment; the game goes on."
    assert page.locator("#toasts").inner_text() == page.locator("#slow").inner_text() == said
    house.slow = False
    house.hang_up()
    page.wait_for_selector("#slow", state="hidden")
