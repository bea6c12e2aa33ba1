"""People who hand credits over, and people who judge them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from fairplay.models import Case
from fairplay.procedure import CaseVerdict, Sanction
from fairplay.reviews import opinion_give
from fairplay.screening import results_screen
from games.models import Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from tests.services.conftest import Sitting, dice, hilde, magriel, sitting
from tests.wallets import credits_bought, mailbox_proved

__all__ = ["dice", "hilde", "magriel", "sitting"]
"""Fixtures of the services that these tests use as they are."""

STAKED = {"mode": "prize5", "stake_cents": 500}


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


def handed_over(giver: User, taker: User, **terms: Any) -> Match:
    """A match for credits that the giver leaves after the first roll."""
    table = table_open(user=giver, **(terms or STAKED))
    table_join(user=taker, table_id=table.pk)
    played = Sitting(table, (giver, taker))
    played.turn()
    played.give(0, cmd.Leave())
    return Match.objects.get(table=table)


@pytest.fixture
def reviewer(transactional_db: None) -> Callable[[str], User]:
    """Make a moderator."""

    def make(name: str, role: Role = Role.MODERATOR) -> User:
        user = User.objects.create_user(name, email=f"{name}@example.org")
        role_give(user, role)
        return User.objects.get(pk=user.pk)

    return make


def judged(
    case: Case, reviewer: User, sanction: Sanction = Sanction.CLOSED, *, refund: bool = True
) -> None:
    """An opinion of this reviewer."""
    opinion_give(
        case_id=case.pk,
        actor=reviewer,
        verdict=CaseVerdict(sanction, refund),
        for_them="They have played for a year.",
        reasons="Every match was given up.",
        verified_at=timezone.now(),
    )


@pytest.fixture
def alarm(person: Callable[..., User], dice: Any) -> Case:
    """The case that opens when a fresh account hands all its credits over."""
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 500), person("taker", 500)
    handed_over(giver, taker)
    results_screen()
    return Case.objects.get()
