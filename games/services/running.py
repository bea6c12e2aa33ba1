"""The running games of a person, as the header of every page shows them."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from games.models import Deadline, Match, Table
from games.modes.terms import NO_CLOCK
from games.selectors import deadlines_of, table_state
from games.services.house_bots import ALONE
from games.services.stand_ins import offer_seconds, stand_in_of
from games.table.state import TableState
from kit.database import database_now_ms, read_cursor

#: so many games are read for a page; the nearest deadline comes first.
SHOWN_MAX: Final = 8

#: whether there is a match of this person that has not ended, the tables used last where it has
#: (another one may be offered there), and whether a person is offered who has come. ORDER BY and
#: LIMIT keep to the index of each seat: for somebody with very many matches all running ones of the
#: house seem to be fewer, and are not.
_PLAYS: Final = """
SELECT coalesce(
    (SELECT id FROM games_match WHERE player_0_id = %(person)s AND ended_at IS NULL
     ORDER BY id LIMIT 1),
    (SELECT id FROM games_match WHERE player_1_id = %(person)s AND ended_at IS NULL
     ORDER BY id LIMIT 1)
) IS NOT NULL, ARRAY(
    SELECT id FROM (
        (SELECT id, phase FROM games_table WHERE opener_id = %(person)s
         ORDER BY changed_at DESC LIMIT 1) UNION ALL
        (SELECT id, phase FROM games_table WHERE guest_id = %(person)s
         ORDER BY changed_at DESC LIMIT 1)) last
    WHERE phase = 'over'), EXISTS (
    SELECT FROM games_standin s JOIN games_table t ON t.id = s.table_id
    WHERE t.opener_id = %(person)s AND t.phase = 'open' AND s.answer_by > now())
"""

Row = dict[str, Any]


def running_of(person_id: int, besides: Collection[UUID] = ()) -> list[Row]:
    """The running games of this person, except at the tables `besides`.

    Those that wait for this person come first, then the nearest deadline. `left_ms` is the time
    on the clock that runs; None between two games. For most readers of a page there is none, so one
    short query asks for that first. An offer of a rematch comes before all, as `rematch`, and
    before it somebody who has come while this person plays the house bot, as `comes`.
    """
    plays, over, asked = _plays(person_id)
    left = Table.objects.filter(pk__in=set(over) - set(besides)) if over else ()
    offers = [row for table in left if (row := _offer(table, person_id)) is not None]
    if asked:
        offers = [*_comers(person_id, besides), *offers]
    if not plays:
        return offers
    found = [due for due in deadlines_of(person_id)[:SHOWN_MAX] if due.table_id not in besides]
    if not found:
        return offers
    now_ms = database_now_ms()
    rows = [_row(due, person_id, now_ms) for due in found]
    return [*offers, *sorted(rows, key=lambda row: not row["my_turn"])]


def tables_left(person_id: int) -> list[UUID]:
    """The tables that this person used last, where a match is over and nobody has left for good."""
    return _plays(person_id)[1]


def _plays(person_id: int) -> tuple[bool, list[UUID], bool]:
    with read_cursor(Match) as cursor:
        cursor.execute(_PLAYS, {"person": person_id})
        plays, over, asked = cursor.fetchone()
    return bool(plays), list(over), bool(asked)


def _comers(person_id: int, besides: Collection[UUID]) -> list[Row]:
    """The row of somebody who has come; the page of the game with the bot shows them itself."""
    stand_in = stand_in_of(person_id)
    if stand_in is None or stand_in.game_id in besides or not offer_seconds(stand_in):
        return []
    assert stand_in.offered is not None, "somebody is offered"
    opponent = stand_in.offered.people[0]
    return [{"table": stand_in.game, "comes": True, "opponent": opponent, "my_turn": True}]


def _offer(table: Table, person_id: int) -> Row | None:
    """The opponent's offer of a rematch at this table, unless it is answered."""
    state = table_state(table)
    seat = state.seat_of(person_id)
    if seat is None or state.phase != "over" or state.rematch[seat] or not state.rematch[1 - seat]:
        return None
    return {"table": table, "rematch": True, "opponent": table.people[1 - seat], "my_turn": True}


def _row(due: Deadline, person_id: int, now_ms: int) -> Row:
    table, state = due.table, table_state(due.table)
    seat = state.seat_of(person_id)
    clock_ms = None if state.terms.clock in NO_CLOCK else state.clock.deadline_ms()
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
