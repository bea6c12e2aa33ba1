"""The only place where ratings change, always inside the caller's transaction.

All services lock the two ratings in ascending order of the user id and take no other lock, so a
caller may hold any lock of its own. They are idempotent: for a reference that has been rated (or
voided) already they return its rows and change nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from kit.database import name_lock
from ratings.elo import EloStanding, rate
from ratings.errors import RatingConflict, RatingError
from ratings.models import ChangeKind, Rating, RatingChange


@dataclass(frozen=True, slots=True)
class Rated:
    """One result to be rated: a match, or one game of a session, worth `n`."""

    reference: str
    winner_id: int
    loser_id: int
    n: int


def rating_settle(
    *, reference: str, pool: str, winner_id: int, loser_id: int, n: int
) -> tuple[RatingChange, RatingChange]:
    """Rate a match worth `n` once and return the winner's and the loser's change.

    Raises RatingConflict if the reference has been rated with other facts, RatingError if the two
    players are one, EloError if `n` is out of range.
    """
    won, lost = ratings_settle(pool, (Rated(reference, winner_id, loser_id, n),))
    return won, lost


@transaction.atomic
def ratings_settle(pool: str, rated: Sequence[Rated]) -> tuple[RatingChange, ...]:
    """Rate several results of the same two players, each by the ratings after the one before.

    Returns the winner's and the loser's change of each, in order; either all are rated, or none.
    Raises as `rating_settle` does.
    """
    players = sorted({rated[0].winner_id, rated[0].loser_id})
    for each in rated:
        if each.winner_id == each.loser_id:
            raise RatingError(
                f"{each.reference}: user {each.winner_id} cannot be rated against himself"
            )
        if sorted((each.winner_id, each.loser_id)) != players:
            raise RatingError(f"{each.reference} is of other players than {rated[0].reference}")
    ratings = _locked(pool, *players)
    known = {
        (change.reference, change.won): change
        for change in _changes([each.reference for each in rated], ChangeKind.RESULT)
    }
    if known:
        return tuple(change for each in rated for change in _same(known, pool, each))
    changes = []
    for each in rated:
        winner, loser = ratings[each.winner_id], ratings[each.loser_id]
        outcome = rate(_standing(winner), _standing(loser), each.n)
        facts = (ChangeKind.RESULT, each.reference)
        changes += [
            _moved(winner, outcome.winner, *facts, each.loser_id, won=True, n=each.n),
            _moved(loser, outcome.loser, *facts, each.winner_id, won=False, n=each.n),
        ]
    return _written(changes, ratings)


def pair_lock(one_id: int, other_id: int) -> None:
    """Lock this pair's matches against other counts until the caller's transaction ends."""
    name_lock(f"ratings pair {min(one_id, other_id)} {max(one_id, other_id)}")


def rating_void(*, reference: str) -> tuple[RatingChange, ...]:
    """Take back what a match did to both ratings; nothing to take back is an empty answer.

    The correcting entries carry the opposite difference and worth. Matches rated in between keep
    their changes: they were rated by the state at the time.
    """
    return ratings_void((reference,))


@transaction.atomic
def ratings_void(references: Sequence[str]) -> tuple[RatingChange, ...]:
    """`rating_void` for several results of the same two players, the last one first."""
    results = _changes(references, ChangeKind.RESULT)
    if not results:
        return ()
    ratings = _locked(results[0].pool, results[0].user_id, results[0].opponent_id)
    known = _changes(references, ChangeKind.VOID)
    if known:
        return known
    changes = [
        _moved(
            ratings[result.user_id],
            _taken_back(ratings[result.user_id], result),
            ChangeKind.VOID,
            result.reference,
            result.opponent_id,
            won=result.won,
            n=result.n,
        )
        for result in _last_first(results)
    ]
    return _written(changes, ratings)


def _last_first(results: Sequence[RatingChange]) -> tuple[RatingChange, ...]:
    """The last reference first, of each the winner's change first."""
    place = {result.reference: -number for number, result in enumerate(results)}
    return tuple(sorted(results, key=lambda each: (place[each.reference], not each.won)))


def _locked(pool: str, *user_ids: int) -> dict[int, Rating]:
    """Lock the ratings of `pool` in ascending order of user id, making those that are new."""
    ordered = sorted(user_ids)
    Rating.objects.bulk_create(
        [Rating(user_id=user_id, pool=pool) for user_id in ordered], ignore_conflicts=True
    )
    rows = (
        Rating.objects.select_for_update(no_key=True)
        .filter(pool=pool, user_id__in=ordered)
        .order_by("user_id")
    )
    return {row.user_id: row for row in rows}


def _changes(references: Sequence[str], kind: ChangeKind) -> tuple[RatingChange, ...]:
    """The rows of these references in the order they were written, the winner's first."""
    rows = RatingChange.objects.filter(reference__in=references, kind=kind)
    return tuple(rows.order_by("id"))


def _same(
    known: Mapping[tuple[str, bool], RatingChange], pool: str, each: Rated
) -> tuple[RatingChange, RatingChange]:
    """The changes that rated this before. Raises `RatingConflict` if it was otherwise."""
    winner, loser = known.get((each.reference, True)), known.get((each.reference, False))
    if winner is None or loser is None:
        raise RatingConflict(f"{each.reference} has not been rated, others of the same match have")
    said = (winner.pool, winner.user_id, loser.user_id, winner.n)
    asked = (pool, each.winner_id, each.loser_id, each.n)
    if said != asked:
        raise RatingConflict(
            f"{each.reference} has been rated as pool {said[0]}, winner {said[1]}, loser {said[2]},"
            f" n {said[3]}; now asked for {pool}, {each.winner_id}, {each.loser_id}, {each.n}"
        )
    return winner, loser


def _standing(rating: Rating) -> EloStanding:
    return EloStanding(rating.elo, rating.experience)


def _taken_back(rating: Rating, result: RatingChange) -> EloStanding:
    return EloStanding(rating.elo - result.delta, rating.experience - result.n)


def _moved(
    rating: Rating,
    to: EloStanding,
    kind: ChangeKind,
    reference: str,
    opponent_id: int,
    *,
    won: bool,
    n: int,
) -> RatingChange:
    """One change, not yet written, and its locked rating brought along."""
    change = RatingChange(
        reference=reference,
        kind=kind,
        pool=rating.pool,
        user_id=rating.user_id,
        opponent_id=opponent_id,
        won=won,
        n=n,
        before=rating.elo,
        after=to.elo,
        experience_before=rating.experience,
        experience_after=to.experience,
        sequence=rating.changes + 1,
    )
    rating.elo = to.elo
    rating.experience = to.experience
    rating.games += 1 if kind == ChangeKind.RESULT else -1
    rating.changes += 1
    return change


def _written(
    changes: list[RatingChange], ratings: Mapping[int, Rating]
) -> tuple[RatingChange, ...]:
    """Write the changes in order, and the ratings they lead to."""
    RatingChange.objects.bulk_create(changes)
    for user_id in sorted(ratings):
        ratings[user_id].save(update_fields=("elo", "experience", "games", "changes"))
    return tuple(changes)
