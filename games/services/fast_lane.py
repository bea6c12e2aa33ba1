"""The fast lane: commands that move neither credits nor ratings, decided without a transaction.

A web process keeps the tables it serves at hand. A command is decided there by the same machine
and the same dice as everywhere; what follows is a `TablePlan`, with the version that the table must
still have. `games.services.fast_rows` writes many plans in one statement and leaves out those
whose table has changed. Whatever is not plain here (an error, a game's end, a time limit that is
near, dice that are not open) has no plan: it takes the sure lane, `games.services.tables`.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings

from games.models import GameDice, Table
from games.modes.registry import mode_of
from games.services.decision import TableDecision
from games.services.dice.fair import FairDice
from games.services.dice.source import FAIR_DICE
from games.services.dice_parts import part_take
from games.services.plans import AtHand, TablePlan, plan_of
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError
from games.table.machine import due_ms
from games.table.session import may_stop
from games.table.state import RUNNING_PHASES, TableState
from games.wire import CommandFrame, DiceElement

#: so close to a time limit the database's own clock decides.
MARGIN_MS: Final = 250

COMMANDS: Final = (
    cmd.Roll, cmd.Play, cmd.Double, cmd.Take, cmd.Beaver, cmd.Raccoon, cmd.NameDouble,
    cmd.OfferResignation, cmd.RefuseResignation, cmd.Ready,
)  # fmt: skip

#: the events that may follow; any other concerns more than this table's own rows.
EVENTS: Final = frozenset({
    ev.DiceAskedFor, ev.DiceRolled, ev.RolledOff, ev.PlayMade, ev.DoubleOffered, ev.Beavered,
    ev.Raccooned, ev.DoubleTaken, ev.ResignationOffered, ev.ResignationRefused, ev.PlayerReady,
})  # fmt: skip


class NotAtHand(Exception):
    """Something is needed that only a transaction can give."""


def command_plan(
    at_hand: AtHand, user_id: int, frame: CommandFrame, now_ms: int
) -> TablePlan | None:
    """The plan of a player's command, or None if the sure lane must carry it out.

    `at_hand` has been used up either way: its dice may have gone on.
    """
    seat = at_hand.state.seat_of(user_id)
    if seat is None or not isinstance(frame.command, COMMANDS) or frame.seq != at_hand.table.seq:
        return None
    if may_stop(at_hand.state):
        return None  # the accounts are checked before another game for credits
    return _plan(
        at_hand, now_ms, lambda decision: decision.give(frame.command, seat), user_id, frame.id
    )


def element_plan(
    at_hand: AtHand, user_id: int, frame: DiceElement, now_ms: int
) -> TablePlan | None:
    """The plan of a player's part in the pending roll, or None: see `command_plan`."""
    seat = at_hand.state.seat_of(user_id)
    if seat is None:
        return None
    return _plan(at_hand, now_ms, lambda decision: part_take(decision, seat, frame), user_id, None)


def _plan(
    at_hand: AtHand,
    now_ms: int,
    give: Callable[[TableDecision], None],
    user_id: int,
    command_id: str | None,
) -> TablePlan | None:
    table, state, game = at_hand.table, at_hand.state, at_hand.dice
    due = due_ms(state)
    if due is None or now_ms >= due - MARGIN_MS or not _is_plain(state):
        return None
    is_open = game is not None and game.open_hash is not None
    dice = FairDice(table, game if is_open else None, _not_at_hand)
    decision = TableDecision(table, state, now_ms, dice)
    try:
        give(decision)
    except (TableError, NotAtHand):
        return None
    if due_ms(decision.state) is None or not all(type(e) in EVENTS for e in decision.events):
        return None
    return plan_of(decision, user_id=user_id, command_id=command_id)


def _not_at_hand(table: Table, state: TableState) -> GameDice:
    raise NotAtHand


def _is_plain(state: TableState) -> bool:
    """Whether two people play each other here, with the dice of the house."""
    plays = state.phase in RUNNING_PHASES and not mode_of(state.terms).is_practice
    return plays and settings.DICE_SOURCE == FAIR_DICE
