"""Decisions of administrators about tables of every kind, as the books require them.

A decision where stakes are paid needs a fresh second factor and may need a second person; every
decision is entered in the journal. The books also record silences at tables. Settlement moves
credits and ratings.
"""

from collections.abc import Iterable
from datetime import datetime

from accounts.models import User
from ledger.errors import MalformedPosting, NotAllowed
from ledger.models import Proposal
from ledger.selectors import wallet_is_frozen
from ledger.selectors_desk import pause_of
from ledger.services.decisions import (
    journal_record,
    may_decide_alone,
    right_check,
    second_factor_check,
    second_person_check,
)
from ledger.services.proposals import proposal_holds, proposal_kind, proposal_make

__all__ = [
    "MalformedPosting",
    "NotAllowed",
    "Proposal",
    "barred_from_talk",
    "decided_alone",
    "decider_check",
    "journal_record",
    "may_decide_alone",
    "proposal_holds",
    "proposal_kind",
    "proposal_make",
    "right_check",
    "second_factor_check",
]


def decided_alone(stake_cents: int, actor: User, verified_at: datetime | None) -> bool:
    """Whether one administrator may decide alone about so high a stake; always about none.

    Raises `ledger.errors.SecondFactorStale` where there is a stake.
    """
    if not stake_cents:
        return True
    second_factor_check(verified_at)
    return may_decide_alone(actor, stake_cents)


def decider_check(players: Iterable[int], person: User) -> None:
    """Raise `ledger.errors.SecondPersonFresh` if this person and a player do not count as two.

    Within 24 hours one of the two got a role, or a way into an account, through the other.
    """
    for player_id in players:
        second_person_check(player_id, person)


def barred_from_talk(user_id: int) -> str:
    """Why this person may not write at tables: "frozen", "excluded", or "" if they may."""
    if wallet_is_frozen(user_id):
        return "frozen"
    pause = pause_of(user_id)
    return "excluded" if pause is not None and pause.kind == pause.Kind.EXCLUSION else ""
