"""Create a new person's wallet, and book the welcome credits into it."""

from typing import Any

from django.db import transaction

from accounts.models import ApiToken, User
from accounts.tokens import StillAtStakes
from house.reader import house_read
from ledger.models import OPEN_STATES, Payout
from ledger.selectors_player import payable, welcome_cents
from ledger.services.books import credits_issue, wallet_open
from ledger.services.decisions import journal_record


def bot_becoming(*, user: User, **_: object) -> None:
    """Bots have no payouts: an open one has to end first, and so do credits for one. Locked
    promotional credits do not count. Raises `StillAtStakes`.
    """
    if Payout.objects.filter(user=user, state__in=OPEN_STATES).exists():
        raise StillAtStakes("payout")
    wallet = payable(user.pk)
    if wallet.balance_cents > wallet.locked_cents:
        raise StillAtStakes("credits")


def token_changed(*, user: User, token: ApiToken, verb: str, **_: object) -> None:
    """Enter in the journal, where its owner reads it, that a token was made or has ended."""
    journal_record(
        actor=user,
        verb=f"token.{verb}",
        subject=f"user:{user.pk}",
        before={},
        after={"token": token.pk, "start": token.start, "scopes": token.scopes},
        reason="made for a program" if verb == "make" else "works no more",
    )


def user_created(*, instance: Any, created: bool, raw: bool, **_: object) -> None:
    """Open the wallet in the transaction that makes the person.

    Guests have no account in the books at all, until they register.
    """
    if created and not raw and not getattr(instance, "is_guest", False):
        _begin(instance)


def guest_registered(*, user: User, **_: object) -> None:
    """Open the wallet in the transaction that makes a guest an account."""
    _begin(user)


def _begin(user: User) -> None:
    """Open a person's wallet and book the welcome credits; bots get no credits."""
    with transaction.atomic():
        wallet_open(user=user)
        # as the database has it now: what a process read seconds ago may be what was just stopped
        amount_cents = welcome_cents(house_read())
        if amount_cents and not getattr(user, "is_bot", False):
            credits_issue(
                user=user,
                amount_cents=amount_cents,
                key=f"promo:welcome:{user.pk}",
                kind="welcome",
                campaign="welcome",
                memo="Welcome credits",
            )
