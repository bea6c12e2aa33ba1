"""The format of credits."""

from decimal import Decimal

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from ledger.templatetags.credits import credits_change, credits_filter, credits_text, percent


@pytest.mark.parametrize(
    ("cents", "english", "german"),
    [
        (0, "0.00 ℂ", "0,00 ℂ"),
        (5, "0.05 ℂ", "0,05 ℂ"),
        (250, "2.50 ℂ", "2,50 ℂ"),
        (-250, "−2.50 ℂ", "−2,50 ℂ"),
        (-5, "−0.05 ℂ", "−0,05 ℂ"),
        (123456789, "1,234,567.89 ℂ", "1.234.567,89 ℂ"),
    ],
)
def test_credits_are_written_in_the_readers_notation(cents, english, german):
    with override("en"):
        assert credits_filter(cents).replace("\u00a0", " ") == english
    with override("de"):
        assert credits_filter(cents).replace("\u00a0", " ") == german


@given(st.integers(-(10**15), 10**15))
def test_what_is_written_is_exactly_the_amount(cents):
    with override("en"):
        text = credits_text(cents).removesuffix("\u00a0ℂ").replace("−", "-").replace(",", "")
    assert Decimal(text) * 100 == cents


def test_a_movement_shows_its_sign_and_its_direction():
    with override("en"):
        assert credits_change(450) == '<span class="amount amount-up">+4.50\u00a0ℂ</span>'
        assert credits_change(-250) == '<span class="amount amount-down">−2.50\u00a0ℂ</span>'


def test_a_missing_amount_is_not_written():
    assert credits_filter(None) == ""


def test_a_share_is_written_in_the_readers_notation():
    with override("en"):
        assert percent(Decimal("55.6")) == "55.6%"
    with override("de"):
        assert percent(Decimal("55.6")) == "55,6\u00a0%"
