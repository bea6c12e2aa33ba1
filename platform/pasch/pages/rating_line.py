"""The line of a player's ratings, as far as a reader may see its days."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, Func, OuterRef, Q, QuerySet, UUIDField

from accounts.models import User
from games.models import PlayerMatch
from games.selectors import may_see_all
from kit.database import read_cursor
from ratings.chart import POINTS_MAX, RatingChart, line
from ratings.models import RatingChange

CHANGES_MAX: Final = 2_000
"""The line is drawn from as many of the newest changes."""

#: a first row without a day: the rating before the oldest change; then the rating at the end of
#: each day (UTC) on which a match ended that the reader may see. Of many days every second, third …
#: is read, and always the last. The moments of single matches are not in it. LIMIT 1 keeps to the
#: matches of these changes: a join of sets reads all matches that the person has ever played.
_DAYS: Final = """
    WITH last AS (
        SELECT created, before, after, sequence,
               CASE WHEN reference LIKE 'match:%%' THEN substr(reference, 7, 36) END AS match_id
        FROM ratings_ratingchange
        WHERE user_id = %(person)s AND pool = %(pool)s
              AND (%(since)s::timestamptz IS NULL OR created >= %(since)s)
        ORDER BY sequence DESC LIMIT %(changes)s
    ), days AS (
        SELECT DISTINCT ON (day) (created AT TIME ZONE 'UTC')::date AS day, after
        FROM last LEFT JOIN LATERAL (
            SELECT is_open, opponent_id FROM games_playermatch
            WHERE match_id = last.match_id::uuid AND player_id = %(person)s LIMIT 1
        ) s ON true
        WHERE %(reader)s = %(person)s OR s.is_open OR s.opponent_id = %(reader)s
        ORDER BY day, sequence DESC
    ), numbered AS (
        SELECT day, after, row_number() OVER (ORDER BY day DESC) - 1 AS number,
               (count(*) OVER () + %(points)s - 1) / %(points)s AS stride
        FROM days
    )
    (SELECT NULL::date, before FROM last ORDER BY sequence LIMIT 1)
    UNION ALL
    (SELECT day, after FROM numbered WHERE number %% stride = 0 ORDER BY day)
"""


@dataclass(frozen=True, slots=True)
class RatingSpan:
    """The line of a person in a pool, over some time (None: all), for a reader."""

    person_id: int
    pool: str
    span: timedelta | None
    reader_id: int | None


def rating_line(asked: RatingSpan, elo: Decimal, now: datetime) -> RatingChart | None:
    """Draw the line up to the rating `elo` of now; None without a change in this time.

    What private matches changed is drawn on the next day that the reader may see, at the latest
    today, so their days cannot be read from the line.
    """
    with read_cursor(RatingChange) as cursor:
        cursor.execute(
            _DAYS,
            {
                "person": asked.person_id,
                "pool": asked.pool,
                "since": now - asked.span if asked.span is not None else None,
                "reader": asked.reader_id,
                "changes": CHANGES_MAX,
                "points": POINTS_MAX,
            },
        )
        rows = cursor.fetchall()
    if not rows:
        return None
    (_none, first), *closes = rows
    today = now.astimezone(UTC).date()
    if not closes or closes[-1][1] != elo:
        closes = [*(each for each in closes if each[0] != today), (today, elo)]
    return line(closes, first=first)


class _MatchOf(Func):
    """The id of the match in a reference of the rating log; NULL for anything that is no match.

    A reference names a match, or one game of a session (`Match.game_reference`).
    """

    template = "substring(%(expressions)s FROM '^match:([0-9a-f-]{36})')::uuid"
    output_field = UUIDField()


def changes_seen(
    history: QuerySet[RatingChange], *, person_id: int, reader: User | AnonymousUser
) -> QuerySet[RatingChange]:
    """Those of a person's rating changes whose match this reader may see.

    The others are left out whole: a row without a date between two that have one would tell on
    which days it was played. Others see a match once it is counted (`games.services.figures`).
    """
    if reader.pk == person_id or may_see_all(reader):
        return history
    sides = PlayerMatch.objects.filter(player=person_id, match=OuterRef("played"))
    seen = sides.filter(Q(is_open=True) | Q(opponent=reader.pk))
    return history.annotate(played=_MatchOf("reference")).filter(Exists(seen))
