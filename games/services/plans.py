"""Deciding commands, and the plan of everything that one changes, as values for either lane.

A `TableDecision` is made from a table at hand, its dice and a moment; `plan_of` makes its plan.
One statement writes many plans: in the event loop (`games.services.fast_lane`), or inside a
transaction that also settles.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, cast
from uuid import UUID

import msgspec
import psycopg
from django.db import connection
from psycopg.adapt import AdaptersMap
from psycopg.rows import dict_row
from psycopg.types.array import ListBinaryDumper
from psycopg.types.numeric import Int8BinaryDumper

from games.models import GameDice, Table
from games.services.dice.fair import GameRow, RollRow, TableDice, opening_store
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError
from games.table.evolve import evolve
from games.table.machine import decide, dice_due_ms, due_ms
from games.table.rights import permit
from games.table.state import TableState, seated
from games.table.turn import rolls_by_itself
from games.table.view import table_view
from games.table.view_types import FairView
from games.wire import encode, event_type, in_parts, numbered
from games.wire.frames import Fair, Update


class TableDecision:
    """One moment at a table: commands go in, events and a new state come out.

    Where two clocks differ, `now_ms` is that of the last change of turns: no time is counted
    backwards. `people` are the seats' players if they have changed, else None; `shown` is set if
    the public view of the dice has changed, with or without events.
    """

    def __init__(self, table: Table, state: TableState, now_ms: int, dice: TableDice) -> None:
        self.table, self.state, self.dice = table, state, dice
        self.now_ms = max(now_ms, state.clock.since_ms)
        self.events: list[ev.Event] = []
        self.people: Sequence[object] | None = None
        self.shown = False

    @property
    def dice_due_ms(self) -> int | None:
        """When the roll that began here waits no longer; None if none began."""
        return dice_due_ms(self.state) if self.events else None

    def give(self, command: cmd.Command, seat: int | None = None) -> None:
        """Let the machine decide a command and take in its events. Raises `TableError`."""
        if isinstance(command, cmd.Roll):
            permit(self.state, seated(seat), "roll")
            assert seat is not None, "the house rolls in nobody's name"
            if command.element:
                self.dice.take(self.state, seat, command.element)
            command = self._roll(auto=False)
        self._take_in(decide(self.state, command, self.now_ms, seat))
        self._roll_on()

    def dice_fall_if_ready(self) -> bool:
        """Complete the waiting roll if no part is missing or its time is over."""
        due_ms = dice_due_ms(self.state)
        if due_ms is None:
            return False
        if self.now_ms < due_ms and self.dice.wait_until_ms(self.state, self.now_ms) is not None:
            return False
        self.dice_fall()
        return True

    def dice_fall(self) -> None:
        """Complete the pending roll with the parts that are there."""
        game = self.state.game
        assert game is not None
        assert game.dice_asked is not None, "dice were asked for"
        dice = cmd.GiveDice(dice=self.dice.draw(self.state), auto=game.dice_asked.auto)
        self._take_in(decide(self.state, dice, self.now_ms, game.on_roll))
        self._roll_on()

    def _roll_on(self) -> None:
        """Roll for a player who has no decision before the dice."""
        while rolls_by_itself(self.state):
            assert self.state.game is not None
            rolled = self._roll(auto=True)
            self._take_in(decide(self.state, rolled, self.now_ms, self.state.game.on_roll))

    def _roll(self, *, auto: bool) -> cmd.Command:
        """The dice, or the request for the players' parts; used-up chains void the match."""
        if self.dice.is_over(self.state):
            return cmd.Void()
        until_ms = self.dice.wait_until_ms(self.state, self.now_ms)
        if until_ms is not None:
            return cmd.AskForDice(auto=auto, due_ms=until_ms)
        return cmd.GiveDice(dice=self.dice.draw(self.state), auto=auto)

    def _take_in(self, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)


class HandedOn(msgspec.Struct, frozen=True):
    """A decision, or a refusal, on a table's `version`, for a lane that has a transaction."""

    version: int
    decision: TableDecision
    refusal: TableError | None = None


class AtHand(msgspec.Struct):
    """A table as it is after a commit.

    `open_dice` are those of the game that runs if the next roll needs nothing more than the parts
    of its players.
    """

    table: Table
    state: TableState
    open_dice: GameDice | None


