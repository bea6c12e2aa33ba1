"""The card at the end of a match: who gets what, what it means, and what comes next."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.table import commands as cmd
from tests.board.conftest import action
from tests.board.house import BoardHouse
from tests.board.tables import doubled, forfeited, may_double, resignation_offered, stood_up
from tests.face.moments import crawford

pytestmark = pytest.mark.slow

Look = Callable[..., Any]


def facts(page: Any) -> list[tuple[str, str]]:
    """The sum on the card, line by line."""
    found = page.locator("#result-facts")
    terms, values = found.locator("dt").all_inner_texts(), found.locator("dd").all_inner_texts()
    return list(zip(terms, (value.removesuffix(" ℂ") for value in values), strict=True))


def capped(seat: int) -> BoardHouse:
    """Marlene_K has resigned a backgammon with the cube on 2: 6 points at 2 credits, at most 10."""
    house = doubled(seat, mode="single", rate_cents=200, limit_cents=1000)
    house.do(cmd.Take(), 0)
    house.do(cmd.OfferResignation(level=3), 1)  # the highest level needs no answer
    elos = ("1743.0000", "1812.0000"), ("1755.2574", "1799.7426")
    house.do(
        cmd.Settle(paid_cents=(1900, 0), rake_cents=100, elo_before=elos[0], elo_after=elos[1])
    )
    return house


def test_after_the_end_nothing_speaks_of_the_crawford_game(look: Look) -> None:
    house = crawford()
    fact = '[data-fact="crawford"]'
    assert "Crawford game" in (look(house).locator(fact).text_content() or "")
    while house.state.phase not in ("roll", "play") or house.state.decider != 0:
        assert house.state.decider is not None
        house.play_any(1) if house.state.phase == "play" else house.roll(house.state.decider)
    house.do(cmd.OfferResignation(level=1), 0)
    assert house.state.phase == "over"
    page = look(house)
    expect(page.locator(fact)).to_be_hidden()
    assert page.locator(fact).text_content() == ""


def test_a_match_shows_no_points_beyond_its_length(look: Look) -> None:
    house = doubled(mode="match", target_points=3, start_rule="opener_alternates")
    house.do(cmd.Take(), 0)
    while house.state.phase != "play" or house.state.decider != 1:
        assert house.state.decider is not None
        house.play_any(0) if house.state.phase == "play" else house.roll(house.state.decider)
    house.do(cmd.OfferResignation(level=2), 1)
    assert house.state.match.score == (4, 0)
    page = look(house)
    assert "3 : 0" in page.locator("#result-title").inner_text()
    assert page.locator('[data-fact="score"]').first.text_content() == "3 : 0"
    assert "4 points" not in " ".join(page.locator(".strip").all_inner_texts())


def test_the_winner_reads_the_sum_line_by_line(look: Look) -> None:
    page = look(forfeited(seat=1))
    assert page.locator("#result-title").inner_text() == "You win the match"
    assert page.locator("#result-text").inner_text() == "hilde left and forfeits the match."
    assert facts(page) == [
        ("Your stake in escrow", "2.50"),
        ("Won from hilde", "2.50"),
        ("Rake", "−0.50"),
        ("Paid to you", "4.50"),
        ("You gain", "+2.00"),
    ]
    assert page.locator("#result-bar span").all_inner_texts() == ["to you 4.50 ℂ", "rake 0.50 ℂ"]
    widths = page.locator("#result-bar i").evaluate_all("all => all.map(e => e.clientWidth)")
    assert widths[1] / sum(widths) == pytest.approx(0.1, abs=0.005), "the rake is 10 %"
    rating = page.locator("#result-rating").inner_text()
    assert rating.split()[:5] == ["Rating", "1824", "+12", "was", "1812"]
    assert "hilde: 1743 → 1731" in rating
    strip = page.locator('[data-player="me"] [data-slot="elo"]')
    assert strip.inner_text() == "1824"


def test_the_loser_reads_that_the_rake_comes_on_top_of_nothing(look: Look) -> None:
    page = look(forfeited(seat=0))
    assert page.locator("#result-title").inner_text() == "You lose the match"
    assert facts(page)[1:] == [
        ("Lost to Marlene_K", "−2.50"),
        ("Back to you", "0.00"),
        ("You lose", "−2.50"),
    ]
    note = page.locator("#result-note").inner_text()
    assert "who receives 2.00 ℂ of your 2.50 ℂ. You pay nothing on top." in note


@pytest.mark.parametrize("seat", [0, 1])
def test_a_cap_is_named_with_its_sum(look: Look, seat: int) -> None:
    page = look(capped(seat))
    cap = page.locator("#result-cap").inner_text()
    assert cap == "6 points × 2.00 ℂ = 12.00 ℂ, capped at the limit of 10.00 ℂ."
    assert facts(page)[-1][1] == ("+9.00", "−10.00")[seat]


def test_a_match_that_never_began_gives_the_stake_back(look: Look) -> None:
    page = look(stood_up())
    assert page.locator("#result-rating").is_hidden()
    assert page.locator("#result-unrated").inner_text() == ""
    assert action(page, "rematch").is_hidden()


def test_escape_shows_the_position_and_a_button_the_card(look: Look) -> None:
    page = look(forfeited(seat=1))
    assert page.evaluate("document.activeElement.id") == "result-title"
    page.keyboard.press("Escape")
    assert page.locator("#result").is_hidden()
    action(page, "show_result").click()
    assert page.evaluate("document.activeElement.id") == "result-title"
    assert action(page, "show_result").is_hidden()


def test_no_toast_lies_over_the_card(look: Look) -> None:
    house = resignation_offered()
    page = look(house)
    house.do(cmd.Leave(), 1)
    page.wait_for_selector("#result")
    house.send({"type": "error", "code": "too_fast", "message": "slow down"})
    page.wait_for_selector("#result-news:not(:empty)")
    assert not page.locator("#toasts .toast:visible").count()
    expect(page.locator("#result-news")).to_have_text("")  # as short as over the board


def test_the_card_says_once_how_the_match_ended(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    house.do(cmd.Leave(), 1)
    expect(page.locator("#result-text")).to_have_text("Marlene_K left and forfeits the match.")
    assert page.locator("#result-news").inner_text() == ""
    assert "Marlene_K" in page.locator("#status").inner_text()


def test_replay_and_files_are_those_of_the_match(look: Look) -> None:
    page = look(forfeited(seat=1))
    found = page.locator("#result-links a[data-path]")
    paths = [link.get_attribute("href") for link in found.all()]
    assert paths == [
        "/match/m1/",
        "/match/m1/analysis/",
        "/match/m1/mat/",
        "/match/m1/sgf/",
        "/match/m1/json/",
    ]
