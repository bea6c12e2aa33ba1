"""Ranks in a long list: one more than how many players are rated higher, without counting them all.

The first places are counted as they are. Below, a mark (`RankMark`) says how many were above it
when it was made, and only the players between the next higher mark and the rating are counted:
`MARK_PLACES` at most. So a deep rank lags behind the list by the moves across one mark since.
"""

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Final

from django.db import connection, transaction

from kit.database import name_lock_try, read_cursor
from ratings.models import Rating

MARK_PLACES: Final = 250
"""There is a mark where a place that is a multiple of this lies."""

MARKS_LOCK: Final = "marks of ranks"

COUNTED: Final = """
    1 + CASE WHEN mark.elo = own.elo THEN mark.above ELSE coalesce(mark.through, 0) END
      + (SELECT count(*) FROM ratings_rating r JOIN accounts_user u ON u.id = r.user_id
         WHERE r.pool = own.pool AND r.games > 0 AND u.is_active
               AND r.elo > own.elo AND r.elo < coalesce(mark.elo, 99999))
"""
"""The rank of `own.elo` in `own.pool`, beside `MARK`."""

MARK: Final = """
    LEFT JOIN LATERAL (
        SELECT m.elo, m.above, m.through FROM ratings_rankmark m
        WHERE m.pool = own.pool AND m.elo >= own.elo ORDER BY m.elo LIMIT 1
    ) mark ON true
"""
"""The next mark that is not below `own.elo`."""

_RANKS: Final = f"""
    SELECT own.elo, {COUNTED} FROM
    (SELECT %(pool)s::varchar AS pool, elo FROM unnest(%(elos)s::numeric[]) elo) own {MARK}
"""  # constants of this file

_MARKS: Final = """
    INSERT INTO ratings_rankmark (pool, elo, above, through)
    SELECT pool, elo, min(place) - 1, max(place) FROM (
        SELECT r.pool, r.elo, row_number() OVER (PARTITION BY r.pool ORDER BY r.elo DESC) AS place
        FROM ratings_rating r JOIN accounts_user u ON u.id = r.user_id
        WHERE r.games > 0 AND u.is_active
    ) listed
    GROUP BY pool, elo HAVING max(place) / %(places)s > (min(place) - 1) / %(places)s
"""


def ranks_of(pool: str, elos: Collection[Decimal]) -> dict[Decimal, int]:
    """The rank of each of these ratings."""
    if not elos:
        return {}
    with read_cursor(Rating) as cursor:
        cursor.execute(_RANKS, {"pool": pool, "elos": sorted(elos)})
        return dict(cursor.fetchall())


def ranks_on(pool: str, elos: Sequence[Decimal]) -> dict[Decimal, int]:
    """The ranks of players who follow each other in the list without a gap, by their ratings.

    Only two are looked up: others may share the first rating on the page before, and from the
    second on the places are counted here.
    """
    falling = list(dict.fromkeys(elos))
    ranks = ranks_of(pool, falling[:2])
    for elo in falling[2:]:
        ranks[elo] = ranks[falling[1]] + elos.index(elo) - elos.index(falling[1])
    return ranks


@transaction.atomic
def marks_make() -> int:
    """Make the marks of all pools anew; how many. Does nothing while another process makes them."""
    if not name_lock_try(MARKS_LOCK):
        return 0
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ratings_rankmark")
        cursor.execute(_MARKS, {"places": MARK_PLACES})
        return int(cursor.rowcount)
