"""Settlement: the only module of tournaments that moves credits.

Every fee goes into the tournament's escrow by a transfer of its own, and comes back the same way
before the draw. The escrow is emptied once: by the prizes and the rake, or by all fees going back.
Lock order: the tournament (the caller holds it), then the accounts; posting comes last.
"""

from games.settlement import StakeRefused, balance_cents, is_paused
from ledger.errors import (
    CreditsHeld,
    InsufficientCredits,
    LedgerError,
    LimitReached,
    NoStakes,
    PlayPaused,
)
from ledger.selectors import stakes_stop_of
from ledger.services import escrow_resolve, stake_one, stake_withdraw
from ledger.services.holds import results_clear
from tournaments.models import Entry, Tournament

BooksRefuse = LedgerError
"""Every refusal of the books."""

__all__ = [
    "SCOPE",
    "BooksRefuse",
    "StakeRefused",
    "all_go_back",
    "balance_cents",
    "fee_back",
    "fee_take",
    "is_paused",
    "prizes_clear",
    "prizes_pay",
]

#: the word under which administrators may stop new entry fees.
SCOPE = "mode:tournament"


def stopped() -> bool:
    """Whether administrators have stopped new entry fees."""
    return stakes_stop_of((SCOPE,)) is not None


def fee_take(entry: Entry) -> None:
    """Move the entry fee into the tournament's escrow. Raises `StakeRefused`."""
    tournament = entry.tournament
    if not tournament.fee_cents:
        return
    try:
        stake_one(
            reference=tournament.reference,
            number=entry.number,
            user_id=entry.user_id,
            cents=tournament.fee_cents,
            scopes=(SCOPE, f"player:{entry.user_id}"),
        )
    except (CreditsHeld, InsufficientCredits, LimitReached, NoStakes, PlayPaused) as error:
        raise StakeRefused(error.code, error.user_id, str(error)) from error
    except LedgerError as error:
        raise StakeRefused(error.code, None, str(error)) from error


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


def prizes_pay(tournament: Tournament, prizes: dict[int, int], rake_cents: int) -> None:
    """Empty the escrow: prizes (user id -> cents) to the players, the rake to the house."""
    if prizes or rake_cents:
        escrow_resolve(
            reference=tournament.reference, payouts=prizes, rake_cents=rake_cents, kind="result"
        )


def all_go_back(tournament: Tournament, players: list[int]) -> None:
    """Give every fee back, without a rake."""
    if tournament.fee_cents and players:
        escrow_resolve(
            reference=tournament.reference,
            payouts=dict.fromkeys(players, tournament.fee_cents),
            rake_cents=0,
            kind="void",
        )


def prizes_clear(tournament: Tournament) -> None:
    """Let the prizes be paid out."""
    results_clear([tournament.reference])
