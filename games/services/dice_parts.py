"""Parts of players' clients in the dice of their games, and the rolls they complete."""

from uuid import UUID

from django.db import transaction

from games.services.commit import TableChange
from games.services.dice.fair import FairDice
from games.services.dice.parts import DiceRefused
from games.services.plans import TableDecision
from games.services.tables import table_locked
from games.table.errors import NotSeated
from games.table.state import RUNNING_PHASES
from games.wire import DiceElement, DiceFrame, DiceSeed, DiceTip


def dice_part_give(
    *, table_id: UUID, user_id: int | None, frame: DiceFrame, now_ms: int | None = None
) -> int | None:
    """Take in a tip, a seed or an element; a roll that waited for it falls.

    `now_ms` is the database's time unless given. Returns until when a roll that this began waits,
    None if it began none. Raises `NotSeated`, `DiceRefused`; then nothing has changed.
    """
    with transaction.atomic(durable=True):
        table = table_locked(table_id)
        change = TableChange.on(table, now_ms)
        seat = change.state.seat_of(user_id)
        if seat is None:
            raise NotSeated("only the two players take part in the dice")
        part_take(change, seat, frame)
        change.store()
    return change.dice_due_ms


def part_take(decision: TableDecision, seat: int, frame: DiceFrame) -> None:
    """Take in a player's part, in either lane. Raises `DiceRefused`."""
    dice, state = decision.dice, decision.state
    if not isinstance(dice, FairDice):
        raise DiceRefused("players take no part in the dice of this house")
    if state.phase not in RUNNING_PHASES or dice.game_of(state).id != frame.game:
        raise DiceRefused("these are not the dice of the game that is played here")
    match frame:
        case DiceTip():
            dice.give_value(seat, frame.value)
        case DiceSeed():
            dice.give_seed(seat, frame.seed)
        case DiceElement():
            if state.phase != "rolling":
                raise DiceRefused("no roll waits for anybody's part")
            dice.give_element(seat, frame.n, frame.element)
    decision.shown = not isinstance(frame, DiceElement)
    decision.dice_fall_if_ready()
