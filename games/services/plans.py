"""Deciding commands, and the plan of everything that one changes, as values for either lane.

A `TableDecision` is made from a table at hand, its dice and a moment; `plan_of` makes its plan.
Only the rows that the dice of the table need are read or written here. `games.services.plan_rows`
writes plans, one inside a transaction that also settles, or many in one statement.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast
from uuid import UUID

import msgspec

from games.models import GameDice, Table
from games.selectors import update_frame
from games.services.dice.source import GameRow, RollRow, TableDice
from games.table import commands as cmd
from games.table import events as ev
from games.table.evolve import evolve
from games.table.machine import check_roll, decide, dice_due_ms, due_ms, needs_dice
from games.table.state import TableState
from games.table.view_types import FairView
from games.wire import encode, event_type, numbered
from games.wire.frames import Fair
from kit.database import moment


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
    def first_seq(self) -> int:
        """The number of the first event."""
        return self.state.seq - len(self.events) + 1

    @property
    def dice_due_ms(self) -> int | None:
        """When the roll that began here waits no longer; None if none began."""
        return dice_due_ms(self.state) if self.events else None

    def give(self, command: cmd.Command, seat: int | None = None) -> None:
        """Let the machine decide a command and take in its events. Raises `TableError`."""
        if isinstance(command, cmd.Roll):
            check_roll(self.state, seat)
            assert seat is not None, "the house rolls in nobody's name"
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
        while needs_dice(self.state):
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


class AtHand(msgspec.Struct):
    """A table as it is after a commit, with the dice of the game that runs, if there are any."""

    table: Table
    state: TableState
    dice: GameDice | None


class EventRow(msgspec.Struct, frozen=True):
    """An event to be stored; `payload` is JSON."""

    table_id: UUID
    seq: int
    type: str
    payload: str


class TablePlan(msgspec.Struct, frozen=True, kw_only=True):
    """The changes that one command makes, if the table still has `version`. JSON is text here.

    `command_id` is None where no record remembers the command: a part in the dice, or the house
    itself. `people` is None if they are those of before, `due_at` if nothing wakes the table up.
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
    changed_at: datetime
    due_at: datetime | None
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
    texts = [encode(event) for event in decision.events]
    fair = None if table.fair is None else encode(table.fair)
    version, due = table.version, due_ms(state)
    table.phase, table.seq, table.version = state.phase, state.seq, version + 1
    table.guest_id, table.changed_at = state.seats[1], moment(now_ms)
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
        changed_at=table.changed_at,
        due_at=None if due is None else moment(due),
        events=tuple(
            EventRow(table.pk, decision.first_seq + place, event_type(event), text)
            for place, (event, text) in enumerate(zip(decision.events, texts, strict=True))
        ),
        dice=thrown.games,
        rolls=thrown.rolls,
        opened=thrown.opened,
        frame=_frame(decision, texts, fair),
        after=AtHand(table, state, thrown.game),
        dice_due_ms=decision.dice_due_ms,
    )


def _frame(decision: TableDecision, texts: Iterable[str], fair: str | None) -> str | None:
    """The frame for everybody at the table: the events with the view, or the state of the dice."""
    table, first_seq = decision.table, decision.first_seq
    if decision.events:
        events = [numbered(seq, text) for seq, text in enumerate(texts, start=first_seq)]
        shown = None if fair is None else msgspec.Raw(fair)
        return encode(update_frame(table, decision.state, events, decision.now_ms, fair=shown))
    if decision.shown:
        shown_dice = cast("FairView", table.fair)  # as it was stored; it encodes alike
        return encode(Fair(seq=table.seq, fair=shown_dice))
    return None
