"""T11: a game without a stake never speaks of stakes, and a closed table says who closed it."""

from collections.abc import Callable
from typing import Any

import pytest

from games.table import commands as cmd
from tests.board.house import BoardHouse
from tests.board.tables import may_double, opened, seated

pytestmark = pytest.mark.slow
Look = Callable[..., Any]
WORDS = {"en": ("stake", "credit", "escrow"), "de": ("einsatz", "einsätze", "credit", "treuhand")}
SETTLED = cmd.Settle(
    paid_cents=(0, 0), rake_cents=0, elo_before=("1500", "1500"), elo_after=("1500", "1500")
)


def stood_up(**wishes: Any) -> BoardHouse:
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


@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("mode", ["normal", "practice"])
@pytest.mark.parametrize("end", [stood_up, voided, left])
def test_t11_no_ending_without_a_stake_speaks_of_one(
    look: Look, end: Callable[..., BoardHouse], mode: str, lang: str
) -> None:
    page = look(end(mode=mode, start_rule="opener_alternates"), lang=lang)
    text = page.locator("#result").inner_text()
    assert not [word for word in WORDS[lang] if word in text.lower()], text
    assert mode != "practice" or "1500 → 1500" not in text


@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("mode", ["normal", "practice"])
def test_t11_leaving_without_a_stake_speaks_of_none(look: Look, mode: str, lang: str) -> None:
    page = look(may_double(0, mode=mode, start_rule="opener_alternates"), lang=lang)
    page.locator('[data-action="leave"]').click()
    text = page.locator("#leave-dialog").inner_text().lower()
    assert not [word for word in WORDS[lang] if word in text], text


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "hilde closed this table"), ("de", "hilde hat")]
)
def test_t11_a_table_closed_by_its_opener_says_so(look: Look, lang: str, words: str) -> None:
    house = opened(seat=None)
    house.do(cmd.StandUp(), 0)
    page = look(house, lang=lang)
    assert words in page.locator("#waiting").inner_text()
