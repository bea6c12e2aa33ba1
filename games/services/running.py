"""The running games of a person, as the header of every page shows them."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from accounts.reading import read_cursor
from games.models import Deadline, Match, Table
from games.selectors import deadlines_of, table_state
from games.services.house_bots import ALONE
from games.services.moments import database_now_ms
from games.table.state import TableState

#: so many games are read for a page; the nearest deadline comes first.
SHOWN_MAX: Final = 8

#: a match of this person that has not ended. ORDER BY and LIMIT keep to the index of each seat: for
#: somebody with very many matches all running ones of the house seem to be fewer, and are not.
_PLAYS: Final = """
SELECT coalesce(
    (SELECT id FROM games_match WHERE player_0_id = %(person)s AND ended_at IS NULL
     ORDER BY id LIMIT 1),
    (SELECT id FROM games_match WHERE player_1_id = %(person)s AND ended_at IS NULL
     ORDER BY id LIMIT 1)
) IS NOT NULL
"""

Row = dict[str, Any]


def running_of(person_id: int, besides: Collection[UUID] = ()) -> list[Row]:
    """The running games of this person, except at the tables `besides`.

    Those that wait for this person come first, then the nearest deadline. `left_ms` is the time
    on the clock that runs; None between two games. For most readers of a page there is none, so one
    short query asks for that first.
    """
    if not _plays(person_id):
        return []
    found = [due for due in deadlines_of(person_id)[:SHOWN_MAX] if due.table_id not in besides]
    if not found:
        return []
    now_ms = database_now_ms()
    rows = [_row(due, person_id, now_ms) for due in found]
    return sorted(rows, key=lambda row: not row["my_turn"])


def _plays(person_id: int) -> bool:
    with read_cursor(Match) as cursor:
        cursor.execute(_PLAYS, {"person": person_id})
        (plays,) = cursor.fetchone()
    return bool(plays)


def _row(due: Deadline, person_id: int, now_ms: int) -> Row:
    table, state = due.table, table_state(due.table)
    seat = state.seat_of(person_id)
    clock_ms = state.clock.deadline_ms()
    left_ms = None if clock_ms is None else max(0, clock_ms - now_ms)
    return {
        "table": table,
        "state": state,
        "seat": seat,
        "opponent": table.people[1 - seat] if seat is not None else None,
        "my_turn": seat is not None and _my_turn(table, state, seat),
        "decided": state.decider is not None,
        "left_ms": left_ms,
        "left": "" if left_ms is None else minutes_text(left_ms),
    }


def minutes_text(left_ms: int) -> str:
    """A time on a clock as minutes and seconds: 378,000 is 6:18."""
    minutes, seconds = divmod(left_ms // 1000, 60)
    return f"{minutes}:{seconds:02d}"


def _my_turn(table: Table, state: TableState, seat: int) -> bool:
    """Whether this seat decides; alone, a person decides for both."""
    person = table.people[1 - seat]
    alone = person is not None and person.get("plays_as") == ALONE
    return state.decider == seat or (alone and state.decider is not None)
