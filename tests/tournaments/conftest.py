"""Players who enter tournaments, and matches that end quickly."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from harness.wallets import credits_bought, mailbox_proved
from tests.services.conftest import dice

__all__ = ["dice"]


@pytest.fixture
def people(transactional_db: None, settings: Any) -> Callable[..., list[User]]:
    """Make so many players with a confirmed address and paid credits."""
    settings.LEDGER_WELCOME_CENTS = 0

    def make(many: int, cents: int = 1_000) -> list[User]:
        made = []
        for number in range(many):
            user = User.objects.create_user(f"player{number}")
            mailbox_proved(user)
            credits_bought(user, cents)
            made.append(user)
        return made

    return make
