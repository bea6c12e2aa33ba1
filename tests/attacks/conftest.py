"""The people of the attacks: staff with a second factor, and a player with credits."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from accounts.models import User
from tests.desk.conftest import _house, anna, at_desk, bert, magriel, payout, staff

__all__ = ["_house", "anna", "at_desk", "bert", "magriel", "payout", "staff"]


@pytest.fixture
def puppet(db: None) -> User:
    """A second account of anna, with its own second factor."""
    user = User.objects.create_user("puppet", "puppet@example.org")
    TOTP.activate(user, generate_totp_secret())
    return user
