"""Rebuild every rating from the log of changes, and report differences.

The log is read in the order it was written. Each result is computed again with the formula from
the standings rebuilt so far: of a row only the players, the winner and the worth are used.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import connection, transaction

from ratings.elo import EloError, EloStanding, rate
from ratings.errors import LogInconsistent, ReplayDifference
from ratings.models import ChangeKind, Rating, RatingChange

Key = tuple[int, str]
"""A rating's identity: user id and pool."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A rating as the log makes it."""

    standing: EloStanding = field(default_factory=EloStanding)
    games: int = 0
    changes: int = 0

    def __str__(self) -> str:
        return (
            f"{self.standing.elo:.4f}, experience {self.standing.experience}, "
            f"games {self.games}, changes {self.changes}"
        )


class Replay:
    """A walk through the log, with the resulting `ratings` and the `differences` found."""

    def __init__(self, voided: Iterable[str] = ()) -> None:
        self.ratings: dict[Key, Rebuilt] = {}
        self.differences: list[ReplayDifference] = []
        self._voided = frozenset(voided)
        self._waiting: dict[tuple[str, str], RatingChange] = {}
        self._moved: dict[tuple[str, int], tuple[Decimal, int]] = {}

    def walk(self, log: Iterable[RatingChange]) -> None:
        """Follow all changes in the order of their ids; a change without its partner differs."""
        for change in log:
            partner = self._waiting.pop((change.reference, change.kind), None)
            if partner is None:
                self._waiting[change.reference, change.kind] = change
            elif not _is_pair(partner, change):
                self._differ(change, "does not mirror its partner")
            else:
                self._apply(*sorted((partner, change), key=lambda row: not row.won))
        for change in self._waiting.values():
            self._differ(change, "its partner is missing")

    def rebuilt(self, key: Key) -> Rebuilt:
        """Return a rating so far."""
        return self.ratings.get(key, Rebuilt())

    def _apply(self, won: RatingChange, lost: RatingChange) -> None:
        try:
            after = self._after(won, lost)
        except (EloError, KeyError) as error:
            self._differ(won, f"cannot be rated: {error}")
            return
        for change, standing in zip((won, lost), after, strict=True):
            self._follow(change, standing)

    def _after(self, won: RatingChange, lost: RatingChange) -> tuple[EloStanding, EloStanding]:
        """The standings after a pair of changes, from those rebuilt so far."""
        winner = self.rebuilt((won.user_id, won.pool)).standing
        loser = self.rebuilt((lost.user_id, lost.pool)).standing
        if won.kind == ChangeKind.RESULT:
            outcome = rate(winner, loser, won.n)
            return outcome.winner, outcome.loser
        return self._taken_back(won, winner), self._taken_back(lost, loser)

    def _taken_back(self, change: RatingChange, standing: EloStanding) -> EloStanding:
        delta, n = self._moved[change.reference, change.user_id]
        return EloStanding(standing.elo - delta, standing.experience - n)

    def _follow(self, change: RatingChange, standing: EloStanding) -> None:
        key = (change.user_id, change.pool)
        before = self.rebuilt(key)
        after = Rebuilt(
            standing,
            before.games + (1 if change.kind == ChangeKind.RESULT else -1),
            before.changes + 1,
        )
        expected = _told(after.changes, before.standing, standing)
        stored = _stored(change)
        if stored != expected:
            self.differences.append(ReplayDifference(_name(change), stored, expected))
        self.ratings[key] = after
        if change.kind == ChangeKind.RESULT and change.reference in self._voided:
            delta = standing.elo - before.standing.elo
            self._moved[change.reference, change.user_id] = (delta, change.n)

    def _differ(self, change: RatingChange, why: str) -> None:
        self.differences.append(ReplayDifference(_name(change), _stored(change), why))


def replay() -> Replay:
    """Walk through the whole stored log."""
    voided = RatingChange.objects.filter(kind=ChangeKind.VOID).values_list("reference", flat=True)
    told = Replay(voided)
    told.walk(RatingChange.objects.order_by("id").iterator(chunk_size=5000))
    return told


def check() -> list[ReplayDifference]:
    """Return every change and every rating that a replay does not confirm; changes nothing."""
    with _one_snapshot():
        told = replay()
        return told.differences + list(_stored_differences(told))


@transaction.atomic
def rebuild() -> list[ReplayDifference]:
    """Write the ratings that the log makes and return what was different before.

    Raises LogInconsistent, naming the rows, if the log contradicts itself; nothing changes then.
    New results wait until the ratings are written.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE ratings_rating IN SHARE ROW EXCLUSIVE MODE")
    told = replay()
    if told.differences:
        raise LogInconsistent(told.differences)
    found = list(_stored_differences(told))
    if found:
        for row in Rating.objects.all():
            _write(row, told.ratings.pop((row.user_id, row.pool), Rebuilt()))
        for (user_id, pool), rebuilt in told.ratings.items():
            _write(Rating(user_id=user_id, pool=pool), rebuilt)
    return found


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """See the log and the ratings at one moment; inside a transaction that one decides."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _stored_differences(told: Replay) -> Iterator[ReplayDifference]:
    missing = dict(told.ratings)
    for row in Rating.objects.order_by("user_id", "pool").iterator(chunk_size=5000):
        rebuilt = missing.pop((row.user_id, row.pool), Rebuilt())
        stored = Rebuilt(EloStanding(row.elo, row.experience), row.games, row.changes)
        if stored != rebuilt:
            yield ReplayDifference(_rating_name(row.user_id, row.pool), str(stored), str(rebuilt))
    for (user_id, pool), rebuilt in missing.items():
        yield ReplayDifference(_rating_name(user_id, pool), "missing", str(rebuilt))


def _write(row: Rating, rebuilt: Rebuilt) -> None:
    row.elo = rebuilt.standing.elo
    row.experience = rebuilt.standing.experience
    row.games = rebuilt.games
    row.changes = rebuilt.changes
    row.save()


def _is_pair(one: RatingChange, other: RatingChange) -> bool:
    return (one.user_id, one.opponent_id, one.pool, one.n, one.won) == (
        other.opponent_id,
        other.user_id,
        other.pool,
        other.n,
        not other.won,
    )


def _name(change: RatingChange) -> str:
    return f"change {change.pk} ({change.kind} of {change.reference}, user {change.user_id})"


def _rating_name(user_id: int, pool: str) -> str:
    return f"rating of user {user_id} in {pool}"


def _told(sequence: int, before: EloStanding, after: EloStanding) -> str:
    return (
        f"no. {sequence}: {before.elo:.4f} to {after.elo:.4f}, "
        f"experience {before.experience} to {after.experience}"
    )


def _stored(change: RatingChange) -> str:
    return _told(
        change.sequence,
        EloStanding(change.before, change.experience_before),
        EloStanding(change.after, change.experience_after),
    )
