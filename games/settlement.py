"""Settlement: the only module that moves credits and ratings for games.

Everything here runs inside the transaction that stores the events. A match is settled exactly
once: its escrow can be emptied once, its rating reference can be used once, and both keys are
derived from the match alone. Lock order: table and match (the caller holds them), then ratings,
then the accounts, so posting to the books is always the last thing done.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import msgspec
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.models import Match
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes import (
    MatchPayout,
    PrizeEnding,
    PrizeResult,
    Purse,
    PurseKind,
    payout,
    rated_winners,
)
from games.table.errors import TableError
from ledger.errors import (
    AccountFrozen,
    CreditsHeld,
    InsufficientCredits,
    LedgerError,
    LimitReached,
    NoStakes,
    PlayPaused,
    StakesStopped,
)
from ledger.selectors import (
    held_cents,
    stakes_stop_of,
    unable_to_stake,
    wallet_balance,
    wallet_is_frozen,
)
from ledger.selectors_desk import pause_of
from ledger.services.books import Resolution, escrow_correct, escrow_resolve, stakes_escrow
from ratings.elo import strength
from ratings.selectors import (
    RatingView,
    pair_counts,
    pools_of,
    ratings_of,
    results_foreseen,
    void_foreseen,
)
from ratings.services import Rated, pair_lock, ratings_settle, ratings_void


class StakeRefused(Exception):
    """The stakes cannot go into escrow; `code` is the reason, `user_id` the player concerned."""

    def __init__(self, code: str, user_id: int | None, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.user_id = user_id


#: why a game for credits may not begin, beside credits that do not suffice
NO_STAKES: Final[Mapping[str, str]] = {
    **{each.code: each.sentence for each in (LimitReached, PlayPaused, NoStakes, StakesStopped)},
    CreditsHeld.code: _("Credits are held until a check is decided."),
    AccountFrozen.code: _("One of the wallets is frozen. Please contact us."),
}


class StakeNotPossible(TableError):
    """A stake cannot go into escrow; `fields` has the books' `reason`, and `who` it is about."""

    code = "insufficient_credits"
    sentence = _("You do not have enough credits for this stake.")
    opponent_sentence = _("The other player can no longer pay the stake.")

    def said(self, *, staff: bool = False) -> str:
        """The sentence for this reason."""
        if known := NO_STAKES.get(str(self.fields.get("reason"))):
            return known
        return self.opponent_sentence if self.fields.get("who") == "opponent" else self.sentence


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """The effect of a settlement: credits by seat, rake, ratings before and after (4 places)."""

    payout: MatchPayout
    elo_before: tuple[str, str]
    elo_after: tuple[str, str]


def rating_pool(*, variant: str, stake_cents: int) -> str:
    """The pool a match counts in: prize or normal, and one of each for every other variant."""
    kind = "prize" if stake_cents else "normal"
    return kind if variant == "backgammon" else f"{variant}:{kind}"


def standings(user_ids: Iterable[int], pool: str) -> dict[int, RatingView]:
    """Where these players stand in a pool."""
    return ratings_of(user_ids, pool)


def strengths_in(games: Iterable[str], user_id: int) -> dict[tuple[str, bool], int]:
    """The strength group of a player in each of these games, free (False) and for credits."""
    rated = pools_of(user_id)
    return {
        (game, for_credits): strength_of(rated.get(pool, RatingView()))
        for game in games
        for for_credits in (False, True)
        for pool in [rating_pool(variant=game, stake_cents=int(for_credits))]
    }


def pair_matches(user_id: int, opponent_ids: Iterable[int]) -> dict[int, int]:
    """How many matches with each of these were rated within 24 hours."""
    return pair_counts(user_id, opponent_ids)


def pair_hold(one_id: int, other_id: int) -> None:
    """Lock this pair's matches against other counts until the transaction ends."""
    pair_lock(one_id, other_id)


def strength_of(view: RatingView) -> int:
    """The strength group (1 to 6) of a standing."""
    return strength(view.elo)


