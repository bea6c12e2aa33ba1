"""Proposals: one administrator proposes an exact decision, another one confirms or refuses it.

Every decision that waits for a second person is one. A kind is registered by `proposal_kind`, above
the function that compares `before`, carries out `content` and journals what it did.
The desk has the words of each kind (`ledger.desk.registry.ProposalWords`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from ledger.errors import MalformedPosting, NotAllowed, ProposalStale, ProposalWaits, WrongState
from ledger.models import PROPOSAL_LIFE, Proposal, ProposalState
from ledger.services.decisions import journal_record, second_factor_check, two_people_check

CarryOut = Callable[[Proposal, User], object]
Concerns = Callable[[Proposal, User], bool]
Ended = Callable[[Proposal], object]


@dataclass(frozen=True, slots=True)
class ProposalKind:
    """A kind of decision: the right that both people need, and what follows.

    `carry_out` gets the proposal and the second person, and raises `ProposalStale` where `before`
    no longer holds. Whom it `concerns` decides nothing. `ended` follows a refusal or a withdrawal.
    """

    permission: str
    carry_out: CarryOut
    concerns: Concerns
    ended: Ended


KINDS: Final[dict[str, ProposalKind]] = {}
"""The kinds that modules of this process have registered."""


def proposal_kind(
    *names: str,
    permission: str,
    concerns: Concerns = lambda _proposal, _person: False,
    ended: Ended = lambda _proposal: None,
) -> Callable[[CarryOut], CarryOut]:
    """Register the function below as what confirming proposals of these kinds does.

    `permission` is written in full (``games.decide_match``).
    """

    def register(carry_out: CarryOut) -> CarryOut:
        for name in names:
            KINDS[name] = ProposalKind(permission, carry_out, concerns, ended)
        return carry_out

    return register


def proposal_concerns(proposal: Proposal, person: User) -> bool:
    """Whether a proposal is about this person, who therefore decides nothing about it."""
    return KINDS[proposal.kind].concerns(proposal, person)


@transaction.atomic
def proposal_make(
    *,
    actor: User,
    kind: str,
    subject: str,
    content: Mapping[str, Any],
    before: Mapping[str, Any],
    reason: str,
    verified_at: datetime | None,
    key: str = "",
) -> Proposal:
    """Propose a decision; it waits for a second person with the same right.

    `verified_at` is when the second factor was shown. Raises `NotAllowed`, `SecondFactorStale`,
    `MalformedPosting` without a reason, and `ProposalWaits` when one of this kind waits about this
    subject already, with the same `key`.
    """
    permission = KINDS[kind].permission
    _right_check(actor, permission)
    second_factor_check(verified_at)
    if not reason.strip():
        raise MalformedPosting("a proposal says why")
    _lapse(Proposal.objects.filter(kind=kind, subject=subject))
    proposal, new = Proposal.objects.get_or_create(
        kind=kind,
        subject=subject,
        key=key,
        state=ProposalState.WAITING,
        defaults={
            "permission": permission,
            "content": dict(content),
            "before": dict(before),
            "reason": reason.strip(),
            "proposed_by": actor,
        },
    )
    if not new:
        raise ProposalWaits(proposal.reference)
    _journal(proposal, actor, "proposal.make", None, proposal.reason)
    return proposal


@transaction.atomic
def proposal_confirm(
    *, proposal_id: int, actor: User, verified_at: datetime | None, reason: str = ""
) -> Proposal:
    """Second person: confirm a proposal and carry it out in the same transaction.

    Where its kind refuses, nothing has happened and the proposal goes on waiting. Raises what the
    kind does, `NotAllowed` (also where the first person has lost the right since),
    `SecondFactorStale`, `WrongState`. Confirming twice carries out once.
    """
    proposal = _locked(proposal_id, actor)
    second_factor_check(verified_at)
    if proposal.state == ProposalState.DONE and proposal.decided_by_id == actor.pk:
        return proposal
    _waiting_check(proposal)
    two_people_check(
        first_id=proposal.proposed_by_id,
        second=actor,
        right=proposal.permission,
        since=proposal.proposed_at,
        reference=proposal.reference,
    )
    KINDS[proposal.kind].carry_out(proposal, actor)
    return _close(proposal, actor, ProposalState.DONE, "proposal.confirm", reason)


@transaction.atomic
def proposal_refuse(
    *, proposal_id: int, actor: User, verified_at: datetime | None, reason: str
) -> Proposal:
    """Second person: no. Raises `NotAllowed`, `SecondFactorStale`, `WrongState`,
    `MalformedPosting`."""
    proposal = _locked(proposal_id, actor)
    second_factor_check(verified_at)
    if not reason.strip():
        raise MalformedPosting("a refusal says why")
    if actor.pk == proposal.proposed_by_id:
        raise NotAllowed("their own proposal a person withdraws")
    if proposal.state == ProposalState.REFUSED and proposal.decided_by_id == actor.pk:
        return proposal
    _waiting_check(proposal)
    refused = _close(proposal, actor, ProposalState.REFUSED, "proposal.refuse", reason)
    KINDS[proposal.kind].ended(refused)
    return refused


@transaction.atomic
def proposal_withdraw(*, proposal_id: int, actor: User, reason: str = "") -> Proposal:
    """The one who proposed takes it back. Raises `NotAllowed`, `WrongState`."""
    proposal = Proposal.objects.select_for_update(no_key=True).get(pk=proposal_id)
    if actor.pk != proposal.proposed_by_id:
        raise NotAllowed("a proposal is withdrawn by the one who made it")
    if proposal.state == ProposalState.WITHDRAWN:
        return proposal
    _waiting_check(proposal)
    withdrawn = _close(proposal, actor, ProposalState.WITHDRAWN, "proposal.withdraw", reason)
    KINDS[proposal.kind].ended(withdrawn)
    return withdrawn


def proposals_lapse() -> int:
    """Close proposals that were not decided within `PROPOSAL_LIFE`; return their number."""
    return _lapse(Proposal.objects.all())


def _lapse(proposals: QuerySet[Proposal]) -> int:
    overdue = proposals.filter(state=ProposalState.WAITING, proposed_at__lte=Now() - PROPOSAL_LIFE)
    return overdue.update(state=ProposalState.LAPSED, decided_at=Now())


def proposal_holds(
    proposal: Proposal, before: Mapping[str, Any], content: Mapping[str, Any] | None = None
) -> None:
    """Raise `ProposalStale` unless `before` is still what the proposal was decided on, and (where
    it is given) `content` still what it would do."""
    changed = _differences(proposal.before, before)
    if content is not None:
        changed += _differences(proposal.content, content)
    if changed:
        raise ProposalStale(proposal.reference, changed)


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def _right_check(actor: User, permission: str) -> None:
    if not actor.has_perm(permission):
        raise NotAllowed(f"{actor.get_username()} has no right to {permission}")


def _locked(proposal_id: int, actor: User) -> Proposal:
    proposal = Proposal.objects.select_for_update(no_key=True).get(pk=proposal_id)
    _right_check(actor, proposal.permission)
    if proposal_concerns(proposal, actor):
        raise NotAllowed(f"{proposal.reference} concerns {actor.get_username()}")
    return proposal


def _waiting_check(proposal: Proposal) -> None:
    if proposal.state != ProposalState.WAITING:
        raise WrongState(proposal.reference, proposal.state)
    if proposal.lapses_at <= timezone.now():
        raise WrongState(proposal.reference, ProposalState.LAPSED)


def _close(
    proposal: Proposal, actor: User, state: ProposalState, verb: str, reason: str
) -> Proposal:
    Proposal.objects.filter(pk=proposal.pk).update(
        state=state, decided_by=actor, decided_at=Now(), decision_reason=reason.strip()
    )
    proposal.refresh_from_db()
    _journal(proposal, actor, verb, ProposalState.WAITING, reason.strip() or proposal.reason)
    return proposal


def _journal(
    proposal: Proposal,
    actor: User,
    verb: str,
    state_before: ProposalState | None,
    reason: str,
) -> None:
    journal_record(
        actor=actor,
        verb=verb,
        subject=proposal.subject,
        before={"proposal": proposal.pk, "state": state_before},
        after={
            **proposal.content,
            "proposal": proposal.pk,
            "state": proposal.state,
            "kind": proposal.kind,
        },
        reason=reason,
    )
