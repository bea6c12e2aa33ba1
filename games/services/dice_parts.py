"""What players' clients give for the dice of their games, and the rolls that this completes."""

from uuid import UUID

from django.db import transaction

from games.broadcast import publish_on_commit, table_channel
from games.models import GameDice
from games.selectors import table_state
from games.services.commit import Change
from games.services.dice.fair import DiceRefused, FairDice
from games.services.moments import database_now_ms, moment
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
        change = Change(table, table_state(table), database_now_ms() if now_ms is None else now_ms)
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
            _save(change, dice, tell=not isinstance(frame, DiceElement))
    return change.dice_due_ms


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


def _save(change: Change, dice: FairDice, *, tell: bool) -> None:
    table = change.table
    dice.save()
    table.changed_at = moment(change.now_ms)
    table.save(update_fields=["fair", "changed_at"])
    if tell:
        frame = {"type": "fair", "seq": table.seq, "fair": table.fair}
        publish_on_commit(table_channel(table.pk), frame)