def balance_cents(user_id: int) -> int:
    """The credits a player can stake now."""
    return max(wallet_balance(user_id) - held_cents(user_id), 0)


def is_paused(user_id: int) -> bool:
    """Whether a break or a self-exclusion keeps a player from staking now."""
    return pause_of(user_id) is not None


def unable_among(stakes: Mapping[int, int]) -> set[int]:
    """Of these players, each with a stake in cents, those who cannot stake it now."""
    return unable_to_stake(stakes) if stakes else set()


def stakes_take(match: Match) -> None:
    """Move both stakes into the match's escrow in one transfer, or nothing.

    Raises `StakeRefused`; the transaction must then be rolled back.
    """
    if not match.stake_cents:
        return
    stakes = dict.fromkeys(match.players, match.stake_cents)
    with stake_refusals():
        stakes_escrow(reference=match.reference, stakes=stakes, scopes=_scopes(match))


@contextmanager
def stake_refusals() -> Iterator[None]:
    """Raise what the books refuse in this block as `StakeRefused`, with the player concerned."""
    try:
        yield
    except (CreditsHeld, InsufficientCredits, LimitReached, NoStakes, PlayPaused) as error:
        raise StakeRefused(error.code, error.user_id, str(error)) from error
    except LedgerError as error:
        raise StakeRefused(error.code, None, str(error)) from error


def _scopes(match: Match) -> tuple[str, ...]:
    """The words under which administrators may have stopped new stakes of such a match."""
    return (f"mode:{match.mode}", *(f"player:{player}" for player in match.players))


def next_game_check(match: Match) -> None:
    """Do nothing if both may play another game from the stakes that lie in escrow already.

    Raises `StakeRefused` for a break, an exclusion, a frozen wallet, or stakes that are stopped.
    """
    stop = stakes_stop_of(_scopes(match))
    if stop is not None:
        raise StakeRefused(StakesStopped.code, None, f"stakes are stopped: {stop.reason}")
    for player in match.players:
        if is_paused(player):
            raise StakeRefused(PlayPaused.code, player, "a break or a self-exclusion is in force")
        if wallet_is_frozen(player):
            raise StakeRefused(AccountFrozen.code, player, "the wallet is frozen")


def match_settle(match: Match, result: PrizeResult) -> tuple[SettledMatch, Callable[[], None]]:
    """Rate a decided match and prepare its payout.

    Returns the figures for the last event and the transfer itself as a function, to be called
    when everything else of the transaction has been written.
    """
    paid = payout(purse_of(match), result)
    elo_before, elo_after = _rate(match, result)
    kind: Resolution = "adjudicate" if result.ending is PrizeEnding.ADJUDICATED else "result"
    if result.winner is None:
        kind = "tie"
    return SettledMatch(paid, elo_before, elo_after), lambda: _pay(match, paid, kind=kind)


def match_foresee(match: Match, result: PrizeResult) -> SettledMatch:
    """The effect of settling this match with this result now; nothing is moved."""
    paid = payout(purse_of(match), result)
    pool = rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    views = ratings_of(match.players, pool)
    before = {user_id: views[user_id].elo for user_id in match.players}
    after = before | results_foreseen(pool, _rated(match, result))
    return SettledMatch(paid, _by_seat(match, before), _by_seat(match, after))


def void_foresee(match: Match) -> SettledMatch:
    """The effect of voiding this match: credits of each seat and corrections of ratings."""
    paid = payout(purse_of(match), PrizeResult(None, PrizeEnding.VOIDED))
    pool = rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    views = ratings_of(match.players, pool)
    foreseen = void_foreseen(rating_references(match))
    before = {user_id: views[user_id].elo for user_id in match.players}
    after = {user_id: foreseen.get(user_id, (elo, elo))[1] for user_id, elo in before.items()}
    return SettledMatch(paid, _by_seat(match, before), _by_seat(match, after))


