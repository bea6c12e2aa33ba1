"""Decisions of administrators about pools, as the books require them: right, factor, second person.

Every decision is entered in the journal. Settlement moves the credits.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Proposal
from ledger.services.decisions import (
    journal_record,
    may_decide_alone,
    right_check,
    second_factor_check,
)
from ledger.services.proposals import proposal_kind, proposal_make
from tournaments.models import Tournament

KIND: Final = "tournament.add"
"""The verb of the journal, and the kind of proposals, by which credits are added."""

RIGHT: Final = "adjust_credits"

__all__ = [
    "KIND",
    "RIGHT",
    "MalformedPosting",
    "NotAllowed",
    "Proposal",
    "addition_propose",
    "addition_record",
    "giver_check",
    "may_decide_alone",
    "proposal_kind",
]


def giver_check(actor: User, verified_at: datetime | None) -> None:
    """Raise `NotAllowed`, `SecondFactorStale` for people who may give no credits now."""
    right_check(actor, RIGHT)
    second_factor_check(verified_at)


def addition_propose(
    tournament: Tournament, *, actor: User, cents: int, reason: str, verified_at: datetime | None
) -> Proposal:
    """Let an addition wait for a second person. Raises what `proposal_make` does."""
    return proposal_make(
        actor=actor,
        kind=KIND,
        subject=tournament.reference,
        content={"added_cents": cents},
        before={"added_cents": 0},
        reason=reason,
        verified_at=verified_at,
    )


def addition_record(
    tournament: Tournament, actor: User, *, after: Mapping[str, Any], reason: str
) -> None:
    """Enter an addition in the journal."""
    journal_record(
        actor=actor,
        verb=KIND,
        subject=tournament.reference,
        before={"added_cents": 0},
        after={"added_cents": tournament.added_cents, **after},
        reason=reason,
    )
