"""Adjustments: an administrator gives or takes credits, with a reason; above a limit, two do."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from ledger.errors import KeyConflict, MalformedPosting, NotAllowed
from ledger.models import Adjustment, Proposal
from ledger.postings import ADJUSTMENT, lines_of, wallet_key
from ledger.services.books import transfer_post
from ledger.services.decisions import (
    journal_record,
    right_check,
    second_factor_check,
    second_person_check,
    within_alone_limit,
)
from ledger.services.proposals import proposal_kind, proposal_make

KIND: Final = "adjustment.give"
"""The verb of the journal, and the kind of proposals, by which credits are given or taken."""

RIGHT: Final = "adjust_credits"


@transaction.atomic
def adjustment_make(
    *,
    actor: User,
    user: User,
    amount_cents: int,
    reason: str,
    client_key: str,
    verified_at: datetime | None,
) -> Adjustment | Proposal:
    """Give (above zero) or take credits. Small ones are booked at once, others wait as a proposal.

    Small: what this administrator moved alone within 24 hours, this included, stays within
    LEDGER_ALONE_CENTS (`within_alone_limit`). `verified_at` is when the second factor was
    shown. Raises `NotAllowed`, `SecondFactorStale`, `MalformedPosting`, `InsufficientCredits`,
    `ProposalWaits`, `KeyConflict` when `client_key` was used for another adjustment.
    """
    right_check(actor, RIGHT)
    if actor.pk == user.pk:
        raise NotAllowed("nobody adjusts a wallet of their own")
    second_factor_check(verified_at)
    if amount_cents == 0 or not reason.strip():
        raise MalformedPosting("an adjustment moves something, for a reason")
    alone = within_alone_limit(actor, amount_cents)
    earlier = _made_before(actor, client_key)
    if earlier is not None:
        made, *what = earlier
        if what != [user.pk, amount_cents]:
            raise KeyConflict(client_key)
        return made
    if alone:
        return _book(actor, user.pk, amount_cents, reason.strip(), client_key)
    return proposal_make(
        actor=actor,
        kind=KIND,
        subject=f"user:{user.pk}",
        key=client_key,
        content={"user": user.pk, "amount_cents": amount_cents},
        before={},
        reason=reason,
        verified_at=verified_at,
    )


def _made_before(actor: User, client_key: str) -> tuple[Adjustment | Proposal, int, int] | None:
    """The row that this person's key was used for, with the wallet's owner and the cents."""
    booked = Adjustment.objects.filter(proposed_by=actor, client_key=client_key).first()
    if booked is not None:
        return booked, booked.user_id, booked.amount_cents
    asked = Proposal.objects.filter(kind=KIND, proposed_by=actor, key=client_key).first()
    if asked is None:
        return None
    return asked, asked.content["user"], asked.content["amount_cents"]


def _is_owner(proposal: Proposal, person: User) -> bool:
    return bool(proposal.content["user"] == person.pk)


@proposal_kind(KIND, permission=f"ledger.{RIGHT}", concerns=_is_owner)
def _confirm(proposal: Proposal, actor: User) -> None:
    """Second administrator: book it."""
    content = proposal.content
    second_person_check(content["user"], actor)
    _book(
        proposal.proposed_by,
        content["user"],
        content["amount_cents"],
        proposal.reason,
        proposal.key,
        proposal=proposal,
        confirmed_by=actor,
    )


def _book(
    actor: User,
    user_id: int,
    amount_cents: int,
    reason: str,
    client_key: str,
    *,
    proposal: Proposal | None = None,
    confirmed_by: User | None = None,
) -> Adjustment:
    """Store an adjustment, post it and enter it in the journal."""
    adjustment = Adjustment.objects.create(
        user_id=user_id,
        client_key=client_key,
        amount_cents=amount_cents,
        reason=reason,
        proposed_by=actor,
        proposal=proposal,
        confirmed_by=confirmed_by,
    )
    decided = {"proposal": proposal.pk} if proposal else {}
    journal_record(
        actor=confirmed_by or actor,
        verb=KIND,
        subject=adjustment.reference,
        before={},
        after={"user": user_id, "amount_cents": amount_cents, **decided},
        reason=reason,
    )
    transfer_post(
        key=adjustment.reference,
        kind="adjust",
        reference=adjustment.reference,
        lines=lines_of({ADJUSTMENT: -amount_cents, wallet_key(user_id): amount_cents}),
        actor=actor,
        approver=confirmed_by,
        memo=reason,
    )
    return adjustment
