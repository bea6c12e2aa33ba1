"""Dice that neither side can choose or predict: protocol BGD1 at a table (docs/dice.md).

A roll is requested, made of the parts of both players and of the house, written under its number
once, and sent only after the commit; after a crash it is completed from the written rows, never
drawn anew. Nothing is written here: `FairDice.finish` returns the rows to write.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from backgammon.dice.chain import LENGTH
from backgammon.dice.rolls import RollKind
from games.models import GameDice, Table
from games.services.dice.parts import ROLL_WAIT_MS, DiceSide, Parts
from games.services.dice.stored import game_stored
from games.table.events import Event, GameEnded, MatchStarted
from games.table.machine import dice_count
from games.table.state import RUNNING_PHASES, TableState
from games.wire import encode


class RollRow(msgspec.Struct, frozen=True):
    """A roll that has been drawn: the fields of `DiceRoll`, and the table where it fell."""

    table_id: UUID
    game_id: UUID
    n: int
    kind: int
    flags: int
    house: bytes
    white: bytes
    black: bytes
    dice: tuple[int, ...]
    seq: int

    @property
    def dice_json(self) -> str:
        """The dice as they are stored."""
        return encode(self.dice)


class GameRow(msgspec.Struct, frozen=True):
    """The fields of a game's dice that change with every part and every roll; `sides` is JSON."""

    table_id: UUID
    game_id: UUID
    sides: str
    next_roll: int


class DiceRows(msgspec.Struct, frozen=True):
    """Everything that is to be stored of the dice of a table.

    `opened` are games whose dice have been opened: their openings are written first, inside a
    transaction. `game` has the dice of the game that runs, if they were looked at.
    """

    games: tuple[GameRow, ...] = ()
    rolls: tuple[RollRow, ...] = ()
    opened: tuple[GameDice, ...] = ()
    game: GameDice | None = None


#: of dice that leave nothing behind.
NO_ROWS: Final = DiceRows()


class StoredRoll(Protocol):
    """A row with a roll, `DiceRoll` or one like it."""

    n: Any
    kind: Any
    flags: Any
    house: Any
    white: Any
    black: Any
    dice: Any


def roll_frame(roll: RollRow | StoredRoll) -> dict[str, Any]:
    """A roll as clients and records have it."""
    return {
        "n": roll.n,
        "kind": roll.kind,
        "flags": roll.flags,
        "s": bytes(roll.house).hex(),
        "eW": bytes(roll.white).hex(),
        "eB": bytes(roll.black).hex(),
        "dice": list(roll.dice),
    }


#: the only source of an open house: dice that no party can choose or predict
FAIR_DICE: Final = "games.services.dice.fair.FairDice"


class TableDice(Protocol):
    """The dice of one table while one change of it is decided."""

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Take in a player's part (hexadecimal) in the roll that comes next."""

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """How long to wait for the players' parts in the next roll; None if none is awaited."""

    def is_over(self, state: TableState) -> bool:
        """Whether this game has had all the rolls that its dice can give."""

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll, as many as the phase and the variant need."""

    def finish(self, state: TableState, events: Sequence[Event]) -> DiceRows:
        """The rows to store; `events` are all of this change, `state` is the state after them.

        From now on the public view of the dice is on the table's row (`fair`).
        """


def dice_of(table: Table) -> TableDice:
    """The table's dice, by the setting DICE_SOURCE (a dotted path to a class)."""
    dice: TableDice = import_string(settings.DICE_SOURCE)(table)
    return dice


#: finds the dice of the game that runs or begins next.
Finder = Callable[[Table, TableState], GameDice]


class FairDice(Parts[GameDice]):
    """The dice of one table while one change of it is decided.

    `game` are dice that are known already; those of any other game come from `find`.
    """

    def __init__(
        self, table: Table, game: GameDice | None = None, find: Finder = game_stored
    ) -> None:
        self.table = table
        self.game: GameDice | None = None
        self.sides: list[DiceSide] = []
        self._find = find
        self._is_of: tuple[str, int] | None = None
        self._changed = False
        self._rolls: list[RollRow] = []  # of this game
        self._kept_games: list[GameRow] = []
        self._kept_rolls: list[RollRow] = []
        self._opened: list[GameDice] = []
        if game is not None:
            self._take_up(game)

    def move_to(self, table: Table) -> None:
        """Go on with the row of this table that is locked now, and find other games by it."""
        self.table, self._find = table, game_stored

    # --- queries of the table ----------------------------------------------------------------

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Take in a player's part in the next roll. Raises `DiceRefused`."""
        if element:
            game = self.game_of(state)
            self.give_element(seat, game.next_roll, element)

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """Until when the next roll waits for somebody's part; None if it need not."""
        self.game_of(state)
        return now_ms + ROLL_WAIT_MS if self.awaited() else None

    def is_over(self, state: TableState) -> bool:
        """Whether the chains of this game have no more elements."""
        return self.game_of(state).next_roll >= LENGTH

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll from the parts that are there; its number is used up."""
        game = self.game_of(state)
        off = state.game is not None and state.game.starter is None
        made = self.make_roll(int(RollKind.OPENING if off else RollKind.NORMAL), dice_count(state))
        # the event that these dice make comes next
        self._rolls.append(RollRow(self.table.pk, game.id, *made, state.seq + 1))
        return made.dice

    def finish(self, state: TableState, events: Sequence[Event]) -> DiceRows:
        """The rows to store; also prepares the dice of a game that begins."""
        self._keep()
        begins = any(isinstance(event, MatchStarted | GameEnded) for event in events)
        if begins and state.phase in RUNNING_PHASES:
            self.game_of(state)
            self._show()
        elif state.phase not in RUNNING_PHASES and self.table.fair is not None:
            self.table.fair = {**self.table.fair, "wanted": [False, False]}
        return DiceRows(
            tuple(self._kept_games), tuple(self._kept_rolls), tuple(self._opened), self.game
        )

    def game_of(self, state: TableState) -> GameDice:
        """The dice of the game that runs or begins next."""
        assert state.match is not None, "dice belong to a match"
        if self.game is None or self._is_of != (state.match.id, state.match.games_played + 1):
            self._keep()  # left over from a previous game
            self._take_up(self._find(self.table, state))
        return self._known()

    # --- inside --------------------------------------------------------------------------------

    def _take_up(self, game: GameDice) -> None:
        self.game, self._is_of = game, game.is_of
        # one by one: converting to a list of a type describes that type anew in each call
        self.sides = [msgspec.convert(side, DiceSide) for side in game.sides]

    def _keep(self) -> None:
        """Keep what has changed of this game for `finish`, and show what of it may be seen."""
        if not self._changed:
            return
        game = self._known()
        game.sides = msgspec.to_builtins(self.sides)
        self._kept_games.append(GameRow(self.table.pk, game.id, encode(game.sides), game.next_roll))
        self._kept_rolls += self._rolls
        self._show()
        self._rolls, self._changed = [], False

    def _show(self) -> None:
        """Put the public view of these dice on the table's row."""
        game = self._known()
        last = (self.table.fair or {}).get("rolls", [])
        if (self.table.fair or {}).get("game") != game.key:
            last = []
        self.table.fair = self.shown([roll_frame(roll) for roll in self._rolls] or last)
