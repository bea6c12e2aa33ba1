"""Holds that last longer than a machine may hold: two people prolong them, and say why.

What is held for a case ends after 72 hours by itself. One reviewer proposes to hold it for 72 hours
more, another one confirms it; both are independent of everybody in the case, and the accused read
the reason. That can be repeated while the case is open, and no hold outlasts the case.
"""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.models import User
from fairplay import settlement
from fairplay.cases import case_lock, hold_references, holds_end
from fairplay.errors import CaseOver
from fairplay.mails import case_mail
from fairplay.models import Case, Party
from fairplay.procedure import HOLD, CaseState
from fairplay.reviews import PERMISSION, reviewer_check

KIND: Final = "hold.prolong"
"""The kind of the proposal, and the verb in the journal."""


@transaction.atomic
def hold_prolong(
    *, case_id: int, actor: User, reason: str, verified_at: datetime | None
) -> settlement.Proposal:
    """Propose to hold the winnings of an open case for 72 hours more; a second person confirms it.

    The accused read `reason`. Raises `NoReviewer`, `CaseOver` (nothing is held any more), and of
    `ledger.errors` what `proposal_make` raises.
    """
    case = _held(case_id)
    reviewer_check(case, actor)
    return settlement.proposal_make(
        actor=actor,
        kind=KIND,
        subject=case.reference,
        content={"hours": HOLD.total_seconds() / 3600},
        before=_now(case),
        reason=reason,
        verified_at=verified_at,
    )


def case_of(proposal: settlement.Proposal) -> int:
    """The case whose winnings a proposal would hold."""
    return int(proposal.subject.removeprefix("case:"))


def is_party(proposal: settlement.Proposal, person: User) -> bool:
    """Whether this person is a party of the case that a proposal is about."""
    return Party.objects.filter(case=case_of(proposal), user=person).exists()


@settlement.proposal_kind(KIND, permission=PERMISSION, concerns=is_party)
def _confirm(proposal: settlement.Proposal, actor: User) -> None:
    """Second person: hold the winnings longer."""
    case = _held(case_of(proposal))
    for person in (proposal.proposed_by, actor):
        reviewer_check(case, person)
    settlement.proposal_holds(proposal, _now(case))
    _prolong(case, proposal, actor)


def prolonged_because(reference: str) -> list[str]:
    """Why the winnings of a case were held longer; the oldest reason first.

    `reference` is that of the case or of one of its holds.
    """
    return settlement.reasons_of(KIND, ":".join(reference.split(":")[:2]))


def _prolong(case: Case, proposal: settlement.Proposal, actor: User) -> None:
    end = holds_end(case)
    assert end is not None
    until = end + HOLD if case.waits_until is None else min(end + HOLD, case.waits_until)
    settlement.journal_record(
        actor=actor,
        verb=KIND,
        subject=case.reference,
        before=_now(case),
        after={
            "until": until.isoformat(),
            "proposal": proposal.pk,
            "first": proposal.proposed_by_id,
        },
        reason=proposal.reason,
    )
    settlement.hold_longer(hold_references(case), until)
    case_mail(case, "prolonged")


def _held(case_id: int) -> Case:
    """The open case, locked, while something is held for it."""
    case = case_lock(case_id)
    if case.state != CaseState.OPEN or holds_end(case) is None:
        raise CaseOver(f"nothing is held for {case.reference} that could be held longer")
    return case


def _now(case: Case) -> dict[str, str]:
    """Return until when the winnings are held: a proposal holds for this moment alone."""
    return {"until": str(holds_end(case))}
