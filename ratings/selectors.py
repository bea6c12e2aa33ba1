"""Reading ratings: of one player, of a table's players, of everybody in order."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import accumulate
from typing import Final, cast

from django.core.paginator import Page, Paginator
from django.db import connection
from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, QuerySet, Sum, Value
from django.utils import timezone

from accounts.choices import country_shown
from accounts.selectors import people_matching
from ratings.elo import START_ELO, START_EXPERIENCE, Standing, rate, strength, whole
from ratings.models import ChangeKind, Rating, RatingChange
from ratings.pools import pool_order
from ratings.services import Rated

PAGE_ROWS: Final = 50
CHANGE_SPAN: Final = timedelta(days=7)
PAIR_SPAN: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class RatingView:
    """A player's rating in a pool; the starting rating before the first match."""

    elo: Decimal = START_ELO
    experience: int = START_EXPERIENCE
    games: int = 0

    @property
    def strength(self) -> int:
        """Strength group 1 to 6."""
        return strength(self.elo)

    @property
    def whole(self) -> int:
        """The rating as it is shown."""
        return whole(self.elo)


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One line of the ranking list; `rank` is shared by equal ratings.

    `country` is a code (`accounts.countries`), or empty.
    """

    rank: int
    user_id: int
    username: str
    is_bot: bool
    view: RatingView
    change: Decimal
    country: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A player's rank in a pool, and by how much their rating changed within seven days."""

    rank: int
    change: Decimal


@dataclass(frozen=True, slots=True)
class Record:
    """Rated matches won and lost."""

    won: int
    lost: int


def rating_of(user_id: int, pool: str) -> RatingView:
    """Return a player's rating in a pool."""
    return ratings_of((user_id,), pool)[user_id]


def ratings_of(user_ids: Iterable[int], pool: str) -> dict[int, RatingView]:
    """Return the ratings of these players in a pool, with one query."""
    asked = set(user_ids)
    rows = Rating.objects.filter(pool=pool, user_id__in=asked)
    found = {row.user_id: _view(row) for row in rows}
    return {user_id: found.get(user_id, RatingView()) for user_id in asked}


def results_foreseen(pool: str, rated: Sequence[Rated]) -> dict[int, Decimal]:
    """The ratings the players would have if these results were rated now, one after the other."""
    views = ratings_of({each.winner_id for each in rated} | {each.loser_id for each in rated}, pool)
    standings = {user_id: Standing(view.elo, view.experience) for user_id, view in views.items()}
    for each in rated:
        outcome = rate(standings[each.winner_id], standings[each.loser_id], each.n)
        standings |= {each.winner_id: outcome.winner, each.loser_id: outcome.loser}
    return {user_id: standing.elo for user_id, standing in standings.items()}


def void_foreseen(references: Sequence[str]) -> dict[int, tuple[Decimal, Decimal]]:
    """Each player's rating now, and after these results are taken back; empty if none is rated."""
    rows = RatingChange.objects.filter(reference__in=references, kind=ChangeKind.RESULT)
    deltas: dict[tuple[int, str], Decimal] = {}
    for row in rows:
        player = (row.user_id, row.pool)
        deltas[player] = deltas.get(player, Decimal(0)) + row.delta
    elos = {(user_id, pool): rating_of(user_id, pool).elo for user_id, pool in deltas}
    return {
        user_id: (elos[user_id, pool], elos[user_id, pool] - delta)
        for (user_id, pool), delta in deltas.items()
    }


def pools_of(user_id: int) -> dict[str, RatingView]:
    """Return every pool in which a player has been rated, by name."""
    rows = Rating.objects.filter(user_id=user_id).order_by("pool")
    return {row.pool: _view(row) for row in rows}


def pools(always: Iterable[str] = ()) -> list[str]:
    """Return every pool with a rated player and those of `always`, in their order."""
    return sorted(
        {*always, *Rating.objects.order_by().values_list("pool", flat=True).distinct()},
        key=pool_order,
    )


def record(user_id: int, pool: str) -> Record:
    """Return how many rated matches a player has won and lost; voided ones do not count."""
    rows = (
        RatingChange.objects.filter(user_id=user_id, pool=pool)
        .order_by()
        .values("won", "kind")
        .annotate(count=Count("*"))
    )
    counts: dict[tuple[bool, str], int] = {(row["won"], row["kind"]): row["count"] for row in rows}

    def settled(won: bool) -> int:
        return counts.get((won, ChangeKind.RESULT), 0) - counts.get((won, ChangeKind.VOID), 0)

    return Record(won=settled(True), lost=settled(False))


def ranking(
    pool: str, *, search: str = "", page: int | str = 1, now: datetime | None = None
) -> "Page[RankingRow]":
    """Return one page of the ranking list.

    Listed is who has a rated match in the pool and an active account. `search` narrows by a part
    of the name and leaves the ranks as they are. A page that does not exist answers the nearest.
    """
    rows = _listed(pool).select_related("user").order_by("-elo", "user__username")
    if search:
        rows = rows.filter(user__in=people_matching(search))
    found = Paginator(rows, PAGE_ROWS).get_page(page)
    ranked = cast("Page[RankingRow]", found)
    ranked.object_list = _ranked(pool, found.object_list, now)
    return ranked


