"""The nightly count of all dice: what came since the last one is added, tested and kept.

Counted are the rolls of games between people, each as it stands under its number
(`StoredDiceRoll`): no practice, no doubles that a player named, no numbers that follow without
chance.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import QuerySet

from backgammon.dice import statistics
from games.models import DiceLuck, DiceStatistics
from games.modes.registry import PRACTICE_KEYS
from kit.database import database_now_ms, moment, name_lock

#: rolls get their time before they are committed; nothing takes as long as this to commit.
STILL_COMING: Final = timedelta(minutes=10)

#: a task that comes twice in the night counts once
AGAIN: Final = timedelta(hours=1)

#: players with fewer rolls are not compared: luck is large where little was thrown.
PLAYER_ROLLS_MIN: Final = 100
PLAYERS_SHOWN: Final = 10

#: two counts at once would add the same rolls twice; held until the commit.
COUNT_LOCK: Final = "dice statistics"

_log = logging.getLogger("games.dice")

#: rolls of a time, in rows and in packs, each with the dice of the roll before it in its game;
#: only packs that reach into the time are unpacked.
_COUNTED: Final = """
    WITH rolled AS (
        SELECT r.game_id, r.n, r.dice, r.seq, r.rolled_at, before.dice AS dice_before
        FROM games_diceroll r
        LEFT JOIN games_diceroll before ON before.game_id = r.game_id AND before.n = r.n - 1
        WHERE r.rolled_at >= %(since)s
        UNION ALL
        SELECT p.game_id, r.n, r.dice, r.seq, r.rolled_at,
               lag(r.dice) OVER (PARTITION BY p.game_id ORDER BY r.n)
        FROM games_rollpack p CROSS JOIN LATERAL games_rolls_listed(p.rolls) r
        WHERE p.last_at >= %(since)s
    ), roll AS (
        SELECT r.dice, r.dice_before, r.seq, game.table_id, game.match_id
        FROM rolled r
        JOIN games_gamedice game ON game.id = r.game_id
        JOIN games_table seated ON seated.id = game.table_id AND NOT seated.mode = ANY(%(practice)s)
        WHERE r.rolled_at >= %(since)s AND r.rolled_at < %(until)s
    )
"""

DICE: Final = f"{_COUNTED} SELECT dice, count(*) FROM roll GROUP BY dice"

PAIRS: Final = f"""
    {_COUNTED} SELECT dice_before, dice, count(*) FROM roll
    WHERE jsonb_array_length(dice) = 2 AND jsonb_array_length(dice_before) = 2
    GROUP BY dice_before, dice
"""

#: the events of a game's table.
_IN_ROWS: Final = "JOIN games_tableevent thrown ON thrown.table_id = roll.table_id"
_IN_PACKS: Final = """
    JOIN games_eventpack pack ON pack.table_id = roll.table_id
    CROSS JOIN LATERAL games_events_in(pack.events) thrown
"""

#: the event of the roll names the thrower; an opening has a die of each player and no thrower.
_THROWN: Final = """
    SELECT CASE thrown.payload->>'seat' WHEN '0' THEN match.player_0_id ELSE match.player_1_id END,
           roll.dice
    FROM roll
    JOIN games_match match ON match.id = roll.match_id
    {events}
    WHERE thrown.seq = roll.seq AND thrown.type = 'dice_rolled'
    AND jsonb_array_length(roll.dice) = 2
"""

LUCK: Final = f"""
    {_COUNTED} INSERT INTO games_diceluck (user_id, rolls, pips)
    SELECT user_id, count(*),
           sum(((dice->>0)::int + (dice->>1)::int)
               * CASE WHEN dice->0 = dice->1 THEN 2 ELSE 1 END)
    FROM ({_THROWN.format(events=_IN_ROWS)} UNION ALL {_THROWN.format(events=_IN_PACKS)})
         AS own (user_id, dice)
    GROUP BY user_id
    ON CONFLICT (user_id) DO UPDATE
    SET rolls = games_diceluck.rolls + excluded.rolls, pips = games_diceluck.pips + excluded.pips