class EventRow(msgspec.Struct, frozen=True):
    """An event to be stored; `payload` is JSON."""

    table_id: UUID
    seq: int
    type: str
    payload: str


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The changes that one command makes, if the table still has `version`. JSON is text here.

    `command_id` is None where no record remembers the command: a part in the dice, or the house
    itself. `people` is None if they are those of before, `due_ms` if nothing wakes the table up.
    `opened` are games whose dice are opened, which takes a transaction. `frame` is what everybody
    at the table receives once this is committed, None if nothing is to be sent; `dice_due_ms` is
    when a roll that began here waits no longer.
    """

    table_id: UUID
    version: int
    user_id: int | None
    command_id: str | None
    phase: str
    seq: int
    state: str
    fair: str | None
    guest_id: int | None
    people: str | None
    now_ms: int
    due_ms: int | None
    events: tuple[EventRow, ...]
    dice: tuple[GameRow, ...]
    rolls: tuple[RollRow, ...]
    opened: tuple[GameDice, ...]
    frame: str | None
    after: AtHand
    dice_due_ms: int | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has happened that could be written."""
        return not self.events and not self.dice and self.command_id is None


def plan_of(
    decision: TableDecision, *, user_id: int | None = None, command_id: str | None = None
) -> TablePlan:
    """Everything that a decision changes. Its table and dice become those of afterwards."""
    table, state, now_ms = decision.table, decision.state, decision.now_ms
    thrown = decision.dice.finish(state, decision.events)
    game = thrown.game
    events = tuple(
        EventRow(table.pk, seq, event_type(event), encode(event))
        for seq, event in enumerate(decision.events, start=state.seq - len(decision.events) + 1)
    )
    fair = None if table.fair is None else encode(table.fair)
    version, due = table.version, due_ms(state)
    table.phase, table.seq, table.version = state.phase, state.seq, version + 1
    table.guest_id = state.seats[1]
    return TablePlan(
        table_id=table.pk,
        version=version,
        user_id=user_id,
        command_id=command_id,
        phase=state.phase,
        seq=state.seq,
        state=encode(state),
        fair=fair,
        guest_id=table.guest_id,
        people=None if decision.people is None else encode(decision.people),
        now_ms=now_ms,
        due_ms=due,
        events=events,
        dice=thrown.games,
        rolls=thrown.rolls,
        opened=thrown.opened,
        frame=_frame(decision, events, fair),
        after=AtHand(table, state, game if game and game.open_hash else None),
        dice_due_ms=decision.dice_due_ms,
    )


def _frame(decision: TableDecision, rows: Sequence[EventRow], fair: str | None) -> str | None:
    """The frame for everybody at the table: the events with the view, or the state of the dice."""
    table = decision.table
    if rows:
        events = [numbered(row.seq, row.payload) for row in rows]
        shown: Any = None if fair is None else msgspec.Raw(fair)
        view = table_view(
            decision.state, table=table.key, players=table.people, fair=shown or table.fair
        )
        return encode(
            Update(seq=table.seq, now_ms=decision.now_ms, events=events, view=in_parts(view))
        )
    if decision.shown:
        shown_dice = cast("FairView", table.fair)  # as it was stored; it encodes alike
        return encode(Fair(seq=table.seq, fair=shown_dice))
    return None


#: the columns of each kind of row: names of attributes, and how the database reads them.
_PLAN: Final = {
    "table_id": "uuid", "version": "bigint", "user_id": "bigint", "command_id": "text",
    "phase": "text", "seq": "bigint", "state": "text", "fair": "text", "guest_id": "bigint",
    "people": "text", "now_ms": "bigint", "due_ms": "bigint",
}  # fmt: skip
_EVENT: Final = {"table_id": "uuid", "seq": "bigint", "type": "text", "payload": "text"}
_GAME: Final = {"table_id": "uuid", "game_id": "uuid", "sides": "text", "next_roll": "int"}
_ROLL: Final = {
    "table_id": "uuid", "game_id": "uuid", "n": "int", "kind": "int", "flags": "int",
    "house": "bytea", "white": "bytea", "black": "bytea", "dice_json": "text", "seq": "bigint",
}  # fmt: skip


def _sources(kinds: Mapping[str, Mapping[str, str]]) -> str:
    """One table for each kind of row, from one list for each of its columns."""
    parts, number = [], 0
    for kind, columns in kinds.items():
        lists = []
        for type_ in columns.values():
            number += 1
            lists.append(f"${number}::{type_}[]")
        names = ", ".join([*columns, "place"])
        parts.append(
            f"{kind} AS (SELECT * FROM unnest({', '.join(lists)}) WITH ORDINALITY AS r({names}))"
        )
    return ", ".join(parts)


