"""S13 with another person's address: an account that only names it changes no count of theirs."""

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.attacks.test_s13_lock_out import (
    attack,
    browser,
    known_browser,
    log_in,
    looked_at,
    magriel,
)

__all__ = ["looked_at", "magriel"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def mallory(db: None) -> User:
    """An older account whose owner added the address of magriel, who has confirmed it."""
    user = User.objects.create_user("mallory", "mallory@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email="magriel@example.org", verified=False)
    return user


def test_s13_a_known_browser_of_another_account_gives_no_tries(
    mallory: User, magriel: User, looked_at: list[str]
) -> None:
    """Each login of mallory makes a browser known; none of them is one of magriel's."""
    assert mallory.pk < magriel.pk
    for number in range(8):
        mine = known_browser(f"198.51.{number}.7", login="mallory")
        for _ in range(10):
            log_in(mine, "magriel@example.org", "wrong")
    assert len(looked_at) <= 30


def test_s13_nor_does_it_take_the_own_ones_away(mallory: User, magriel: User) -> None:
    mine = known_browser()
    attack("magriel@example.org", "mallory")
    assert log_in(mine, "magriel@example.org")


def test_s13_wrong_tries_at_an_address_count_for_its_owner(
    mallory: User, magriel: User, looked_at: list[str]
) -> None:
    attack("magriel@example.org", networks=6)
    attack("magriel", networks=6)
    assert len(looked_at) <= 30
    assert not log_in(browser("203.0.113.9"))