"""


def statistics_make(*, until: datetime | None = None) -> DiceStatistics:
    """Count what was rolled since the last count and keep the result; crying out if it alarms.

    `until` ends the count (default: ten minutes ago, so that nothing is still being committed, and
    nothing new if the last count ended within an hour before that).
    """
    with transaction.atomic():
        name_lock(COUNT_LOCK)
        last = statistics_latest()
        apart = AGAIN if until is None else timedelta(0)
        until = until or moment(database_now_ms()) - STILL_COMING
        if last is not None and until <= last.until + apart:
            return last
        since = last.until if last else datetime(1970, 1, 1, tzinfo=UTC)
        made = _added(last, since, until)
        made.save(force_insert=True)
    if made.alarm:
        _log.error("The dice of the house are improbable: %s", made.findings)
    return made


def statistics_latest() -> DiceStatistics | None:
    """The last count; None before the first night."""
    return DiceStatistics.objects.order_by("-until").first()


def _added(last: DiceStatistics | None, since: datetime, until: datetime) -> DiceStatistics:
    """A count with what fell between two moments added to the one before."""
    faces = list(last.faces) if last else [0] * statistics.FACES
    cells = list(last.cells) if last else [0] * statistics.CELLS
    pairs = list(last.pairs) if last else [0] * statistics.CELLS**2
    rolls = last.rolls if last else 0
    for dice, count in _rows(DICE, since, until):
        rolls += count
        for face in dice:
            faces[face - 1] += count
        if len(dice) == 2:
            cells[statistics.cell_of(*dice)] += count
    for before, after, count in _rows(PAIRS, since, until):
        place = statistics.CELLS * statistics.cell_of(*before) + statistics.cell_of(*after)
        pairs[place] += count
    with connection.cursor() as cursor:
        cursor.execute(LUCK, _span(since, until))
    findings = _findings(faces, cells, pairs)
    return DiceStatistics(
        until=until,
        rolls=rolls,
        faces=faces,
        cells=cells,
        pairs=pairs,
        findings=findings,
        players=_players(),
        alarm=any(found and found["p"] < statistics.ALARM_BELOW for found in findings.values()),
    )


def _rows(query: str, since: datetime, until: datetime) -> list[Any]:
    """The rows of a query over the rolls between two moments; JSON columns become lists."""
    with connection.cursor() as cursor:
        cursor.execute(query, _span(since, until))
        return [tuple(map(_read, row)) for row in cursor.fetchall()]


def _span(since: datetime, until: datetime) -> dict[str, Any]:
    return {"practice": [*PRACTICE_KEYS], "since": since, "until": until}


def _read(value: Any) -> Any:
    """A column as it is; a raw cursor gives JSON as text."""
    return json.loads(value) if isinstance(value, str) else value


def _findings(
    faces: Sequence[int], cells: Sequence[int], pairs: Sequence[int]
) -> dict[str, dict[str, float] | None]:
    """The results of the tests; None where there are too few rolls for one."""
    found = {
        "faces": statistics.chi_square(faces),
        "cells": statistics.chi_square(cells),
        "doubles": statistics.doubles_test(cells),
        "pairs": statistics.serial_test(pairs),
    }
    return {name: None if finding is None else asdict(finding) for name, finding in found.items()}


def _players() -> dict[str, Any]:
    """The luckiest and the unluckiest, the most extreme first."""
    thrown: QuerySet[DiceLuck] = DiceLuck.objects.filter(
        rolls__gte=PLAYER_ROLLS_MIN, user__is_active=True
    )
    players: list[dict[str, Any]] = [
        {
            "user": entry.user_id,
            "name": entry.user.username,
            "rolls": entry.rolls,
            "pips": entry.pips,
            "z": round(statistics.luck(entry.rolls, entry.pips), 3),
        }
        for entry in thrown.select_related("user")
    ]
    players.sort(key=lambda player: float(player["z"]), reverse=True)
    return {
        "counted": len(players),
        "lucky": [player for player in players[:PLAYERS_SHOWN] if player["z"] > 0],
        "unlucky": [player for player in players[::-1][:PLAYERS_SHOWN] if player["z"] < 0],
    }
