"""Decisions of administrators about pools, as the books require them: right, factor, second person.

Every decision is entered in the journal. Settlement moves the credits.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Proposal
from ledger.services import proposal_kind, proposal_make
from ledger.services.alone import may_decide_alone
from ledger.services.desk import right_check, second_factor_check
from ledger.services.journal import journal_record
from tournaments.models import Club, Tournament

CLUB_WORDS: Final = "club.words"
"""The verb of the journal for a decision about the name and the description of a club."""

CLUB_RESTORE: Final = "club.restore"
"""The verb of the journal for giving them back."""

TITLE: Final = "tournament.words"
"""The verb of the journal for a decision about the name of a tournament."""

TITLE_RESTORE: Final = "tournament.restore"
"""The verb of the journal for giving it back."""

KIND: Final = "tournament.add"
"""The verb of the journal, and the kind of proposals, by which credits are added."""

RIGHT: Final = "adjust_credits"

__all__ = [
    "CLUB_RESTORE",
    "CLUB_WORDS",
    "KIND",
    "RIGHT",
    "TITLE",
    "TITLE_RESTORE",
    "MalformedPosting",
    "NotAllowed",
    "Proposal",
    "addition_propose",
    "addition_record",
    "club_record",
    "giver_check",
    "may_decide_alone",
    "proposal_kind",
    "title_record",
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


def club_record(club: Club, actor: User, verb: str, **entry: Any) -> None:
    """Enter a moderator's decision about a club: `before`, `after`, `reason`."""
    journal_record(actor=actor, verb=verb, subject=f"club:{club.pk}", **entry)


def title_record(tournament: Tournament, actor: User, verb: str, **entry: Any) -> None:
    """Enter a moderator's decision about a tournament's name: `before`, `after`, `reason`."""
    journal_record(actor=actor, verb=verb, subject=tournament.reference, **entry)
