"""Taking a seat, and giving it back before the first roll.

A guest who stands up before the first roll costs the opener nothing: the table closes as a void
match's does, and in the same transaction a successor opens in its place, on the same terms. Locks:
the lock of the person who sits down first, then tables.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from games.models import Challenge, Match, StoredEvent, Table
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.selectors import table_state
from games.services.commit import TableChange
from games.services.people import account_check, people_at
from games.table import commands as cmd
from games.table.errors import Busy, Later, TableError
from games.table.machine import reopens
from games.table.state import TableState
from kit.database import database_now_ms, moment, name_lock

#: a guest sits at so many tables at most whose first roll has not fallen.
FIRST_ROLLS_MAX: Final = 3

#: the events that end a match before its first roll, with the seat that caused it.
GIVEN_UP: Final = ("player_stood_up", "time_ran_out")


class StoodUpTooOften(Later):
    """Too many stand-ups before the first roll; `fields["until_ms"]`: the end of the pause."""

    code = "stood_up_too_often"
    sentence = _(
        "You left your seat too often before the first roll. You can sit down again at {until}."
    )


class FirstRollsAwaited(TableError):
    """A guest sits already at as many tables whose first roll has not fallen as one may."""

    code = "first_rolls_awaited"
    sentence = _(
        "You are seated at several tables that have not started. Wait for one of them to start."
    )


def table_create(
    user_id: int,
    terms: Terms,
    *,
    code: str | None = None,
    strength_span: int | None = None,
    in_place_of: Table | None = None,
    arranged: bool = False,
) -> TableChange:
    """A new table with its opener in seat 0, inside the caller's transaction; not yet stored.

    The lobby lists it where it listed the table `in_place_of`. Raises `IntegrityError` if the
    opener waits at a table already, and what `account_check` does.
    """
    account_check(user_id, terms)
    now_ms = database_now_ms()
    table = Table(
        opener_id=user_id,
        mode=terms.mode,
        variant=terms.game_key,
        stake_cents=terms.stake_cents,
        # practice never waits for anybody, so it is no open table even for a moment
        phase="closed" if mode_of(terms).is_practice else "open",
        seq=0,
        state=msgspec.to_builtins(TableState()),
        people=people_at((user_id, None), terms),
        code=code,
        strength_span=strength_span,
        arranged=arranged,
    )
    if in_place_of is not None:
        table.created_at = in_place_of.created_at
    table.save(force_insert=True)
    change = TableChange(table, TableState(), now_ms)
    change.give(cmd.OpenTable(player=user_id, terms=terms))
    return change


# --- standing up ----------------------------------------------------------------------------------


def stand_up(change: TableChange, seat: int | None) -> TableChange | None:
    """Stand up at a locked table; the successor, not yet stored, if any.

    None, and nothing has happened, where no table opens again: when the opener stands up, in a
    rematch, at the table of a challenge, and when the opener may no longer wait at this table or
    waits at another one.
    """
    if not reopens(change.state, seat):
        return None
    successor = _successor_of(change)
    if successor is not None:
        change.give(cmd.GiveStandUp(successor=str(successor.table.pk)), seat)
    return successor


def _successor_of(change: TableChange) -> TableChange | None:
    table, opener_id = change.table, change.state.seats[0]
    assert opener_id is not None, "a match has two players"
    if table.arranged or Challenge.objects.filter(table=table).exists():
        return None
    try:
        with transaction.atomic():
            return table_create(
                opener_id,
                change.state.terms,
                strength_span=table.strength_span,
                in_place_of=table,
            )
    except (IntegrityError, TableError):
        return None
    except OperationalError as error:
        raise Busy("the opener's next table is busy, try again") from error


def successor_store(change: TableChange, successor: TableChange) -> None:
    """Write the successor, before the table it follows. The code of a private table goes along."""
    if change.table.code is not None:
        code, change.table.code = change.table.code, None
        Table.objects.filter(pk=change.table.pk).update(code=None)
        Table.objects.filter(pk=successor.table.pk).update(code=code)
        successor.table.code = code
        change.table.version += 1  # the database counts every change of a row
        successor.table.version += 1
    successor.store()


# --- who may sit down -----------------------------------------------------------------------------


def person_lock(user_id: int) -> None:
    """Let one person sit down at one table after the other, until each has committed."""
    name_lock(f"seat:{user_id}")


def seat_check(user_id: int) -> None:
    """Check that a person may take a seat at a table now.

    Raises `StoodUpTooOften`, `FirstRollsAwaited`. Rows are counted: a stand-up is a match that
    ended before its first roll, and belongs to the seat that its last such event names.
    """
    now_ms = database_now_ms()
    until_ms = pause_of_seats(user_id, now_ms)
    if until_ms is not None:
        raise StoodUpTooOften(
            f"you stood up again and again before the first roll; sit down after "
            f"{moment(until_ms):%Y-%m-%dT%H:%M:%SZ}",
            until_ms=until_ms,
        )
    begun = Table.objects.filter(guest=user_id, phase__in=("roll", "roll_off", "rolling"))
    awaited = [state for state in map(table_state, begun) if state.match and not state.match.rolls]
    if len(awaited) >= FIRST_ROLLS_MAX:
        raise FirstRollsAwaited("you sit at several tables whose first roll has not fallen yet")


def pause_of_seats(user_id: int, now_ms: int | None = None) -> int | None:
    """Until when this person may not sit down, in milliseconds since 1970; None: no pause."""
    now_ms = database_now_ms() if now_ms is None else now_ms
    seats = Q(player_0=user_id) | Q(player_1=user_id)
    ended = Match.objects.filter(
        seats, ending="stood_up", number=1, ended_at__gt=moment(now_ms - MEMORY_MS)
    )
    given_up = {match.table_id: match for match in ended.only("table", "player_0", "player_1")}
    if not given_up:
        return None
    rows = StoredEvent.objects.filter(table__in=given_up, type__in=GIVEN_UP).order_by("seq")
    last = {row.table_id: row.payload for row in rows}
    own = [
        payload["at_ms"]
        for table_id, payload in last.items()
        if given_up[table_id].players[payload["seat"]] == user_id
    ]
    until_ms = paused_until_ms(own)
    return until_ms if until_ms is not None and until_ms > now_ms else None


#: standing up this often within the window leads to a pause.
STAND_UPS_MAX: Final = 3
WINDOW_MS: Final = 10 * 60_000

#: the first pause; every further one is twice as long as the one before, up to the longest.
PAUSE_MS: Final = 10 * 60_000
LONGEST_MS: Final = 24 * 3_600_000

#: older moments do not count.
MEMORY_MS: Final = 7 * 24 * 3_600_000


def paused_until_ms(stood_up_ms: Iterable[int]) -> int | None:
    """When a player who stood up at these moments may sit down again; None without a pause.

    Moments are in milliseconds, in any order, and none is older than `MEMORY_MS`. The answer may
    lie in the past.
    """
    until: int | None = None
    pauses = 0
    recent: list[int] = []
    for at_ms in sorted(stood_up_ms):
        recent = [each for each in recent if at_ms - each < WINDOW_MS] + [at_ms]
        if len(recent) == STAND_UPS_MAX:
            until = at_ms + min(PAUSE_MS * 2**pauses, LONGEST_MS)
            pauses += 1
            recent = []
    return until
