"""Fixtures of the wallet: players, and a function that reads the pages in English."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from harness.logins import logged_in
from tests.ledger.conftest import administrator, anna, bert, hilde, magriel, person
from tests.matches import match_paid

__all__ = ["administrator", "anna", "bert", "hilde", "magriel", "person"]

MATCH = "match:0d4f7c7a-4f0c-4f0a-9d0e-5a0d6a3f0003"


@pytest.fixture
def played(magriel: User, hilde: User) -> User:
    """magriel staked 2.50 against hilde and won 4.50."""
    match_paid(MATCH, winner=magriel, loser=hilde, stake_cents=250, paid_cents=450, rake_cents=50)
    return magriel


@pytest.fixture
def reader(magriel: User) -> Client:
    """magriel, logged in."""
    return logged_in(Client(headers={"accept-language": "en"}), magriel)


def words(response: Any) -> str:
    """The text of a page, without its tags."""
    from tests.pages.test_pages import text_of

    return text_of(response)
