"""The fast lane: commands that move neither credits nor ratings, decided without a transaction.

A web process keeps the tables it serves at hand. A command is decided there by the same machine
and the same dice as everywhere; what follows is a `Plan`: rows, and the version that the table
must still have. `games.services.fast_rows` writes many plans in one statement and leaves out those
whose table has changed. Whatever is not plain here (an error, a game's end, a time limit that is
near, dice that are not open) has no plan: it takes the sure lane, `games.services.tables`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings

from games.models import GameDice, Table
from games.modes.registry import mode_of
from games.selectors import update_frame
from games.services.commit import Change
from games.services.dice.fair import FairDice
from games.services.dice.rolls import Drawn
from games.services.dice.source import FAIR_DICE
from games.services.moments import moment
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError
from games.table.machine import due_ms
from games.table.state import RUNNING_PHASES, TableState
from games.wire import CommandFrame, DiceElement, encode, event_frame, event_payload

#: so close to a time limit the database's own clock decides.
MARGIN_MS: Final = 250

COMMANDS: Final = (
    cmd.Roll, cmd.Play, cmd.Double, cmd.Take, cmd.Beaver, cmd.Raccoon, cmd.NameDouble,
    cmd.OfferResignation, cmd.RefuseResignation, cmd.Ready,
)  # fmt: skip

#: what may follow; anything else concerns more than this table's own rows.
EVENTS: Final = frozenset({
    ev.DiceAskedFor, ev.DiceRolled, ev.RolledOff, ev.PlayMade, ev.DoubleOffered, ev.Beavered,
    ev.Raccooned, ev.DoubleTaken, ev.ResignationOffered, ev.ResignationRefused, ev.PlayerReady,
})  # fmt: skip


class NotAtHand(Exception):
    """Something is needed that only a transaction can give."""


@dataclass(slots=True)
class AtHand:
    """A table as it is after a commit, with the dice of the game that runs, if there are any."""

    table: Table
    state: TableState
    dice: GameDice | None


@dataclass(slots=True, frozen=True)
class EventRow:
    """An event to be stored; `payload` is JSON."""

    seq: int
    type: str
    payload: str


@dataclass(slots=True, frozen=True)
class Plan:
    """What one command changes, if the table still has `version`. JSON is text here.

    `command_id` is None for a part in the dice, which no record remembers. `frame` is what
    everybody at the table hears once this is committed, None if nothing is to be heard.
    """

    table_id: UUID
    version: int
    user_id: int
    command_id: str | None
    phase: str
    seq: int
    state: str
    fair: str
    changed_at: datetime
    due_at: datetime
    events: tuple[EventRow, ...]
    dice: GameDice | None
    rolls: tuple[Drawn, ...]
    frame: str | None
    after: AtHand
    dice_due_ms: int | None


class DiceAtHand(FairDice):
    """Dice that are open already and have been read; they write nothing themselves."""

    def __init__(self, table: Table, game: GameDice | None) -> None:
        super().__init__(table)
        self.drawn: list[Drawn] = []
        self.touched = False
        if game is not None:
            self.load(game)

    def check(self, state: TableState) -> None:
        """Raise `NotAtHand` unless these are the dice of the game that runs, and open."""
        self._load(state)

    def _load(self, state: TableState) -> GameDice:
        match, game = state.match, self.game
        if game is None or match is None or game.open_hash is None:
            raise NotAtHand
        if (str(game.match_id), game.number) != (match.id, match.games_played + 1):
            raise NotAtHand
        return game

    def _open(self, game: GameDice) -> None:
        if game.open_hash is None:
            raise NotAtHand

    def _write(self, game: GameDice) -> None:
        self.touched = True
        self.drawn += self.rolls


def command_plan(at_hand: AtHand, user_id: int, frame: CommandFrame, now_ms: int) -> Plan | None:
    """What a player's command leads to, or None if the sure lane must see to it.

    `at_hand` has been used up either way: its dice may have gone on.
    """
    seat = at_hand.state.seat_of(user_id)
    if seat is None or not isinstance(frame.command, COMMANDS) or frame.seq != at_hand.table.seq:
        return None

    def give(change: Change, _: DiceAtHand) -> None:
        change.give(frame.command, seat)

    return _plan(at_hand, now_ms, give, user_id, frame.id)


def element_plan(at_hand: AtHand, user_id: int, frame: DiceElement, now_ms: int) -> Plan | None:
    """What a player's part in the roll that waits leads to, or None: see `command_plan`."""
    state, game = at_hand.state, at_hand.dice
    seat = state.seat_of(user_id)
    if seat is None or state.phase != "rolling" or game is None or game.id != frame.game:
        return None

    def give(change: Change, dice: DiceAtHand) -> None:
        dice.check(state)
        dice.give_element(seat, frame.n, frame.element)
        if not dice.awaited():
            change.dice_fall()

    return _plan(at_hand, now_ms, give, user_id, None)


def _plan(
    at_hand: AtHand,
    now_ms: int,
    give: Callable[[Change, DiceAtHand], None],
    user_id: int,
    command_id: str | None,
) -> Plan | None:
    table, state = at_hand.table, at_hand.state
    due = due_ms(state)
    if due is None or now_ms >= due - MARGIN_MS or not _is_plain(state):
        return None
    change = Change(table, state, now_ms)
    dice = DiceAtHand(table, at_hand.dice)
    change.dice = dice
    try:
        give(change, dice)
    except (TableError, NotAtHand):
        return None
    due = due_ms(change.state)
    if due is None or not all(type(event) in EVENTS for event in change.events):
        return None
    return _planned(change, dice, due, user_id, command_id)


def _is_plain(state: TableState) -> bool:
    """Whether two people play each other here, with the dice of the house."""
    plays = state.phase in RUNNING_PHASES and not mode_of(state.terms).is_practice
    return plays and settings.DICE_SOURCE == FAIR_DICE


def _planned(
    change: Change, dice: DiceAtHand, due: int, user_id: int, command_id: str | None
) -> Plan:
    table, state = change.table, change.state
    dice.save()
    payloads = [event_payload(event) for event in change.events]
    events = [event_frame(seq, p) for seq, p in enumerate(payloads, start=change.first_seq)]
    table.phase, table.seq, version = state.phase, state.seq, table.version
    told = encode(update_frame(table, state, events, change.now_ms)) if events else None
    table.version += 1
    return Plan(
        table_id=table.pk,
        version=version,
        user_id=user_id,
        command_id=command_id,
        phase=state.phase,
        seq=state.seq,
        state=encode(state),
        fair=encode(table.fair),
        changed_at=moment(change.now_ms),
        due_at=moment(due),
        events=tuple(
            EventRow(seq, payload["type"], encode(payload))
            for seq, payload in enumerate(payloads, start=change.first_seq)
        ),
        dice=dice.game if dice.touched else None,
        rolls=tuple(dice.drawn),
        frame=told,
        after=AtHand(table, state, dice.game),
        dice_due_ms=change.dice_due_ms,
    )
