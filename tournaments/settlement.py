"""Settlement: the only module of tournaments that moves credits.

Every fee goes into the tournament's escrow by a transfer of its own, and comes back the same way
before the draw. Credits that the house adds come from an account of its own. The escrow is emptied
once: by the prizes and the rake, or by everything going back to where it came from.
Lock order: the tournament (the caller holds it), then the accounts; posting comes last.
"""

from accounts.models import User
from games.settlement import StakeRefused, balance_cents, is_paused, stake_refusals
from ledger.errors import LedgerError
from ledger.models import Transfer
from ledger.selectors import stakes_stop_of
from ledger.services.books import escrow_add, escrow_resolve, stake_one, stake_withdraw
from ledger.templatetags.credits import credits_text
from tournaments.models import Entry, Tournament

BooksRefuse = LedgerError
"""Every refusal of the books."""

__all__ = [
    "SCOPE",
    "BooksRefuse",
    "StakeRefused",
    "adders",
    "all_go_back",
    "balance_cents",
    "credits_text",
    "fee_back",
    "fee_take",
    "is_paused",
    "prizes_add",
    "prizes_pay",
]

#: the word under which administrators may stop new entry fees.
SCOPE = "mode:tournament"
#: the campaign at whose expense the house adds prizes.
CAMPAIGN = "tournaments"


def stopped() -> bool:
    """Whether administrators have stopped new entry fees."""
    return stakes_stop_of((SCOPE,)) is not None


def fee_take(entry: Entry) -> None:
    """Move the entry fee into the tournament's escrow. Raises `StakeRefused`."""
    tournament = entry.tournament
    if not tournament.fee_cents:
        return
    with stake_refusals():
        stake_one(
            reference=tournament.reference,
            number=entry.number,
            user_id=entry.user_id,
            cents=tournament.fee_cents,
            scopes=(SCOPE, f"player:{entry.user_id}"),
        )


def fee_back(entry: Entry) -> None:
    """Give the entry fee back before the draw."""
    tournament = entry.tournament
    if tournament.fee_cents:
        stake_withdraw(
            reference=tournament.reference,
            number=entry.number,
            user_id=entry.user_id,
            cents=tournament.fee_cents,
        )


def prizes_add(tournament: Tournament, *, actor: User, approver: User | None, reason: str) -> None:
    """Move what the house adds into the escrow; a second person is the approver."""
    escrow_add(
        reference=tournament.reference,
        campaign=CAMPAIGN,
        cents=tournament.added_cents,
        actor=actor,
        approver=approver,
        memo=reason,
    )


def adders(tournament: Tournament) -> set[int]:
    """Everybody who decided that the house adds credits."""
    if not tournament.added_cents:
        return set()
    booked = Transfer.objects.filter(reference=tournament.reference, kind="add")
    people = booked.values_list("actor_id", "approver_id")
    return {person for pair in people for person in pair if person is not None}


def prizes_pay(tournament: Tournament, prizes: dict[int, int], rake_cents: int) -> None:
    """Empty the escrow: prizes (user id -> cents) to the players, the rake to the house."""
    if prizes or rake_cents:
        escrow_resolve(
            reference=tournament.reference, payouts=prizes, rake_cents=rake_cents, kind="result"
        )


def all_go_back(tournament: Tournament, players: list[int]) -> None:
    """Give every fee back, without a rake, and to the house what it added."""
    if tournament.fee_cents and (players or tournament.added_cents):
        escrow_resolve(
            reference=tournament.reference,
            payouts=dict.fromkeys(players, tournament.fee_cents),
            rake_cents=0,
            kind="void",
            returns={CAMPAIGN: tournament.added_cents},
        )
