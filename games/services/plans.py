"""A plan: everything that one command changes, as a value. Either lane writes it as it stands.

`plan_of` makes it from a `TableDecision`; `games.services.plan_rows` writes plans, one inside a
transaction that also settles, or many in one statement.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import cast
from uuid import UUID

import msgspec

from games.models import GameDice, Table
from games.selectors import update_frame
from games.services.decision import TableDecision
from games.services.dice.rolls import GameRow, RollRow
from games.table.machine import due_ms
from games.table.shown import FairView
from games.table.state import TableState
from games.wire import encode, event_type, numbered
from games.wire.frames import Fair
from kit.database import moment


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
