"""The statistics of players, from matches that were counted once after their end.

A task counts what has ended since (`figures_make`), so no command of a match waits for it. A
nightly one counts what was left behind (`figures_make_missed`). Reading takes at most `MATCHES_MAX`
rows of one player.
"""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from games.models import Match, PlayerMatch
from games.modes.registry import PRACTICE_KEYS
from games.selectors import match_terms
from games.services.archive import VOIDED, match_events
from games.table.tally import Tally, tallies
from kit.database import name_lock_try, read_cursor
from kit.paging import Order, moment_column, number_column

logger = logging.getLogger(__name__)

BATCH: Final = 200
"""As many matches are counted in one run."""

#: held until the commit by the process that counts.
COUNT_LOCK: Final = "statistics of players"

MISSED_BATCHES: Final = 20
"""As many batches are counted in one run of the nightly task."""

OVERLAP: Final = timedelta(hours=1)
"""A match whose end was committed this much later than others is still found."""

MATCHES_MAX: Final = 1_000
"""The statistics of a player are over as many of their last matches."""


SIDES: Final = Order((moment_column("ended_at"), number_column("id")))
"""The order of a player's matches: the one that ended last comes first."""


@dataclass(frozen=True, slots=True)
class MatchSums:
    """Sums over matches; games by level are single, gammon, backgammon."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    games_won: tuple[int, int, int] = (0, 0, 0)
    games_lost: tuple[int, int, int] = (0, 0, 0)
    doubled: int = 0
    taken: int = 0
    dropped: int = 0

    @property
    def drawn(self) -> int:
        """Matches without a winner; voided ones are in no figure."""
        return self.matches - self.won - self.lost

    @property
    def won_percent(self) -> int:
        """Matches won of all, ties among them, in percent, rounded half up."""
        played = self.matches
        return (200 * self.won + played) // (2 * played) if played else 0


@dataclass(frozen=True, slots=True)
class Streaks:
    """Matches won in a row: the most, when that run ended, and the run up to now."""

    best: int = 0
    best_ended_at: datetime | None = None
    now: int = 0


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's figures: of all matches, by mode and by variant, the most played first."""

    total: MatchSums = field(default_factory=MatchSums)
    modes: dict[str, MatchSums] = field(default_factory=dict)
    variants: dict[str, MatchSums] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opponent:
    """Matches of one player with one other."""

    user_id: int
    username: str
    is_open: bool
    """Whether it is an account, and open, so that it has a page (`User.has_page`)."""
    matches: int
    won: int
    lost: int


# --- counting -------------------------------------------------------------------------------------


def figures_make(*, all_matches: bool = False) -> int:
    """Count up to `BATCH` finished matches that were not counted yet, the oldest first; how many.

    Without `all_matches` only those that ended after, or shortly before, the newest counted one.
    Counts nothing while another process counts, so a long catch-up takes one worker only.
    """
    with transaction.atomic():
        matches = list(_uncounted(all_matches)[:BATCH]) if name_lock_try(COUNT_LOCK) else []
        sides = [side for match in matches for side in _sides(match)]
        PlayerMatch.objects.bulk_create(sides, ignore_conflicts=True)
    return len(matches)


def figures_are_due() -> bool:
    """Whether a finished match waits for `figures_make`."""
    return _uncounted(all_matches=False).exists()


def _uncounted(all_matches: bool) -> QuerySet[Match]:
    newest = None
    if not all_matches:
        newest = PlayerMatch.objects.aggregate(Max("ended_at"))["ended_at__max"]
    counted = PlayerMatch.objects.filter(match=OuterRef("pk"))
    waiting = Match.objects.filter(ended_at__isnull=False).exclude(mode__in=PRACTICE_KEYS)
    if newest is not None:
        waiting = waiting.filter(ended_at__gte=newest - OVERLAP)
    return waiting.exclude(Exists(counted)).select_related("table").order_by("ended_at", "pk")


def figures_make_missed() -> int:
    """Count the matches that `figures_make` left behind, up to `MISSED_BATCHES` batches; how many.

    There are some if the clock of the database was ahead for a while, or if rows were deleted.
    """
    counted = 0
    for _ in range(MISSED_BATCHES):
        found = figures_make(all_matches=True)
        counted += found
        if found < BATCH:
            break
    return counted


def _sides(match: Match) -> list[PlayerMatch]:
    """The rows of a match; of one that cannot be read, without games, and for its players alone."""
    try:
        is_open, seats = match_terms(match).watchers, tallies(match_events(match))
    except (msgspec.MsgspecError, LookupError, TypeError):
        logger.exception("match %s is counted without its games: it cannot be read", match.pk)
        is_open, seats = False, (Tally(), Tally())
    return [_side(match, seat, tally, is_open) for seat, tally in enumerate(seats)]


def _side(match: Match, seat: int, tally: Tally, is_open: bool) -> PlayerMatch:
    assert match.ended_at is not None, "only finished matches are counted"
    return PlayerMatch(
        match=match,
        seat=seat,
        player_id=match.players[seat],
        opponent_id=match.players[1 - seat],
        is_open=is_open,
        ended_at=match.ended_at,
        single_won=tally.won[0],
        gammon_won=tally.won[1],
        backgammon_won=tally.won[2],
        single_lost=tally.lost[0],
        gammon_lost=tally.lost[1],
        backgammon_lost=tally.lost[2],
        doubled=tally.doubled,
        taken=tally.taken,
        dropped=tally.dropped,
    )


# --- reading --------------------------------------------------------------------------------------

