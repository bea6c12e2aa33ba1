"""The only place where ratings change, always inside the caller's transaction.

Both services lock the two ratings in ascending order of the user id and take no other lock, so a
caller may hold any lock of its own. They are idempotent: for a reference that has been rated (or
voided) already they return its rows and change nothing.
"""

from collections.abc import Sequence

from django.db import connection, transaction

from ratings.elo import Standing, rate
from ratings.errors import RatingConflict, RatingError
from ratings.models import ChangeKind, Rating, RatingChange


@transaction.atomic
def rating_settle(
    *, reference: str, pool: str, winner_id: int, loser_id: int, n: int
) -> tuple[RatingChange, RatingChange]:
    """Rate a match worth `n` once and return the winner's and the loser's change.

    Raises RatingConflict if the reference has been rated with other facts, RatingError if the two
    players are one, EloError if `n` is out of range.
    """
    if winner_id == loser_id:
        raise RatingError(f"{reference}: user {winner_id} cannot be rated against himself")
    ratings = _locked(pool, winner_id, loser_id)
    known = _changes(reference, ChangeKind.RESULT)
    if known:
        return _same(known, reference, pool, winner_id, loser_id, n)
    winner, loser = ratings[winner_id], ratings[loser_id]
    outcome = rate(_standing(winner), _standing(loser), n)
    return (
        _move(winner, outcome.winner, ChangeKind.RESULT, reference, loser_id, won=True, n=n),
        _move(loser, outcome.loser, ChangeKind.RESULT, reference, winner_id, won=False, n=n),
    )


def pair_lock(one_id: int, other_id: int) -> None:
    """Lock this pair's matches against other counts until the caller's transaction ends."""
    pair = f"ratings pair {min(one_id, other_id)} {max(one_id, other_id)}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [pair])


@transaction.atomic
def rating_void(*, reference: str) -> tuple[RatingChange, ...]:
    """Take back what a match did to both ratings; nothing to take back is an empty answer.

    The correcting entries carry the opposite difference and worth. Matches rated in between keep
    their changes: they were rated by the state at the time.
    """
    results = _changes(reference, ChangeKind.RESULT)
    if not results:
        return ()
    won, lost = results
    ratings = _locked(won.pool, won.user_id, lost.user_id)
    known = _changes(reference, ChangeKind.VOID)
    if known:
        return known
    return tuple(
        _move(
            ratings[result.user_id],
            _taken_back(ratings[result.user_id], result),
            ChangeKind.VOID,
            reference,
            result.opponent_id,
            won=result.won,
            n=result.n,
        )
        for result in results
    )


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


def _changes(reference: str, kind: ChangeKind) -> tuple[RatingChange, ...]:
    """The rows of a reference, the winner's first."""
    return tuple(RatingChange.objects.filter(reference=reference, kind=kind).order_by("-won"))


def _same(
    known: Sequence[RatingChange], reference: str, pool: str, winner_id: int, loser_id: int, n: int
) -> tuple[RatingChange, RatingChange]:
    winner, loser = known
    said = (winner.pool, winner.user_id, loser.user_id, winner.n)
    if said != (pool, winner_id, loser_id, n):
        raise RatingConflict(
            f"{reference} has been rated as pool {said[0]}, winner {said[1]}, loser {said[2]}, "
            f"n {said[3]}; now asked for {pool}, {winner_id}, {loser_id}, {n}"
        )
    return winner, loser


def _standing(rating: Rating) -> Standing:
    return Standing(rating.elo, rating.experience)


def _taken_back(rating: Rating, result: RatingChange) -> Standing:
    return Standing(rating.elo - result.delta, rating.experience - result.n)


def _move(
    rating: Rating,
    to: Standing,
    kind: ChangeKind,
    reference: str,
    opponent_id: int,
    *,
    won: bool,
    n: int,
) -> RatingChange:
    """Write one change and bring its locked rating along."""
    change = RatingChange.objects.create(
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
    rating.save(update_fields=("elo", "experience", "games", "changes"))
    return change
