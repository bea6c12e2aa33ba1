"""Dice that neither side can choose or predict: protocol BGD1 at a table (docs/dice.md).

A roll is requested, made of the parts of both players and of the house, written under its number
once, and sent only after the commit; after a crash it is completed from the written rows, never
drawn anew. Nothing is written here: `FairDice.finish` returns the rows to write.
"""

from collections.abc import Callable, Sequence

import msgspec

from backgammon.dice.chain import LENGTH
from backgammon.dice.rolls import RollKind
from games.models import GameDice, Table
from games.services.dice.parts import ROLL_WAIT_MS, Parts
from games.services.dice.side import DiceSide
from games.services.dice.source import DiceRows, GameRow, RollRow, roll_frame
from games.services.dice.stored import game_stored
from games.table.events import Event, GameEnded, MatchStarted
from games.table.machine import dice_count
from games.table.state import RUNNING_PHASES, TableState
from games.wire import encode

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
