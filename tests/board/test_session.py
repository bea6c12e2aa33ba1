"""Connections that break and opponents who are absent: what the page says, and what comes back."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from games.table.state import ABSENCE_MS
from tests.board.conftest import DESKTOP, action
from tests.board.house import BoardHouse
from tests.board.tables import by_the_point, doubled, forfeited, may_double, seated, to_play

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


# --- an absent opponent ---------------------------------------------------------------------------
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