WRITE: Final = f"""
WITH {_sources({"plan": _PLAN, "event": _EVENT, "game": _GAME, "roll": _ROLL})},
held AS MATERIALIZED (
    SELECT t.id FROM games_table t JOIN plan p ON t.id = p.table_id AND t.version = p.version
    ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED
), noted AS (
    INSERT INTO games_commandrecord (table_id, user_id, command_id, seq, stored_at)
    SELECT p.table_id, p.user_id, p.command_id, p.seq, to_timestamp(p.now_ms / 1000.0)
    FROM plan p JOIN held h ON h.id = p.table_id WHERE p.command_id IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING table_id
), taken AS MATERIALIZED (
    SELECT table_id FROM noted
    UNION ALL
    SELECT p.table_id FROM plan p JOIN held h ON h.id = p.table_id WHERE p.command_id IS NULL
), kept AS (
    UPDATE games_table t
    SET phase = p.phase, seq = p.seq, state = p.state::jsonb, fair = p.fair::jsonb,
        guest_id = p.guest_id, people = coalesce(p.people::jsonb, t.people),
        changed_at = to_timestamp(p.now_ms / 1000.0)
    FROM plan p JOIN taken USING (table_id) WHERE t.id = p.table_id
    RETURNING t.id
), happened AS (
    INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
    SELECT e.table_id, e.seq, e.type, e.payload::jsonb, clock_timestamp()
    FROM event e JOIN taken USING (table_id)
    ORDER BY e.place
), timed AS (
    INSERT INTO games_deadline (table_id, due_at)
    SELECT p.table_id, to_timestamp(p.due_ms / 1000.0) FROM plan p JOIN taken USING (table_id)
    WHERE p.due_ms IS NOT NULL
    ON CONFLICT (table_id) DO UPDATE SET due_at = EXCLUDED.due_at
), untimed AS (
    DELETE FROM games_deadline d USING plan p JOIN taken USING (table_id)
    WHERE d.table_id = p.table_id AND p.due_ms IS NULL
), thrown AS (
    UPDATE games_gamedice g SET sides = d.sides::jsonb, next_roll = d.next_roll
    FROM game d JOIN taken USING (table_id) WHERE g.id = d.game_id
), rolled AS (
    INSERT INTO games_diceroll
        (game_id, n, kind, flags, house, white, black, dice, seq, rolled_at)
    SELECT r.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice_json::jsonb, r.seq,
           clock_timestamp()
    FROM roll r JOIN taken USING (table_id)
    ORDER BY r.place
)
SELECT coalesce(array_agg(kept.id), '{{}}') AS written,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms
FROM kept
"""


class PlanNotTaken(RuntimeError):
    """A plan did not fit a table that is locked: somebody else changed its row in this transaction.

    Nothing of the transaction may stay.
    """


def plan_write(plan: TablePlan) -> None:
    """Write one plan as `plans_write` does."""
    plans_write([plan])


def plans_write(plans: Sequence[TablePlan]) -> None:
    """Write plans in the caller's transaction, which holds the locks of their tables.

    Raises `PlanNotTaken`, `Busy`, and what the database raises.
    """
    for plan in plans:
        for game in plan.opened:
            opening_store(game)
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursor = psycopg.RawCursor(connection.connection, row_factory=dict_row)
        lists_in_binary(cursor.adapters)
        cursor.execute(WRITE, values_of(plans), binary=True)
        row = cursor.fetchone()
    written = set() if row is None else set(row["written"])
    for plan in plans:
        if plan.table_id not in written:
            raise PlanNotTaken(f"table {plan.table_id} has not version {plan.version} any more")


def lists_in_binary(adapters: AdaptersMap) -> None:
    """Send lists in binary and all numbers in one size.

    As text each string is searched for quotes, a third of a move's time; and each size of number
    would be a statement of its own.
    """
    adapters.register_dumper(list, ListBinaryDumper)
    adapters.register_dumper(int, Int8BinaryDumper)


def values_of(plans: Sequence[TablePlan]) -> list[list[Any]]:
    """The values of the statement for these plans, one a table."""
    return [
        *_lists(_PLAN, plans),
        *_lists(_EVENT, [row for plan in plans for row in plan.events]),
        *_lists(_GAME, [row for plan in plans for row in plan.dice]),
        *_lists(_ROLL, [row for plan in plans for row in plan.rolls]),
    ]


def _lists(columns: Mapping[str, str], rows: Iterable[object]) -> list[list[Any]]:
    """One list for each column."""
    read: Callable[[object], tuple[Any, ...]] = attrgetter(*columns)
    lists = [list(column) for column in zip(*map(read, rows), strict=True)]
    return lists or [[] for _ in columns]
