"""Decisions of administrators about matches and chouettes, as the books require them.

A decision where stakes are paid needs a fresh second factor and may need a second person; every
decision is entered in the journal. The books also record silences at tables. Settlement moves
credits and ratings.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from accounts.models import User
from ledger.selectors import wallet_is_frozen
from ledger.selectors_desk import pause_of
from ledger.services.decisions import (
    journal_record,
    may_decide_alone,
    second_factor_check,
    second_person_check,
)
from ledger.services.proposals import proposal_holds, proposal_kind, proposal_make


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


def decision_propose(
    reference: str,
    kind: str,
    *,
    actor: User,
    verified_at: datetime | None,
    content: Mapping[str, Any],
    before: Mapping[str, Any],
    reason: str,
) -> int:
    """Propose a decision to a second administrator; return the number of the proposal."""
    proposal = proposal_make(
        actor=actor,
        kind=kind,
        subject=reference,
        content=content,
        before=before,
        reason=reason,
        verified_at=verified_at,
    )
    return int(proposal.pk)


decision_holds = proposal_holds
"""Refuse a proposed decision that would now have another effect or another subject."""

decision_kind = proposal_kind
"""Register what confirming a proposed decision does."""


def decision_record(
    reference: str,
    actor: User,
    verb: str,
    *,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    reason: str,
) -> None:
    """Enter an administrator's decision in the journal."""
    journal_record(
        actor=actor, verb=verb, subject=reference, before=before, after=after, reason=reason
    )


def barred_from_talk(user_id: int) -> str:
    """Why this person may not write at tables: "frozen", "excluded", or "" if they may."""
    if wallet_is_frozen(user_id):
        return "frozen"
    pause = pause_of(user_id)
    return "excluded" if pause is not None and pause.kind == pause.Kind.EXCLUSION else ""
