"""People with paid credits and a confirmed mail address; credits handed over; payouts."""

from itertools import count
from typing import Any

from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.models import User
from fairplay.models import Case, Screening
from fairplay.procedure import CaseVerdict, Sanction
from fairplay.reviews import opinion_give
from games.models import Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting
from ledger.models import Payout, Warrant
from ledger.postings import lines_of, wallet_key
from ledger.services.books import Posted, transfer_post
from ledger.services.holds import gains_clear
from ledger.services.payouts import payout_claim, payout_request, payout_settle

_NUMBERS = count(1)


def credits_bought(user: User, cents: int, key: str = "") -> Posted | None:
    """Put credits into a wallet that were paid for and so are not locked."""
    if not cents:
        return None
    key, why = key or f"purchase:{user.pk}:{next(_NUMBERS)}", "paid in"
    order = {"kind": "purchase", "user_id": user.pk, "amount_cents": cents, "reason": why}
    Warrant.objects.get_or_create(key=key, defaults=order)
    return transfer_post(
        key=key,
        kind="purchase",
        reference="purchase:test",
        memo=why,
        lines=lines_of({"cash_in:test": -cents, wallet_key(user.pk): cents}),
    )


def credits_spent(user: User, cents: int) -> Posted:
    """Take credits out of a wallet, as if the payment for them had failed."""
    key, why = f"chargeback:{user.pk}:{next(_NUMBERS)}", "not paid after all"
    order = {"kind": "chargeback", "user_id": user.pk, "amount_cents": -cents, "reason": why}
    Warrant.objects.create(key=key, **order)
    return transfer_post(
        key=key,
        kind="chargeback",
        reference="purchase:test",
        memo=why,
        lines=lines_of({"cash_in:test": cents, wallet_key(user.pk): -cents}),
    )


def mailbox_proved(user: User) -> EmailAddress:
    """Give this person a confirmed mail address."""
    address, _new = EmailAddress.objects.get_or_create(
        user=user,
        email=user.email or f"{user.username}@example.org",
        defaults={"verified": True, "primary": True},
    )
    return address


def all_cleared(*references: str) -> int:
    """Let everybody be paid out what they gained by these results; return how many were not."""
    people = User.objects.values_list("pk", flat=True)
    played = {match.reference for match in Match.objects.filter(ended_at__isnull=False)}
    for reference in played & {*references}:
        Screening.objects.get_or_create(
            reference=reference, stage="known", defaults={"level": "clear", "score": 0}
        )
    return sum(gains_clear(reference, people) > 0 for reference in references)


def payout_asked(user: User, cents: int, key: str = "first", **wish: Any) -> Payout:
    """Request a payout for a player who has just given the password."""
    wish = {"destination": "DE02 1203 0000", "verified_at": timezone.now(), **wish}
    return payout_request(user=user, amount_cents=cents, client_key=key, **wish)


def payout_paid(payout: Payout, actor: User, receipt: str = "transfer 4711") -> Payout:
    """Take and pay an approved payout as this administrator."""
    now = timezone.now()
    payout_claim(payout_id=payout.pk, actor=actor, verified_at=now)
    return payout_settle(payout_id=payout.pk, actor=actor, verified_at=now, receipt=receipt)


# --- credits that are handed over -----------------------------------------------------------------
STAKED = {"mode": "prize5", "stake_cents": 500}


def handed_over(giver: User, taker: User, **terms: Any) -> Match:
    """A match for credits that the giver leaves after the first roll."""
    table = table_open(user=giver, **(terms or STAKED))
    table_join(user=taker, table_id=table.pk)
    played = Sitting(table, (giver, taker))
    played.turn()
    played.give(0, cmd.Leave())
    return Match.objects.get(table=table)


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
