"""Players who enter tournaments, and matches that end quickly."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F

from accounts.models import User
from harness.wallets import credits_bought, mailbox_proved
from tests.aging import rows_age
from tests.services.conftest import dice
from tournaments.models import Meeting
from tournaments.services.running import GRACE, tournament_move_on

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


def late(meeting: Meeting) -> None:
    """Let the grace of a called meeting be over."""
    rows_age(
        Meeting.objects.filter(pk=meeting.pk),
        called_at=F("called_at") - GRACE,
        due_at=F("due_at") - GRACE,
    )
    tournament_move_on(meeting.tournament_id)
    meeting.refresh_from_db()
