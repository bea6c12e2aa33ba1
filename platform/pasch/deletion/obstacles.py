"""The obstacles to deleting an account.

Asked when the owner wants it, and again at its end, since credits may have come back meanwhile.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Final

from django.utils import timezone

from accounts.decisions import WAITING, IdentityChange
from accounts.deletions import AccountDeletion
from accounts.identity import is_guarded
from accounts.models import User
from fairplay.models import Party, PartyRole
from games.kinds import kinds
from games.models import WordsReport
from games.services.house_bots import bot_strengths
from ledger.models import OPEN_STATES, Payout, Proposal
from ledger.selectors import wallet_is_frozen
from ledger.selectors_desk import proposal_waits
from ledger.selectors_player import payable, payout_minimum_cents

A_DAY_MAX: Final = 3
"""A person may request it so often in 24 hours; each is a mail and a line of the journal."""


class Obstacle(StrEnum):
    """A reason why an account is not deleted now, beside the kinds of tables that hold a seat."""

    STAFF = "staff"
    PAYOUT = "payout"
    FROZEN = "frozen"
    CASE = "case"
    CREDITS = "credits"
    OFTEN = "often"
    GIVE_UP = "give_up"
    CHANGED = "changed"
    BUSY = "busy"


def obstacles(person: User) -> list[str]:
    """The reasons why this person may not request it now: obstacles and kinds of tables."""
    asked: dict[str, bool] = {
        Obstacle.STAFF: _is_of_the_house(person),
        **{kind.key: kind.holds(person.pk) for kind in kinds()},
        Obstacle.PAYOUT: Payout.objects.filter(user=person, state__in=OPEN_STATES).exists(),
        Obstacle.FROZEN: wallet_is_frozen(person.pk),
        Obstacle.CASE: _is_decided_about(person),
        Obstacle.OFTEN: is_asked_often(person.pk),
        Obstacle.CREDITS: not person.is_bot and has_payable_credits(person.pk),
    }
    return [obstacle for obstacle, stands in asked.items() if stands]


def obstacles_at_the_end(person: User, given_up_cents: int) -> list[str]:
    """The reasons why an account that was given up is not deleted yet."""
    found = obstacles(person)
    if payable(person.pk).balance_cents > given_up_cents and Obstacle.CREDITS not in found:
        found.append(Obstacle.CREDITS)
    if WordsReport.objects.filter(author=person, closed_at=None).exists() or _is_accused(person):
        found.append(Obstacle.CASE)
    return found


def _is_accused(person: User) -> bool:
    """Whether a case of fair play about the person is not over."""
    parties = Party.objects.filter(user=person, role=PartyRole.ACCUSED, case__closed_at=None)
    return parties.exists()


def is_asked_often(user_id: int) -> bool:
    """Whether this person has requested it, and kept the account, as often as allowed a day."""
    lately = timezone.now() - timedelta(days=1)
    return AccountDeletion.objects.filter(user=user_id, asked_at__gt=lately).count() >= A_DAY_MAX


def has_payable_credits(user_id: int) -> bool:
    """Whether the wallet has enough credits for a payout."""
    cents = payable(user_id).payable_cents
    return cents > 0 and cents >= payout_minimum_cents()


def _is_of_the_house(person: User) -> bool:
    staff = person.is_staff or person.is_superuser or is_guarded(person)
    return staff or bool(bot_strengths([person.pk]))


def _is_decided_about(person: User) -> bool:
    """Whether a decision of administrators about the account or its credits waits."""
    waiting = IdentityChange.objects.filter(WAITING, person=person)
    proposed = Proposal.objects.filter(proposal_waits(), subject=f"user:{person.pk}")
    return waiting.exists() or proposed.exists()
