"""The rules page shows the payouts of the settlement for every mode and every ending."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from backgammon.rules.variants import KEYS
from games.forms.names import CLOCK_NAMES, MODE_NAMES, VARIANT_NAMES
from games.modes.terms import CLOCKS
from games.modes.terms import KEYS as MODE_KEYS
from games.prizes import PrizeEnding
from harness.prices import house_prices
from pasch.pages.rules import ENDING_POINTS
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page():
    return Client(headers={"accept-language": "en"}).get(reverse("rules"))


def test_every_ending_has_its_row(page):
    assert set(ENDING_POINTS) == set(PrizeEnding)
    rows = re.findall(r'data-ending="(\w+)"', page.content.decode())
    assert set(rows) == {ending.value for ending in PrizeEnding}


def test_everything_that_can_be_chosen_has_a_name():
    assert set(CLOCK_NAMES) == set(CLOCKS)
    assert set(VARIANT_NAMES) == set(KEYS)
    assert set(MODE_NAMES) == set(MODE_KEYS)


@pytest.mark.parametrize(
    "line",
    [
        "2.50 ℂ 5.00 ℂ 0.50 ℂ 4.50 ℂ 2.50 ℂ",
        "5.00 ℂ 1.00 ℂ 9.00 ℂ 4.50 ℂ",
        "1.00 ℂ 10.00 ℂ +0.90 ℂ +1.80 ℂ +2.70 ℂ",
        "2.00 ℂ 20.00 ℂ +1.80 ℂ +3.60 ℂ +5.40 ℂ",
        "without 0.50 ℂ 1.50 ℂ +0.45 ℂ +0.90 ℂ +1.35 ℂ",
        "with 0.50 ℂ 5.00 ℂ +0.45 ℂ +0.90 ℂ +1.35 ℂ",
        "Resigned a gammon 2 4.50 ℂ / 0.00 ℂ 11.80 ℂ / 8.00 ℂ",
        "Table left 3 4.50 ℂ / 0.00 ℂ 12.70 ℂ / 7.00 ℂ",
        "Not both ready in time 1 – – 15.45 ℂ / 14.50 ℂ",
        "Left the seat before the first roll – 2.50 ℂ / 2.50 ℂ 10.00 ℂ / 10.00 ℂ",
    ],
)
def test_worked_lines(page, line):
    assert line in text_of(page)


def test_the_page_names_the_pair_limit_of_a_house_that_has_one(page):
    assert "of the same two players" not in text_of(page)
    house_prices(pair_limit=20)
    words = text_of(Client(headers={"accept-language": "en"}).get(reverse("rules")))
    assert "Within 24 hours 20 matches of the same two players are rated" in words


def test_the_page_follows_the_operators_prices():
    house_prices(prize_stakes_cents=[800], single_limits_cents=[300], rake_bps=500)
    words = text_of(Client(headers={"accept-language": "en"}).get(reverse("rules")))
    assert "8.00 ℂ 16.00 ℂ 0.80 ℂ 15.20 ℂ 8.00 ℂ" in words
    assert "2.00 ℂ 3.00 ℂ +1.90 ℂ +2.85 ℂ +2.85 ℂ" in words
