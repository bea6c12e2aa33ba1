"""Settlement: the only module of the chouette that moves credits.

Each game has an escrow of its own. Every member stakes the limit of a game, and the box that limit
for each member, so the most that a pair can win or lose lies there before the first roll. After the
game every pair is settled by `games.prizes.payout`, and the escrow is emptied once. Lock
order: the table (the caller holds it), then the accounts; posting comes last.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.chouette.models import Circle, Game
from games.prizes import PrizeEnding, PrizeResult, Purse, PurseKind, payout
from games.settlement import StakeRefused, balance_cents, is_paused, stake_refusals
from ledger.errors import LedgerError
from ledger.selectors import stakes_stop_of, wallet_is_frozen
from ledger.services.books import escrow_resolve, stakes_escrow

__all__ = [
    "SCOPE",
    "LedgerError",
    "Paid",
    "StakeRefused",
    "balance_cents",
    "is_paused",
    "pairs_paid",
    "stakes_back",
    "stakes_of",
    "stakes_settle",
    "stakes_take",
]

#: the word under which administrators may stop new stakes of chouettes.
SCOPE = "mode:chouette"


@dataclass(frozen=True, slots=True)
class Paid:
    """The credits that everybody gets out of a game's escrow (user id -> cents), and the rake."""

    paid_cents: Mapping[int, int]
    rake_cents: int


def stopped() -> bool:
    """Whether administrators have stopped new stakes of chouettes."""
    return stakes_stop_of((SCOPE,)) is not None


def stakes_of(circle: Circle, order: tuple[int, ...]) -> dict[int, int]:
    """The stakes of a game with this list (user id -> cents); the box stakes for each member."""
    box, *team = order
    return {box: circle.limit_cents * len(team), **dict.fromkeys(team, circle.limit_cents)}


def pairs_paid(circle: Circle, box: int, box_points: Mapping[int, int]) -> Paid:
    """The payout of a game, pair by pair; `box_points` has what the box won from each member."""
    paid: Counter[int] = Counter()
    purse = Purse(PurseKind.PER_POINT, circle.limit_cents, circle.rate_cents, circle.rake_bps)
    rake_cents = 0
    for member, points in box_points.items():
        winner = 0 if points > 0 else 1
        pair = payout(purse, PrizeResult(winner, PrizeEnding.BORNE_OFF, abs(points)))
        paid[box] += pair.paid_cents[0]
        paid[member] += pair.paid_cents[1]
        rake_cents += pair.rake_cents
    return Paid(dict(paid), rake_cents)


def stakes_take(game: Game, stakes: Mapping[int, int]) -> None:
    """Move all stakes into the game's escrow in one transfer, or nothing. Raises `StakeRefused`."""
    if not any(stakes.values()):
        return
    scopes = (SCOPE, *(f"player:{player}" for player in stakes))
    with stake_refusals():
        stakes_escrow(reference=game.reference, stakes=stakes, scopes=scopes)


def stakes_settle(game: Game, paid: Paid) -> None:
    """Empty the escrow as the pairs were settled."""
    escrow_resolve(
        reference=game.reference,
        payouts={player: cents for player, cents in paid.paid_cents.items() if cents},
        rake_cents=paid.rake_cents,
        kind="result",
    )


def stakes_back(game: Game, stakes: Mapping[int, int]) -> None:
    """Give every stake back, without a rake."""
    escrow_resolve(
        reference=game.reference,
        payouts={player: cents for player, cents in stakes.items() if cents},
        rake_cents=0,
        kind="void",
    )


def people_short(circle: Circle, order: Iterable[int]) -> list[int]:
    """Those who cannot stake in a game with this list now: by their balance, a freeze, a pause."""
    if not circle.rate_cents:
        return []
    stakes = stakes_of(circle, tuple(order))
    return [
        player
        for player, cents in stakes.items()
        if is_paused(player) or wallet_is_frozen(player) or balance_cents(player) < cents
    ]
