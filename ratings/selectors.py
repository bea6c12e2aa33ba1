"""Reading ratings: of one player, of a table's players, of everybody in order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final, cast

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.reader_preferences import country_shown
from accounts.selectors import people_matching
from kit.database import read_cursor
from kit.paging import KeyPage, Order, decimal_column, number_column
from ratings.elo import START_ELO, START_EXPERIENCE, EloStanding, rate, strength, whole
from ratings.models import ChangeKind, Rating, RatingChange
from ratings.pools import pool_order
from ratings.ranks import COUNTED, MARK, ranks_of, ranks_on
from ratings.services import Rated

PAGE_ROWS: Final = 50
CHANGE_SPAN: Final = timedelta(days=7)
PAIR_SPAN: Final = timedelta(hours=24)

RANKING: Final = Order((decimal_column("elo"), number_column("user_id")))
"""The order of the ranking list; among equal ratings the newest account comes first."""

CHANGES: Final = Order((number_column("sequence"),))
"""The order of a player's changes in a pool."""


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

    `country` is a code (`accounts.countries`), or empty; `place` is that of `RANKING`.
    """

    rank: int
    user_id: int
    username: str
    is_bot: bool
    view: RatingView
    change: Decimal
    country: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """A player's rank in a pool, and by how much their rating changed within seven days."""

    rank: int
    change: Decimal


@dataclass(frozen=True, slots=True)
class RatedRecord:
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
    standings = {user_id: EloStanding(view.elo, view.experience) for user_id, view in views.items()}
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


_POOLS: Final = """
    WITH RECURSIVE found (pool) AS (
        SELECT min(pool) FROM ratings_rating WHERE games > 0
        UNION ALL
        SELECT (SELECT min(r.pool) FROM ratings_rating r WHERE r.games > 0 AND r.pool > found.pool)
        FROM found WHERE found.pool IS NOT NULL
    )
    SELECT pool FROM found WHERE pool IS NOT NULL
"""
"""From pool to pool through the index, without reading the players of any."""


def pools(always: Iterable[str] = ()) -> list[str]:
    """Return every pool with a rated player and those of `always`, in their order."""
    with read_cursor(Rating) as cursor:
        cursor.execute(_POOLS)
        return sorted({*always, *(pool for (pool,) in cursor.fetchall())}, key=pool_order)


def record(user_id: int, pool: str) -> RatedRecord:
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

    return RatedRecord(won=settled(True), lost=settled(False))


def ranking(
    pool: str,
    *,
    search: str = "",
    asked: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> KeyPage[RankingRow]:
    """Return one page of the ranking list.

    Listed is who has a rated match in the pool and an active account. `search` narrows by a part
    of the name and leaves the ranks as they are. `asked` says which page (`kit.paging`);
    `around` in it is a place that comes into the middle.
    """
    rows, asked = listed(pool, search), asked or {}
    if asked.get("around"):
        found = RANKING.around(asked["around"], PAGE_ROWS, rows)
    else:
        found = RANKING.page(asked, PAGE_ROWS, rows)
    return ranked(pool, found, without_gaps=not search, now=now)


def ranked(
    pool: str, found: KeyPage[Rating], *, without_gaps: bool, now: datetime | None = None
) -> KeyPage[RankingRow]:
    """A page of ratings as lines of the ranking list."""
    return replace(
        cast("KeyPage[RankingRow]", found), rows=_ranked(pool, found.rows, now, without_gaps)
    )


def listed(pool: str, search: str = "") -> QuerySet[Rating]:
    """The ratings of everybody who is listed in a pool, or of those whose name fits a text."""
    rows = _listed(pool).select_related("user")
    return rows.filter(user__in=people_matching(search)) if search else rows


def ranking_of(user_id: int, pool: str, *, now: datetime | None = None) -> RankingRow | None:
    """Return a player's own line of the ranking list, None if not listed."""
    rows = _ranked(pool, list(listed(pool).filter(user_id=user_id)), now)
    return rows[0] if rows else None


_CHANGE: Final = """
    (SELECT coalesce(sum(c.after - c.before), 0) FROM ratings_ratingchange c
     WHERE c.user_id = own.user_id AND c.pool = own.pool AND c.sequence > coalesce((
         SELECT old.sequence FROM ratings_ratingchange old
         WHERE old.user_id = own.user_id AND old.pool = own.pool AND old.created < %(since)s
         ORDER BY old.sequence DESC LIMIT 1), 0))
"""
"""By how much `own.user_id` moved in `own.pool`: goes back to the first change that is too old."""

_PLACES: Final = f"""
    SELECT own.pool, {COUNTED}, {_CHANGE}
    FROM ratings_rating own JOIN accounts_user person ON person.id = own.user_id {MARK}
    WHERE own.user_id = %(person)s AND own.pool = ANY (%(pools)s)
          AND own.games > 0 AND person.is_active
"""  # constants of these files

_CHANGES: Final = f"""
    SELECT own.user_id, {_CHANGE} FROM ratings_rating own
    WHERE own.pool = %(pool)s AND own.user_id = ANY (%(people)s)
"""  # a constant of this file


def places_of(
    user_id: int, pools: Iterable[str], *, now: datetime | None = None
) -> dict[str, RatingPlace]:
    """Return a player's places in those of these pools that list them, with one query."""
    since = (now or timezone.now()) - CHANGE_SPAN
    with read_cursor(Rating) as cursor:
        cursor.execute(_PLACES, {"person": user_id, "pools": [*pools], "since": since})
        return {pool: RatingPlace(rank, change) for pool, rank, change in cursor.fetchall()}


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
    rows = RatingChange.objects.filter(user_id=user_id, pool=pool).select_related("opponent")
    return rows.order_by("-sequence")


def _listed(pool: str) -> QuerySet[Rating]:
    return Rating.objects.filter(pool=pool, games__gt=0, user__is_active=True)


def _ranked(
    pool: str, page: Sequence[Rating], now: datetime | None, without_gaps: bool = False
) -> list[RankingRow]:
    elos = [row.elo for row in page]
    ranks = ranks_on(pool, elos) if without_gaps else ranks_of(pool, set(elos))
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
            place=RANKING.mark(row),
        )
        for row in page
    ]


def _changes_since(pool: str, user_ids: Collection[int], since: datetime) -> dict[int, Decimal]:
    with read_cursor(Rating) as cursor:
        cursor.execute(_CHANGES, {"pool": pool, "people": list(user_ids), "since": since})
        return dict(cursor.fetchall())


def _view(row: Rating) -> RatingView:
    return RatingView(elo=row.elo, experience=row.experience, games=row.games)
