"""Doubling, resigning, leaving: a decision shows its price and is hard to make by accident."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.table import commands as cmd
from games.table.state import NEXT_GAME_MS
from tests.board.conftest import PHONE, action
from tests.board.house import BoardHouse
from tests.board.tables import (
    between_games,
    by_the_point,
    doubled,
    forfeited,
    free_stakes,
    may_double,
    opened,
    resignation_offered,
    seated,
    stood_up,
    to_play,
)

Look = Callable[..., Any]


def sent(house: BoardHouse) -> list[str]:
    return [frame["command"]["type"] for frame in house.commands]


def test_a_double_says_what_taking_and_dropping_mean(look: Look) -> None:
    page = look(doubled())
    band = page.locator("#band")
    assert band.locator("h2").inner_text() == "Marlene_K doubles to 2"
    text = band.locator("p").inner_text()
    assert "the game counts 2 / 4 / the match" in text
    assert "Marlene_K wins 1 point" in text
    assert page.evaluate("document.activeElement.id") == "band-title"


def test_answers_are_armed_only_after_a_moment(look: Look) -> None:
    house = may_double(seat=0)
    page = look(house)
    page.evaluate(
        """() => new MutationObserver(() => {
          const take = document.querySelector('[data-action=take]');
          if (take.hidden) return;
          window.seen ??= {disabled: take.disabled, at_ms: performance.now()};
          if (take.disabled) return;
          window.armed_ms ??= performance.now();
          document.body.classList.add('armed');
        }).observe(document.querySelector('#actions'), {subtree: true, attributes: true})"""
    )
    house.do(cmd.Double(), 1)
    page.wait_for_selector("body.armed")
    assert page.evaluate("window.seen.disabled") is True
    # 400 ms from when it appears, which is seen only at the end of the work that shows it
    assert page.evaluate("window.armed_ms - window.seen.at_ms") >= 300


def test_the_cube_lies_on_the_bar_until_somebody_owns_it(look: Look) -> None:
    house = may_double()
    page = look(house)
    on_bar = """() => {
      const board = document.querySelector('svg.bg').getBoundingClientRect();
      const box = document.querySelector('[data-cube]').getBoundingClientRect();
      const bar = document.querySelector('[data-point="bar"]').getBoundingClientRect();
      return Math.abs(box.x + box.width / 2 - bar.x - bar.width / 2) < 2
        && Math.abs(box.y + box.height / 2 - board.y - board.height / 2) < 2;
    }"""
    assert page.evaluate(on_bar)
    house.do(cmd.Double(), 1)
    house.do(cmd.Take(), 0)
    page.wait_for_selector("[data-cube='2']")
    assert not page.evaluate(on_bar)


def test_taking_turns_the_cube_over(look: Look) -> None:
    house = doubled()
    page = look(house)
    action(page, "take").click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert sent(house) == ["take"]
    assert page.locator("[data-cube]").get_attribute("data-cube") == "2"
    assert "2 · yours" in page.locator("#stake-facts").inner_text()


@pytest.mark.parametrize(("table", "name"), [(may_double, "double"), (doubled, "drop")])
def test_on_touch_doubling_and_dropping_ask_again(look: Look, table: Any, name: str) -> None:
    house = table(seat=1 if name == "double" else 0)
    page = look(house, viewport=PHONE, has_touch=True, is_mobile=True)
    page.wait_for_selector(f'[data-action="{name}"]:enabled')
    action(page, name).tap()
    expect(action(page, name)).to_contain_text("Really")
    assert sent(house) == []
    action(page, name).tap()
    page.wait_for_selector(f'[data-action="{name}"]', state="hidden")
    assert sent(house) == [name]


def test_resigning_names_the_points_and_is_sent_with_its_level(look: Look) -> None:
    house = may_double(seat=1)
    page = look(house)
    action(page, "resign").click()
    page.get_by_text("gammon: 2 points").click()
    assert "hilde wins 2 points" in page.locator("#resign-cost").inner_text()
    assert action(page, "resign_confirm").inner_text() == "Resign 2 points"
    action(page, "resign_confirm").click()
    page.wait_for_selector("body[data-phase=resignation_offered]")
    assert house.commands[0]["command"] == {"type": "offer_resignation", "level": 2}


@pytest.mark.parametrize(
    ("name", "phase"), [("accept_resignation", "between_games"), ("refuse_resignation", "roll")]
)
def test_a_resignation_is_answered(look: Look, name: str, phase: str) -> None:
    house = resignation_offered()
    page = look(house)
    assert page.locator("#band h2").inner_text() == "Marlene_K resigns: single game"
    assert "you win 1 point" in page.locator("#band p").inner_text()
    action(page, name).click()
    page.wait_for_selector(f"body[data-phase={phase}]")
    assert sent(house) == [name]


def test_leaving_asks_twice_and_names_the_stake(look: Look) -> None:
    house = to_play()
    page = look(house)
    action(page, "leave").click()
    assert "your stake of 2.50" in page.locator("#leave-cost").inner_text()
    assert "you wait before the next one" in page.locator("#leave-pause").inner_text()
    assert action(page, "leave_confirm").is_hidden()
    action(page, "leave_continue").click()
    assert action(page, "leave_confirm").is_disabled()
    assert sent(house) == []
    action(page, "leave_confirm").click()
    page.wait_for_selector("body[data-phase=over]")
    assert sent(house) == ["leave"]


def test_escape_stays_at_the_table(look: Look) -> None:
    house = to_play()
    page = look(house)
    action(page, "leave").click()
    action(page, "leave_continue").click()
    page.keyboard.press("Escape")
    action(page, "leave").click()
    assert action(page, "leave_confirm").is_hidden()
    assert sent(house) == []


def test_before_the_first_roll_one_stands_up_instead(look: Look) -> None:
    house = seated()
    page = look(house)
    assert action(page, "leave").is_hidden()
    action(page, "stand_up").click()
    page.wait_for_selector("body[data-phase=closed]")
    assert "Both stakes were returned" in page.locator("#result").inner_text()


def test_who_stayed_reads_why_the_match_never_began(look: Look) -> None:
    page = look(stood_up())
    assert "Both stakes were returned" in page.locator("#result").inner_text()


def test_the_opener_can_copy_the_link_and_close_the_table(look: Look) -> None:
    house = opened()
    page = look(house)
    card = page.locator("#waiting")
    assert "Waiting for an opponent" in card.inner_text()
    assert "Nothing is reserved" in card.inner_text()
    assert page.locator("#table-link").input_value() == page.url.split("?")[0]
    action(page, "cancel").click()
    page.wait_for_selector("body[data-phase=closed]")
    assert sent(house) == ["stand_up"]


def test_between_games_the_score_is_told_and_the_next_game_can_be_started(look: Look) -> None:
    house = between_games()
    page = look(house)
    assert page.locator("#band h2").inner_text() == "Marlene_K wins 1 point"
    assert "0 : 1" in page.locator("#band p").inner_text()
    seconds = int(page.locator("[data-countdown]").inner_text())
    assert 0 < seconds <= NEXT_GAME_MS // 1000
    action(page, "ready").click()
    page.get_by_text("Waiting for your opponent").wait_for()
    house.do(cmd.Ready(), 1)
    page.wait_for_selector("body[data-phase=roll], body[data-phase=play][data-free=true]")
    assert "Game 2" in page.locator("#moves").inner_text()


def test_by_the_point_every_answer_is_told_in_credits(look: Look) -> None:
    page = look(by_the_point())
    text = page.locator("#band p").inner_text()
    assert "win +1.80 / +3.60 / +5.40 ℂ or lose −2.00 / −4.00 / −6.00 ℂ" in text
    assert "Drop: you lose 1.00 ℂ." in text.replace("\xa0", " ")
    facts = page.locator("#stake-facts").inner_text().replace("\xa0", " ")
    assert "10.00 ℂ" in facts
    assert "−1.00 / −2.00 / −3.00 ℂ" in facts
    assert "+0.90 / +1.80 / +2.70 ℂ" in facts


def test_credits_never_pass_the_limit(look: Look) -> None:
    house = doubled(mode="single", rate_cents=200, limit_cents=1000)
    house.do(cmd.Take(), 0)
    page = look(house)
    facts = page.locator("#stake-facts").inner_text().replace("\xa0", " ")
    assert "−4.00 / −8.00 / −10.00 ℂ (limit)" in facts
    assert "−8.00 / −10.00 / −10.00 ℂ (limit)" in facts


def test_t12_leaving_while_a_double_waits_is_named_a_drop(look: Look) -> None:
    page = look(by_the_point())
    action(page, "leave").click()
    text = page.locator("#leave-cost").inner_text().replace("\xa0", " ")
    assert text == (
        "A double waits for your answer: leaving drops it. "
        "You forfeit: Marlene_K wins 1 point and you lose 1.00 ℂ."
    )


@pytest.mark.parametrize(
    ("lang", "levels", "loss"),
    [("en", "single game", "−0.50 ℂ"), ("de", "einfaches Spiel", "−0,50 ℂ")],
)
@pytest.mark.parametrize("options", [{}, {"viewport": PHONE, "has_touch": True}])
def test_t1_under_jacoby_the_panel_shows_a_single_game_alone(
    look: Look, lang: str, levels: str, loss: str, options: dict[str, Any]
) -> None:
    house = to_play(mode="stake", stake_cents=50, jacoby=True)
    page = look(house, lang=lang, **options)
    if options:
        action(page, "panel").click()
    facts = page.locator("#stake-facts").inner_text().replace("\xa0", " ")
    assert levels in facts.splitlines()
    assert loss in facts.splitlines()
    assert page.evaluate(
        "document.querySelector('#stake-facts').scrollWidth <= "
        "document.querySelector('#stake-facts').clientWidth"
    )


def test_a_beaver_and_a_raccoon_are_offered_where_the_table_has_them(look: Look) -> None:
    house = free_stakes()
    page = look(house)
    beaver = action(page, "beaver")
    assert beaver.inner_text() == "Beaver to 4"
    beaver.click()
    page.wait_for_selector("body[data-my-turn=false]")
    assert sent(house) == ["beaver"]
    assert page.locator("[data-cube]").get_attribute("data-cube") == "4"
    house.do(cmd.Raccoon(), 1)
    page.wait_for_selector("body[data-my-turn=true]")
    assert page.locator("#band h2").inner_text() == "Marlene_K raccoons to 8"
    assert "you lose 2.00" in page.locator("#band p").inner_text()
    assert beaver.is_hidden()


def test_a_rematch_begins_when_both_want_it(look: Look) -> None:
    house = forfeited(seat=1)
    page = look(house)
    house.do(cmd.GiveRematch(match="m2"), 0)
    page.locator("#rematch-text", has_text="hilde wants a rematch").wait_for()
    action(page, "rematch").click()
    page.wait_for_selector("body[data-phase=roll]")
    assert page.locator("#result").is_hidden()
    assert "Game 1" in page.locator("#moves").inner_text()
    assert "8/5 6/5" not in page.locator("#moves").inner_text()


def test_after_an_acey_deucey_the_double_is_named(look: Look) -> None:
    house = seated(dice=((2, 1),), mode="normal", variant="acey_deucey", has_cube=False)
    house.roll(0)
    house.play_any(0)
    page = look(house)
    page.wait_for_selector("body[data-phase=name_double]")
    page.get_by_role("button", name="4–4").click()
    page.wait_for_selector("body[data-phase=play][data-free=true]")
    assert house.commands[0]["command"] == {"type": "name_double", "number": 4}


def test_a_match_to_one_point_names_the_match_once(look: Look) -> None:
    page = look(to_play(mode="match", target_points=1))
    facts = page.locator("#stake-facts")
    assert facts.locator("dt").all_inner_texts()[:2] == ["This game", "Doubling cube"]
    assert facts.locator("dd").first.inner_text() == "the match"


def test_moves_are_in_the_columns_of_match_files_and_a_roll_off_has_no_number(look: Look) -> None:
    house = seated(seat=1, dice=((6, 4), (3, 1)), mode="normal", start_rule="roll_off_reroll")
    house.roll(0)
    page = look(house)
    rows = page.locator("#moves tr").all_inner_texts()
    assert [row.split("\t") for row in rows[:2]] == [["#", "hilde", "You"], ["", "6", "4"]]
    house.play(0, (8, 5, 3), (6, 5, 1))
    expect(page.locator("#moves tr").nth(2)).to_have_text(re.compile("^1318/5 6/5"))


def test_endings_that_all_end_the_match_are_named_once(look: Look) -> None:
    page = look(doubled(mode="match", target_points=3, start_rule="opener_alternates"))
    text = page.locator("#band-text").inner_text()
    assert "2 / the match" in text
    assert "the match / the match" not in text


# --- without a stake ------------------------------------------------------------------------------
WORDS = {"en": ("stake", "credit", "escrow"), "de": ("einsatz", "einsätze", "credit", "treuhand")}
SETTLED = cmd.Settle(
    paid_cents=(0, 0), rake_cents=0, elo_before=("1500", "1500"), elo_after=("1500", "1500")
)


def stood_up_view(**wishes: Any) -> BoardHouse:
    house = seated(**wishes)
    house.do(cmd.StandUp(), 0)
    return house


def voided(**wishes: Any) -> BoardHouse:
    house = may_double(0, **wishes)
    house.do(cmd.Void())
    return house


def left(**wishes: Any) -> BoardHouse:
    house = may_double(0, **wishes)
    house.do(cmd.Leave(), 1)
    house.do(SETTLED)
    return house


@pytest.mark.slow
@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("mode", ["normal", "practice"])
@pytest.mark.parametrize("end", [stood_up_view, voided, left])
def test_t11_no_ending_without_a_stake_speaks_of_one(
    look: Look, end: Callable[..., BoardHouse], mode: str, lang: str
) -> None:
    page = look(end(mode=mode, start_rule="opener_alternates"), lang=lang)
    text = page.locator("#result").inner_text()
    assert not [word for word in WORDS[lang] if word in text.lower()], text
    assert mode != "practice" or "1500 → 1500" not in text


@pytest.mark.slow
@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("mode", ["normal", "practice"])
def test_t11_leaving_without_a_stake_speaks_of_none(look: Look, mode: str, lang: str) -> None:
    page = look(may_double(0, mode=mode, start_rule="opener_alternates"), lang=lang)
    page.locator('[data-action="leave"]').click()
    text = page.locator("#leave-dialog").inner_text().lower()
    assert not [word for word in WORDS[lang] if word in text], text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "words"), [("en", "hilde closed this table"), ("de", "hilde hat")]
)
def test_t11_a_table_closed_by_its_opener_says_so(look: Look, lang: str, words: str) -> None:
    house = opened(seat=None)
    house.do(cmd.StandUp(), 0)
    page = look(house, lang=lang)
    assert words in page.locator("#waiting").inner_text()
