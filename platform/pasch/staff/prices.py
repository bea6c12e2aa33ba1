"""Prices of the house that two administrators decide: proposed by one, confirmed by another.

This is in the site because it needs both the games, whose prices they are, and the proposals.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from games.models import HousePrices
from games.modes.prices import BadPrices, Prices, figures_of
from games.modes.pricing import prices_of
from games.selectors import prices
from games.services.prices import prices_number, prices_store
from ledger.audit import AuditFinding
from ledger.errors import MalformedPosting, ProposalStale
from ledger.models import Proposal, ProposalState
from ledger.services import proposal_holds, proposal_kind, proposal_make
from ledger.services.journal import journal_record

KIND: Final = "prices.change"
SUBJECT: Final = "house:prices"
RIGHT: Final = "games.decide_prices"


def prices_propose(
    *,
    actor: User,
    new: Prices,
    number: int,
    reason: str,
    verified_at: datetime | None,
) -> Proposal:
    """Propose new prices over those of `number`, which the actor has seen.

    Raises what `ledger.services.proposal_make` does, and `MalformedPosting` where nothing changes.
    """
    if new == prices():
        raise MalformedPosting("these are the prices of the house")
    return proposal_make(
        actor=actor,
        kind=KIND,
        subject=SUBJECT,
        content={"figures": figures_of(new)},
        before={"number": number},
        reason=reason,
        verified_at=verified_at,
    )


@proposal_kind(KIND, permission=RIGHT)
def _carry_out(proposal: Proposal, actor: User) -> None:
    number, old = prices_number(), prices()
    proposal_holds(proposal, {"number": number})
    try:
        new = prices_of(proposal.content["figures"])
    except BadPrices as error:
        names = [fault.name for fault in error.faults]
        raise ProposalStale(proposal.reference, names) from error
    row = prices_store(
        new,
        number=number + 1,
        reason=proposal.reason,
        proposal_id=proposal.pk,
        proposed_by_id=proposal.proposed_by_id,
        confirmed_by_id=actor.pk,
    )
    journal_record(
        actor=actor,
        verb=KIND,
        subject=SUBJECT,
        before={"number": number, **figures_of(old)},
        after={"number": row.number, **figures_of(new)},
        reason=proposal.reason,
    )


def check_prices() -> Iterator[AuditFinding]:
    """Find prices that are out of bounds, follow no others, or that no proposal decided."""
    for count, row in enumerate(HousePrices.objects.order_by("number"), start=1):
        for message in _faults(row, count):
            yield AuditFinding(f"prices {row.number}", message)


def _faults(row: HousePrices, count: int) -> Iterator[str]:
    if row.number != count:
        yield f"they are the {count}. of the history"
    try:
        figures = figures_of(row.prices)
    except BadPrices as error:
        yield str(error)
        return
    decided = Proposal.objects.filter(pk=row.proposal_id).first() if row.proposal_id else None
    if decided is None:
        return  # set at the server, as the history shows
    said: dict[str, Any] = {
        "kind": (decided.kind, KIND),
        "state": (decided.state, ProposalState.DONE),
        "figures": (decided.content.get("figures"), figures),
        "proposer": (decided.proposed_by_id, row.proposed_by_id),
        "second person": (decided.decided_by_id, row.confirmed_by_id),
    }
    for name, (proposed, stored) in said.items():
        if proposed != stored:
            yield f"{decided.reference} says otherwise: {name} {proposed}, not {stored}"
