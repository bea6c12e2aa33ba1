"""Adding credits of the house to a pool: small sums by one administrator, others by two.

It takes the right to give credits (`ledger.adjust_credits`) and a fresh second factor. Nobody adds
to a tournament of their own.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games.decisions import (
    MalformedPosting,
    NotAllowed,
    Proposal,
    journal_record,
    may_decide_alone,
    proposal_kind,
    proposal_make,
    right_check,
    second_factor_check,
)
from tournaments import settlement
from tournaments.errors import NothingToAdd
from tournaments.models import Entry, Phase, Tournament
from tournaments.services.store import change_tell, tournament_lock

KIND: Final = "tournament.add"
"""The verb of the journal, and the kind of proposals, by which credits are added."""

RIGHT: Final = "adjust_credits"
MOST_CENTS: Final = 10_000_000


def prizes_add(
    *, actor: User, tournament_id: UUID, cents: int, reason: str, verified_at: datetime | None
) -> Tournament | Proposal:
    """Add credits of the house to a pool, or propose it where it takes a second person.

    `verified_at` is when the second factor was shown. Raises `NothingToAdd`, `NoSuchTournament`,
    `Busy`, and of `ledger.errors` `NotAllowed`, `SecondFactorStale`, `MalformedPosting`,
    `ProposalWaits`.
    """
    right_check(actor, RIGHT)
    second_factor_check(verified_at)
    if not 0 < cents <= MOST_CENTS or not reason.strip():
        raise MalformedPosting(f"1 to {MOST_CENTS} cents are added, for a reason")
    with transaction.atomic(durable=True):
        tournament = _locked(tournament_id, actor)
        if may_decide_alone(actor, cents):
            after = {"alone_cents": cents}
            _add(tournament, cents, (actor, None), reason.strip(), after)
            return tournament
        return proposal_make(
            actor=actor,
            kind=KIND,
            subject=tournament.reference,
            content={"added_cents": cents},
            before={"added_cents": 0},
            reason=reason,
            verified_at=verified_at,
        )


def tournament_of(proposal: Proposal) -> UUID:
    """The id of the tournament that a proposal is about."""
    return UUID(proposal.subject.removeprefix("tournament:"))


def has_entered_it(proposal: Proposal, person: User) -> bool:
    """Whether this person has entered the tournament that a proposal is about."""
    return _has_entered(tournament_of(proposal), person)


@proposal_kind(KIND, permission=f"ledger.{RIGHT}", concerns=has_entered_it)
def _confirm(proposal: Proposal, actor: User) -> None:
    """Second person: add the credits."""
    tournament = _locked(tournament_of(proposal), actor)
    cents = int(proposal.content["added_cents"])
    people = (proposal.proposed_by, actor)
    _add(tournament, cents, people, proposal.reason, {"proposal": proposal.pk})


def may_be_added_to(tournament: Tournament) -> bool:
    """Whether the house may add credits to this pool now."""
    open_to_all = tournament.phase == Phase.REGISTERING
    return open_to_all and bool(tournament.fee_cents) and not tournament.added_cents


def _locked(tournament_id: UUID, actor: User) -> Tournament:
    tournament = tournament_lock(tournament_id)
    if not may_be_added_to(tournament):
        raise NothingToAdd("credits are added to fees, once, and before the draw")
    _own_check(tournament, actor)
    return tournament


def _has_entered(tournament_id: UUID, person: User) -> bool:
    entries = Entry.objects.filter(tournament=tournament_id, user=person)
    return entries.filter(withdrawn_at__isnull=True).exists()


def _own_check(tournament: Tournament, person: User) -> None:
    if _has_entered(tournament.pk, person):
        raise NotAllowed("nobody adds credits to a tournament that they have entered")


def _add(
    tournament: Tournament,
    cents: int,
    people: tuple[User, User | None],
    reason: str,
    after: dict[str, Any],
) -> None:
    """Write row, journal and books. The first of the people began it, the second confirmed it."""
    actor, approver = people
    _own_check(tournament, actor)
    tournament.added_cents = cents
    tournament.save(update_fields=["added_cents"])
    change_tell(tournament, listed=True)
    journal_record(
        actor=approver or actor,
        verb=KIND,
        subject=tournament.reference,
        before={"added_cents": 0},
        after={"added_cents": cents, **after},
        reason=reason,
    )
    settlement.prizes_add(tournament, actor=actor, approver=approver, reason=reason)