def _by_seat(match: Match, elos: Mapping[int, Decimal]) -> tuple[str, str]:
    one, two = (str(elos[user_id]) for user_id in match.players)
    return one, two


def _rate(match: Match, result: PrizeResult) -> tuple[tuple[str, str], tuple[str, str]]:
    """Both ratings before and after, by seat; the same twice where the match is not rated."""
    pool = rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    rated = _rated(match, result)
    if not rated:
        views = ratings_of(match.players, pool)
        elos = (str(views[match.player_0_id].elo), str(views[match.player_1_id].elo))
        return elos, elos
    changes = ratings_settle(pool, rated)
    before = {change.user_id: change.before for change in reversed(changes)}
    after = {change.user_id: change.after for change in changes}
    return _by_seat(match, before), _by_seat(match, after)


def _rated(match: Match, result: PrizeResult) -> tuple[Rated, ...]:
    """Everything that this result rates, in order: the match, or the games of a session."""
    purse = purse_of(match)
    return tuple(
        Rated(
            reference=reference,
            winner_id=match.players[winner],
            loser_id=match.players[1 - winner],
            n=purse.rated_points,
        )
        for reference, winner in rated_as(match, purse, result)
    )


def rated_as(match: Match, purse: Purse, result: PrizeResult) -> tuple[tuple[str, int], ...]:
    """The references in the rating log that this result leads to, each with the winner's seat."""
    winners = rated_winners(purse, result)
    if purse.kind is not PurseKind.SESSION:
        return tuple((match.reference, winner) for winner in winners)
    numbers = (
        number for number, (winner, _) in enumerate(result.games, start=1) if winner is not None
    )
    games = zip(numbers, winners, strict=False)  # fewer winners where a pair limit is in force
    return tuple((match.game_reference(number), winner) for number, winner in games)


def rating_references(match: Match) -> tuple[str, ...]:
    """Every reference under which this ended match may stand in the rating log."""
    games = range(1, len(match.games) + 1)
    return (match.reference, *(match.game_reference(number) for number in games))


def purse_of(match: Match) -> Purse:
    """The content of the match's escrow, and the rule for dividing it."""
    terms = msgspec.convert(match.terms, Terms)
    purse = replace(mode_of(terms).purse(terms), rated_games=match.rated_games)
    return purse if match.rated else replace(purse, rated_points=0)


def match_refund(match: Match) -> tuple[MatchPayout, Callable[[], None]]:
    """Prepare giving both stakes back: nothing counted. Returns the figures and the transfer."""
    paid = payout(purse_of(match), PrizeResult(None, PrizeEnding.VOIDED))
    return paid, lambda: _pay(match, paid, kind="void")


def match_take_back(
    match: Match, actor: User, reason: str, approver: User | None
) -> Callable[[], None]:
    """Take back a settled match: ratings at once, credits by the returned transfer.

    Both stakes go back, the rake too; the transfer fails if the winner has spent the prize. It
    names the person who carries it out and, where two decided, the other one as approver.
    """
    ratings_void(rating_references(match))
    paid = payout(purse_of(match), PrizeResult(None, PrizeEnding.VOIDED))
    return lambda: _correct(match, paid, actor, reason, approver)


def _correct(
    match: Match, paid: MatchPayout, actor: User, reason: str, approver: User | None
) -> None:
    if not match.stake_cents:
        return
    escrow_correct(
        reference=match.reference,
        payouts=dict(zip(match.players, paid.paid_cents, strict=True)),
        rake_cents=paid.rake_cents,
        actor=actor,
        approver=approver,
        memo=reason,
    )


def _pay(match: Match, paid: MatchPayout, *, kind: Resolution) -> None:
    if not match.stake_cents:
        return
    players = zip(match.players, paid.paid_cents, strict=True)
    escrow_resolve(
        reference=match.reference,
        payouts={user_id: cents for user_id, cents in players if cents},
        rake_cents=paid.rake_cents,
        kind=kind,
    )