_LAST = """
    WITH last AS (
        SELECT s.*, m.mode, m.variant,
               s.is_open OR %(reader)s IN (s.player_id, s.opponent_id) AS seen,
               coalesce(m.winner_seat = s.seat, false) AS won,
               coalesce(m.winner_seat <> s.seat, false) AS lost
        FROM games_playermatch s JOIN games_match m ON m.id = s.match_id
        WHERE s.player_id = %(player)s AND m.ending <> ALL (%(voided)s)
          AND (%(opponent)s::bigint IS NULL OR s.opponent_id = %(opponent)s)
          AND (s.is_open OR %(all)s OR s.opponent_id = %(reader)s)
        ORDER BY s.ended_at DESC, s.id DESC LIMIT %(limit)s
    )
"""
_SUMS = (
    _LAST
    + """
    SELECT mode, variant, count(*), count(*) FILTER (WHERE won), count(*) FILTER (WHERE lost),
           sum(single_won), sum(gammon_won), sum(backgammon_won),
           sum(single_lost), sum(gammon_lost), sum(backgammon_lost),
           sum(doubled), sum(taken), sum(dropped)
    FROM last GROUP BY GROUPING SETS ((), (mode), (variant)) ORDER BY 3 DESC, 1, 2
"""
)
_RUNS = (
    _LAST
    + """
    , numbered AS (
        SELECT won, ended_at, id, seen, row_number() OVER (ORDER BY ended_at, id)
               - row_number() OVER (PARTITION BY won ORDER BY ended_at, id) AS run
        FROM last
    ), runs AS (
        SELECT won, count(*) AS length, max(ended_at) AS ended_at, max(id) AS id,
               (array_agg(seen ORDER BY ended_at DESC, id DESC))[1] AS seen
        FROM numbered GROUP BY won, run
    )
    (SELECT won, length, NULL::timestamptz FROM runs ORDER BY ended_at DESC, id DESC LIMIT 1)
    UNION ALL
    (SELECT won, length, CASE WHEN seen THEN ended_at END FROM runs WHERE won
     ORDER BY length DESC, ended_at DESC LIMIT 1)
"""
)


_MET = (
    _LAST
    + """
    SELECT opponent_id, username, is_active AND NOT is_guest, count(*), count(*) FILTER (WHERE won),
           count(*) FILTER (WHERE lost)
    FROM last JOIN accounts_user u ON u.id = opponent_id
    GROUP BY opponent_id, username, is_active, is_guest
    ORDER BY opponent_id = %(reader)s IS TRUE DESC, 4 DESC, username LIMIT %(shown)s
"""
)


def statistics_of(
    user_id: int, *, opponent_id: int | None = None, everything: bool = True
) -> Statistics:
    """A player's figures over their last matches, with one opponent or with everybody.

    Without `everything` only matches that anybody may see count.
    """
    totals, modes, variants = MatchSums(), {}, {}
    for mode, variant, *sums in _rows(_SUMS, user_id, opponent_id, everything):
        if mode is not None:
            modes[mode] = _figures(sums)
        elif variant is not None:
            variants[variant] = _figures(sums)
        elif sums[0]:
            totals = _figures(sums)
    return Statistics(totals, modes, variants)


def streaks_of(user_id: int, *, reader_id: int | None) -> Streaks:
    """The longest run of matches won, and the present one; a draw ends a run.

    The end of the longest is None if it ended with a match that this reader may not see.
    """
    rows = _rows(_RUNS, user_id, None, True, reader=reader_id)
    if not rows:
        return Streaks()
    won_now, length_now, _ended_at = rows[0]
    best, best_ended_at = (rows[1][1], rows[1][2]) if len(rows) > 1 else (0, None)
    return Streaks(best=best, best_ended_at=best_ended_at, now=length_now if won_now else 0)


def sides_of(
    user_id: int, *, reader_id: int | None, opponent_id: int | None = None
) -> QuerySet[PlayerMatch]:
    """A player's finished matches that this reader may see, the newest first.

    Those are the open ones, and all in which the reader played. Their player is not read: it is
    the same in all of them.
    """
    found = PlayerMatch.objects.filter(player=user_id)
    if opponent_id is not None:
        found = found.filter(opponent=opponent_id)
    if reader_id != user_id:
        found = found.filter(Q(is_open=True) | Q(opponent=reader_id))
    return found.select_related("match", "opponent").order_by("-ended_at", "-id")


def opponents_of(user_id: int, *, reader_id: int | None, limit: int) -> list[Opponent]:
    """The people a player has met most often, in matches that this reader may see.

    The reader comes first, if the two have met.
    """
    rows = _rows(_MET, user_id, None, reader_id == user_id, reader=reader_id, shown=limit)
    return [Opponent(*row) for row in rows]


def _rows(
    query: str,
    user_id: int,
    opponent_id: int | None,
    everything: bool,
    **more: int | None,
) -> list[tuple[Any, ...]]:
    with read_cursor(PlayerMatch) as cursor:
        cursor.execute(
            query,
            {
                "player": user_id,
                "opponent": opponent_id,
                "all": everything,
                "voided": list(VOIDED),
                "limit": MATCHES_MAX,
                **{"reader": None, **more},
            },
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _figures(sums: list[int]) -> MatchSums:
    return MatchSums(
        matches=sums[0],
        won=sums[1],
        lost=sums[2],
        games_won=(int(sums[3]), int(sums[4]), int(sums[5])),
        games_lost=(int(sums[6]), int(sums[7]), int(sums[8])),
        doubled=int(sums[9]),
        taken=int(sums[10]),
        dropped=int(sums[11]),
    )
