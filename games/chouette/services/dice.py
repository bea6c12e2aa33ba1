"""The dice of a chouette: protocol BGD1 in mode L, white is the box, black the captain who began.

Both give their parts as at any table. A captain who takes over later has no part: black is absent
from then on, and the flags of the rolls say so.
"""

from typing import Any, Final
from uuid import uuid4

import msgspec

from backgammon.dice.record import Record, RecordedPlay
from backgammon.dice.rolls import RollKind
from games.chouette.engine.state import VARIANT
from games.chouette.models import Circle, Game, Roll
from games.chouette.services.store import Work, as_staked
from games.services.commit import locking
from games.services.dice.fair import dice_begin, roll_frame
from games.services.dice.parts import DiceSide, MadeRoll, Parts
from games.services.dice.records import log_line, record_of

#: how many rolls the page is sent with the view, for its own check.
SHOWN: Final = 1


class ChouetteDice(Parts[Game]):
    """The dice of the running game of one table."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sides = [msgspec.convert(side, DiceSide) for side in game.sides]
        self._changed = False
        self._opened: list[Game] = []

    def save(self) -> None:
        """Write what has changed; with an opening the database appends its line to the public log.

        Raises `Busy` when others hold the log for too long.
        """
        if not self._changed:
            return
        self.game.sides = msgspec.to_builtins(self.sides)
        with locking("log of the dice"):
            self.game.save(update_fields=["sides", "next_roll", "open_hash", "signature"])
        self._changed = False

    @property
    def complete(self) -> bool:
        """Whether both parts in the next roll are there."""
        return all(side.element for side in self.sides)


def game_make(circle: Circle, number: int, order: tuple[int, ...], bots: frozenset[int]) -> Game:
    """The row of a game that begins, with its dice."""
    box, captain, *_crew = order
    game = Game(id=uuid4(), circle=circle, number=number, box_id=box, captain_id=captain)
    agreed = {
        "white": str(box),
        "black": str(captain),
        "team": [str(player) for player in order[1:]],
        "match": str(circle.pk),
        "number": number,
        "game": VARIANT.key,
        "table": "chouette",
        "stake": circle.limit_cents,
        "rake_bps": circle.rake_bps,
        "start_rule": "roll_off_use",
    }
    sides = (player in bots for player in (box, captain))
    dice_begin(game, as_staked(circle), agreed, sides, team=True)
    return game


def roll(work: Work) -> tuple[int, int]:
    """The next dice of the running game; their number is used up and they are stored."""
    dice = ChouetteDice(work.game)
    off = work.state.phase == "roll_off"
    made = dice.make_roll(int(RollKind.OPENING if off else RollKind.NORMAL), 2)
    dice.save()
    Roll.objects.create(game=work.game, **_fields(made), seq=work.seq + 1)
    one, two = made.dice
    return one, two


def _fields(made: MadeRoll) -> dict[str, Any]:
    return {**made._asdict(), "dice": list(made.dice)}


def fair_view(game: Game) -> dict[str, Any]:
    """The public view of a game's dice, with its last roll."""
    last = list(game.rolls.order_by("-n")[:SHOWN])
    return ChouetteDice(game).shown([roll_frame(each) for each in last])


def records(circle: Circle) -> dict[str, Any]:
    """The records of the games whose dice were opened, as JSON (docs/dice.md)."""
    games = []
    opened = circle.games.filter(open_hash__isnull=False).select_related("log_entry")
    for game in opened.order_by("number"):
        games.append(_record(game).to_json())
    return {"protocol": "BGD1", "match": str(circle.pk), "games": games}


def _record(game: Game) -> Record:
    rolls = list(game.rolls.order_by("n"))
    log = None if game.log_entry is None else log_line(game.log_entry)
    return record_of(game, rolls, tuple(_plays(game, rolls)), log)


def _plays(game: Game, rolls: list[Roll]) -> list[RecordedPlay]:
    """The plays of a game, each with the last roll before it."""
    if not rolls:
        return []
    last = rolls[0].seq
    payloads = game.circle.events.filter(seq__gte=last).order_by("seq")
    plays: list[RecordedPlay] = []
    by_seq = {each.seq: each for each in rolls}
    roll_now = rolls[0]
    seat = 0
    for seq, payload in payloads.values_list("seq", "payload"):
        roll_now = by_seq.get(seq, roll_now)
        if payload["type"] == "rolled_off" and payload["box"] != payload["team"]:
            seat = 0 if payload["box"] > payload["team"] else 1
        elif payload["type"] == "played":
            moves = tuple((source, target, die) for source, target, die in payload["moves"])
            dice = tuple(sorted(roll_now.dice, reverse=True))
            plays.append(RecordedPlay(roll_now.n, seat, dice, moves))
            seat = 1 - seat
        elif payload["type"] in ("game_ended", "game_voided"):
            break
    return plays
