"""The one door from games to the books and the ratings.

Everything here runs inside the transaction that stores the events. A match is settled exactly
once: its escrow can be emptied once, its rating reference can be used once, and both keys are
derived from the match alone. Lock order: table and match (the caller holds them), then ratings,
then the accounts, so posting to the books is always the last thing done.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser

from games.models import Match
from games.prizes.payout import Payout, prize, refund
from ledger.errors import InsufficientCredits, LedgerError, LimitReached, PlayPaused
from ledger.selectors import wallet_balance
from ledger.services import escrow_correct, escrow_resolve, stakes_escrow
from ledger.services.desk import journal_record
from ratings.elo import strength
from ratings.selectors import RatingView, ratings_of
from ratings.services import rating_settle, rating_void


class StakeRefused(Exception):
    """The stakes cannot go into escrow; `code` says why, `user_id` whose credits are missing."""

    def __init__(self, code: str, user_id: int | None, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.user_id = user_id


@dataclass(frozen=True, slots=True)
class Settled:
    """What a settlement moves: credits by seat, rake, ratings before and after (4 places)."""

    payout: Payout
    elo_before: tuple[str, str]
    elo_after: tuple[str, str]


def rating_pool(*, variant: str, stake_cents: int) -> str:
    """The pool a match counts in: prize or normal, and one of each for every other variant."""
    kind = "prize" if stake_cents else "normal"
    return kind if variant == "backgammon" else f"{variant}:{kind}"


def standings(user_ids: Iterable[int], pool: str) -> dict[int, RatingView]:
    """Where these players stand in a pool."""
    return ratings_of(user_ids, pool)


def strength_of(view: RatingView) -> int:
    """The strength group (1 to 6) of a standing."""
    return strength(view.elo)


def balance_cents(user_id: int) -> int:
    """What a player can stake now."""
    return wallet_balance(user_id)


def stakes_take(match: Match) -> None:
    """Move both stakes into the match's escrow in one transfer, or nothing.

    Raises `StakeRefused`; the transaction must then be rolled back.
    """
    stakes = dict.fromkeys(match.players, match.stake_cents)
    try:
        stakes_escrow(reference=match.reference, stakes=stakes, scopes=_scopes(match))
    except (InsufficientCredits, LimitReached, PlayPaused) as error:
        raise StakeRefused(error.code, error.user_id, str(error)) from error
    except LedgerError as error:
        raise StakeRefused(error.code, None, str(error)) from error


def _scopes(match: Match) -> tuple[str, ...]:
    """The words under which administrators may have stopped new stakes of such a match."""
    return (f"mode:{match.mode}", *(f"player:{player}" for player in match.players))


def match_settle(match: Match, winner_seat: int, ending: str) -> tuple[Settled, Callable[[], None]]:
    """Rate a decided match and prepare its payout.

    Returns the figures for the last event and the transfer itself as a function, to be called
    when everything else of the transaction has been written.
    """
    payout = prize(
        mode=match.mode,
        stake_cents=match.stake_cents,
        rake_bps=match.rake_bps,
        winner=winner_seat,
    )
    pool = rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    winner_id, loser_id = match.players[winner_seat], match.players[1 - winner_seat]
    changes = rating_settle(
        reference=match.reference,
        pool=pool,
        winner_id=winner_id,
        loser_id=loser_id,
        n=payout.rated_points,
    )
    by_user = {change.user_id: change for change in changes}
    in_seats = [by_user[user_id] for user_id in match.players]
    settled = Settled(
        payout=payout,
        elo_before=(str(in_seats[0].before), str(in_seats[1].before)),
        elo_after=(str(in_seats[0].after), str(in_seats[1].after)),
    )
    kind = "adjudicate" if ending == "adjudicated" else "result"
    return settled, lambda: _pay(match, payout, kind=kind)


def match_refund(match: Match) -> tuple[Payout, Callable[[], None]]:
    """Prepare giving both stakes back: nothing counted. Returns the figures and the transfer."""
    payout = refund(stake_cents=match.stake_cents)
    return payout, lambda: _pay(match, payout, kind="void")


def match_take_back(match: Match, actor: AbstractUser, reason: str) -> Callable[[], None]:
    """Take back a settled match: ratings at once, credits by the returned transfer.

    Both stakes go back, the rake too; the transfer fails if the winner has spent his prize.
    """
    rating_void(reference=match.reference)
    payout = refund(stake_cents=match.stake_cents)
    return lambda: _correct(match, payout, actor, reason)


def _correct(match: Match, payout: Payout, actor: AbstractUser, reason: str) -> None:
    escrow_correct(
        reference=match.reference,
        payouts=dict(zip(match.players, payout.paid_cents, strict=True)),
        rake_cents=payout.rake_cents,
        actor=actor,
        memo=reason,
    )


def decision_record(
    match: Match, actor: AbstractUser, verb: str, before: dict[str, Any], reason: str
) -> None:
    """Enter an administrator's decision about a match in the journal."""
    after = {"ending": match.ending, "winner_seat": match.winner_seat}
    journal_record(
        actor=actor, verb=verb, subject=match.reference, before=before, after=after, reason=reason
    )


def _pay(match: Match, payout: Payout, *, kind: str) -> None:
    players = zip(match.players, payout.paid_cents, strict=True)
    escrow_resolve(
        reference=match.reference,
        payouts={user_id: cents for user_id, cents in players if cents},
        rake_cents=payout.rake_cents,
        kind=kind,
    )