def ranking_of(user_id: int, pool: str, *, now: datetime | None = None) -> RankingRow | None:
    """Return a player's own line of the ranking list, None if not listed."""
    rows = _ranked(pool, _listed(pool).filter(user_id=user_id).select_related("user"), now)
    return rows[0] if rows else None


_PLACES: Final = """
    SELECT own.pool,
           1 + (SELECT count(*) FROM ratings_rating r JOIN accounts_user u ON u.id = r.user_id
                WHERE r.pool = own.pool AND r.elo > own.elo AND r.games > 0 AND u.is_active),
           (SELECT coalesce(sum(c.after - c.before), 0) FROM ratings_ratingchange c
            WHERE c.user_id = own.user_id AND c.pool = own.pool AND c.created >= %(since)s)
    FROM ratings_rating own JOIN accounts_user person ON person.id = own.user_id
    WHERE own.user_id = %(person)s AND own.pool = ANY (%(pools)s)
          AND own.games > 0 AND person.is_active
"""


def places_of(
    user_id: int, pools: Iterable[str], *, now: datetime | None = None
) -> dict[str, Place]:
    """Return a player's places in those of these pools that list them, with one query."""
    since = (now or timezone.now()) - CHANGE_SPAN
    with connection.cursor() as cursor:
        cursor.execute(_PLACES, {"person": user_id, "pools": [*pools], "since": since})
        return {pool: Place(rank, change) for pool, rank, change in cursor.fetchall()}


def pair_counts(
    user_id: int, opponent_ids: Iterable[int], *, now: datetime | None = None
) -> dict[int, int]:
    """Return how many matches of a player with each of these were rated within 24 hours.

    All pools count together; matches that were voided since do not.
    """
    asked = set(opponent_ids)
    since = (now or timezone.now()) - PAIR_SPAN
    rated = RatingChange.objects.filter(
        user_id=user_id, opponent_id__in=asked, kind=ChangeKind.RESULT, created__gte=since
    )
    voided = RatingChange.objects.filter(
        user_id=user_id, kind=ChangeKind.VOID, reference=OuterRef("reference")
    )
    rows = rated.exclude(Exists(voided)).order_by().values("opponent_id")
    found = {row["opponent_id"]: row["count"] for row in rows.annotate(count=Count("*"))}
    return {opponent_id: found.get(opponent_id, 0) for opponent_id in asked}


def history(user_id: int, pool: str) -> QuerySet[RatingChange]:
    """Return a player's changes in a pool, the newest first, with the opponents."""
    return (
        RatingChange.objects.filter(user_id=user_id, pool=pool)
        .select_related("opponent")
        .order_by("-sequence")
    )


def _listed(pool: str) -> QuerySet[Rating]:
    return Rating.objects.filter(pool=pool, games__gt=0, user__is_active=True)


def _ranked(pool: str, rows: Iterable[Rating], now: datetime | None) -> list[RankingRow]:
    page = list(rows)
    ranks = _ranks(pool, {row.elo for row in page})
    changes = _changes_since(
        pool, [row.user_id for row in page], (now or timezone.now()) - CHANGE_SPAN
    )
    return [
        RankingRow(
            rank=ranks[row.elo],
            user_id=row.user_id,
            username=row.user.get_username(),
            is_bot=row.user.is_bot,
            view=_view(row),
            change=changes.get(row.user_id, Decimal(0)),
            country=country_shown(row.user),
        )
        for row in page
    ]


def _ranks(pool: str, elos: Collection[Decimal]) -> dict[Decimal, int]:
    """The rank of each of these ratings: one more than how many players are rated higher.

    One pass over the pool, however many ratings are requested: the database sorts every higher
    rating into the gaps between them (gap b: exactly the b highest of them are not lower).
    """
    if not elos:
        return {}
    falling = sorted(elos, reverse=True)
    gap = Func(
        -F("elo"),
        Value([-elo for elo in falling]),
        function="width_bucket",
        template="%(function)s(%(expressions)s::numeric[])",
        output_field=IntegerField(),
    )
    rows = _listed(pool).filter(elo__gt=falling[-1]).values(gap=gap).annotate(count=Count("*"))
    in_gap = {row["gap"]: row["count"] for row in rows.order_by()}
    higher = accumulate(in_gap.get(number, 0) for number in range(len(falling)))
    return {elo: count + 1 for elo, count in zip(falling, higher, strict=True)}


def _changes_since(pool: str, user_ids: Collection[int], since: datetime) -> dict[int, Decimal]:
    rows = (
        RatingChange.objects.filter(pool=pool, user_id__in=user_ids, created__gte=since)
        .order_by()
        .values("user_id")
        .annotate(change=Sum(F("after") - F("before")))
    )
    return {row["user_id"]: row["change"] for row in rows}


def _view(row: Rating) -> RatingView:
    return RatingView(elo=row.elo, experience=row.experience, games=row.games)
