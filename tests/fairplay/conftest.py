"""People who hand credits over, and people who judge them."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from accounts.roles import Role, role_give
from fairplay.models import Case
from fairplay.screening import results_screen
from harness.wallets import credits_bought, handed_over, mailbox_proved

"""Fixtures of the services that these tests use as they are."""


@pytest.fixture
def person(transactional_db: None, settings: Any) -> Callable[..., User]:
    """Make a player with a confirmed address and this many paid credits."""

    settings.LEDGER_WELCOME_CENTS = 0

    def make(name: str, cents: int = 1_000) -> User:
        user = User.objects.create_user(name)
        mailbox_proved(user)
        credits_bought(user, cents)
        return user

    return make


@pytest.fixture
def reviewer(transactional_db: None) -> Callable[[str], User]:
    """Make a moderator."""

    def make(name: str, role: Role = Role.MODERATOR) -> User:
        user = User.objects.create_user(name, email=f"{name}@example.org")
        role_give(user, role)
        return User.objects.get(pk=user.pk)

    return make


@pytest.fixture
def alarm(person: Callable[..., User], dice: Any) -> Case:
    """The case that opens when a fresh account hands all its credits over."""
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 500), person("taker", 500)
    handed_over(giver, taker)
    results_screen()
    return Case.objects.get()
