"""What players' clients give for the dice of their games, and the rolls that this completes."""

from uuid import UUID

from django.db import transaction

from games.broadcast import publish_on_commit, table_channel
from games.models import GameDice, Table
from games.selectors import table_state
from games.services.commit import Change, database_now_ms
from games.services.fair_dice import DiceRefused, FairDice
from games.services.tables import table_locked
from games.table.errors import NotSeated
from games.table.machine import dice_due_ms
from games.table.state import RUNNING_PHASES
from games.wire import DiceElement, DiceFrame, DiceSeed, DiceTip


def dice_part_give(*, table_id: UUID, user_id: int | None, frame: DiceFrame) -> int | None:
    """Take in a tip, a seed or an element; a roll that waited for it falls.

    Returns until when a roll that this has led to waits, None if none does. Raises `NotSeated`,
    `DiceRefused`; then nothing has changed.
    """
    with transaction.atomic(durable=True):
        table = table_locked(table_id)
        change = Change(table, table_state(table), database_now_ms())
        seat = change.state.seat_of(user_id)
        if seat is None:
            raise NotSeated("only the two players take part in the dice")
        dice = _dice_of(change, frame.game)
        match frame:
            case DiceTip():
                dice.give_value(seat, frame.value)
            case DiceSeed():
                dice.give_seed(seat, frame.seed)
            case DiceElement():
                if change.state.phase != "rolling":
                    raise DiceRefused("no roll waits for anybody's part")
                dice.give_element(seat, frame.n, frame.element)
        if change.state.phase == "rolling" and not dice.awaited():
            change.dice_fall()
            change.store()
        else:
            _save(table, dice, tell=not isinstance(frame, DiceElement))
    return dice_due_ms(change.state)


def _dice_of(change: Change, game_id: UUID) -> FairDice:
    """The dice of the game that runs or begins next, if that is the one meant."""
    dice = change.dice
    if not isinstance(dice, FairDice):
        raise DiceRefused("players take no part in the dice of this house")
    match = change.state.match
    game = GameDice.objects.filter(pk=game_id, table=change.table).first()
    if game is None or match is None or change.state.phase not in RUNNING_PHASES:
        raise DiceRefused("no such game is being played here")
    if (str(game.match_id), game.number) != (match.id, match.games_played + 1):
        raise DiceRefused("these are the dice of another game")
    dice.load(game)
    return dice


def _save(table: Table, dice: FairDice, *, tell: bool) -> None:
    dice.save()
    table.save(update_fields=["fair"])
    if tell:
        frame = {"type": "fair", "seq": table.seq, "fair": table.fair}
        publish_on_commit(table_channel(table.pk), frame)
