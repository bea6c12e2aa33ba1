"""S7: one account loses to another at once, and the winner requests a payout of the credits.

Seconds after the sign-up, 90 credits had changed hands and could be paid out, and nothing was
marked. Locked credits stay locked with their winner (tests/ledger/test_promo.py); the desk marks
other credits, and a marked payout is approved only with a remark.
"""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts.login_marks import marks_note
from accounts.models import User
from fairplay.models import Case
from fairplay.screening import results_screen
from games.services.bars import Linked
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.errors import CreditsHeld, ResultsUnchecked
from ledger.models import JournalEntry, Payout, PayoutState
from ledger.selectors import held_cents
from ledger.selectors_player import payable
from tests.desk.conftest import at_desk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def handed_over(dice: Callable[..., None], settings: Any) -> tuple[User, User]:
    """The second account lost 5 of its 8 credits to the first one, which asks for a payout."""
    settings.LEDGER_WELCOME_CENTS = 0
    dice((3, 1), (4, 2))
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    for number, user in enumerate((first, second)):
        credits_bought(user, (5_000, 800)[number])
        UserSession.objects.create(
            user=user, ip="192.0.2.7", session_key=f"key{number}", user_agent=""
        )
    mailbox_proved(first)
    table = table_open(user=first, mode="prize5", stake_cents=500)
    table_join(user=second, table_id=table.pk)
    sitting = Sitting(table, (first, second))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    return first, second


def test_two_accounts_of_one_address_do_not_get_that_far(dice: Callable[..., None]) -> None:
    """They log in from one network, so they cannot meet for credits."""
    dice((3, 1), (4, 2))
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    for number, user in enumerate((first, second)):
        credits_bought(user, 5_000)
        marks_note(user.pk, browser=f"browser {number}", address="9.9.9.9")
    table = table_open(user=first, mode="single", rate_cents=200, limit_cents=2_000)
    with pytest.raises(Linked):
        table_join(user=second, table_id=table.pk)


def approve(administrator: Client, payout: Payout, remark: str) -> str:
    """Press Approve and return the text of the next page."""
    address = reverse("desk:payout_approve", args=[payout.pk])
    return administrator.post(address, {"reason": remark}, follow=True).content.decode()


def test_what_was_handed_over_is_held_before_it_can_be_paid_out(
    handed_over: tuple[User, User],
) -> None:
    first, second = handed_over
    with pytest.raises(ResultsUnchecked):  # before anything has looked at it
        payout_asked(first, 5_300, key="at once")
    results_screen()
    with pytest.raises(CreditsHeld):
        payout_asked(first, 5_300, key="seconds later")
    assert held_cents(first.pk) == 400  # the stake of the other, less the rake
    case = Case.objects.get()
    assert set(case.parties.values_list("user_id", flat=True)) == {first.pk, second.pk}


def test_the_desk_marks_what_was_handed_over(handed_over: tuple[User, User], anna: User) -> None:
    first, second = handed_over
    payout = payout_asked(first, 2_000)
    page = at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    marks = page.partition('data-testid="origin-marks"')[2].partition("</ul>")[0]
    assert marks.count("<li>") == 4
    assert second.username in page.partition('data-testid="origins"')[2]


def test_nobody_approves_it_without_a_remark(handed_over: tuple[User, User], anna: User) -> None:
    payout = payout_asked(handed_over[0], 2_000)
    desk = at_desk(anna)
    assert "say in the remark what you found" in approve(desk, payout, "")
    assert Payout.objects.get().state == PayoutState.REQUESTED
    approve(desk, payout, "asked both, they are a family")
    assert Payout.objects.get().state == PayoutState.APPROVED
    entry = JournalEntry.objects.get(subject=payout.reference)
    assert entry.reason == "asked both, they are a family"


def test_credits_that_were_a_present_cannot_be_paid_to_the_winner(
    dice: Callable[..., None], settings: object
) -> None:
    settings.LEDGER_WELCOME_CENTS = 10_000
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    dice((3, 1), (4, 2))
    table = table_open(user=first, mode="single", rate_cents=200, limit_cents=2_000)
    table_join(user=second, table_id=table.pk)
    sitting = Sitting(table, (first, second))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    assert payable(first.pk).balance_cents > 10_000
    assert payable(first.pk).payable_cents == 0
