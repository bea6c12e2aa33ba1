"""Dice that neither side can choose or predict: protocol BGD1 at a table (docs/dice.md).

A roll is requested, made of the parts of both players and of the house, written under its number
once, and sent only after the commit; after a crash it is completed from the written rows, never
drawn anew. Nothing is written here: `FairDice.finish` returns the rows to write.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from django.utils import timezone

from games.fairness.chain import LENGTH, NO_TIP, ROLES, absent_element, chains_back
from games.fairness.opening import Mode, commitment, context_hash, open_hash
from games.fairness.rolls import Flag, Kind, roll_dice
from games.models import GameDice, Table
from games.services.dice.house_bot import bot_reveal
from games.services.dice.house_chain import house_element
from games.services.dice.keys import opening_sign
from games.services.dice.rolls import DiceRows, GameRow, RollRow, roll_frame
from games.services.dice.side import DiceRefused, Side, part_bytes
from games.services.dice.stored import game_stored
from games.table.events import Event, GameEnded, MatchStarted
from games.table.machine import dice_count
from games.table.state import RUNNING_PHASES, TableState
from games.wire import encode

#: how long a roll waits for the parts of players whose clients take part.
ROLL_WAIT_MS: Final = 1500

#: flags of a roll as plain numbers: `|` of an IntFlag costs more than the hash of a roll.
ABSENT: Final = (int(Flag.WHITE_ABSENT), int(Flag.BLACK_ABSENT))
MODE_FLAG: Final = {"K": int(Flag.MODE_K), "L": int(Flag.NONE)}

#: finds the dice of the game that runs or begins next.
Finder = Callable[[Table, TableState], GameDice]


class FairDice:
    """The dice of one table while one change of it is decided.

    `game` are dice that are known already; those of any other game come from `find`.
    """

    def __init__(
        self, table: Table, game: GameDice | None = None, find: Finder = game_stored
    ) -> None:
        self.table = table
        self.game: GameDice | None = None
        self.sides: list[Side] = []
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
        self._open(game)
        n = game.next_roll
        parts = [self._part(game, seat, n) for seat in (0, 1)]
        flags = parts[0][1] | parts[1][1] | MODE_FLAG[game.mode]
        off = state.game is not None and state.game.starter is None
        kind, house = int(Kind.OPENING if off else Kind.NORMAL), house_element(game, n + 1)
        (white, _), (black, _) = parts
        dice = tuple(
            roll_dice(
                house,
                game_id=game.id.bytes,
                ctx=context_hash(game.terms.encode()),
                n=n,
                kind=kind,
                flags=flags,
                white=white,
                black=black,
                count=dice_count(state),
            )
        )
        seq = state.seq + 1  # the event that these dice make comes next
        self._rolls.append(
            RollRow(self.table.pk, game.id, n, kind, flags, house, white, black, dice, seq)
        )
        game.next_roll = n + 1
        self._changed = True
        return dice

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

    # --- the players' contributions ----------------------------------------------------------

    def give_value(self, seat: int, value: str) -> None:
        """A player's tip or commitment; a repeated one shows that their client is there.

        Raises `DiceRefused` once the game's dice are open, or if they have given another one.
        """
        game, side = self._known(), self.sides[seat]
        part_bytes(value)
        if side.value == value:
            side.silent = False
        elif side.value is not None:
            raise DiceRefused("another of your clients gives its part in this game's dice")
        elif game.open_hash is not None:
            raise DiceRefused("the dice of this game are open already")
        else:
            side.value = value
            if all(each.value for each in self.sides):
                self._open(game)
        self._changed = True

    def give_seed(self, seat: int, seed: str) -> None:
        """A player's seed (mode K), shown once both commitments are fixed. Raises `DiceRefused`."""
        game, side = self._known(), self.sides[seat]
        if game.mode != "K" or game.open_hash is None or side.value is None:
            raise DiceRefused("no seed is wanted now")
        bound = commitment(
            game.id.bytes,
            context_hash(game.terms.encode()),
            ROLES[seat],
            bytes(game.house_tip),
            part_bytes(seed),
        )
        if bound.hex() != side.value:
            raise DiceRefused("this is not the seed you are bound to")
        side.seed, side.silent = seed, False
        self._changed = True

    def give_element(self, seat: int, n: int, element: str) -> None:
        """A player's part in roll `n` (mode L). Raises `DiceRefused`."""
        game, side = self._known(), self.sides[seat]
        if game.mode != "L" or n != game.next_roll:
            raise DiceRefused(f"roll {n} takes no parts now")
        if side.value is None:
            raise DiceRefused("you take no part in this game's dice")
        seen = part_bytes(side.seen or side.value)
        given = part_bytes(element)
        if not chains_back(game.id.bytes, ROLES[seat], given, seen, n + 1 - side.depth):
            raise DiceRefused(f"this is not element {n + 1} of your chain")
        side.element = element
        side.silent = False
        self._changed = True

    def awaited(self) -> list[int]:
        """The seats whose parts in the next roll are still to come.

        Before the opening it is the seat that has given nothing yet, if another person has: a
        house bot's part is always there and says nothing about who is still coming.
        """
        game = self._known()
        given = any(side.value and not side.hidden for side in self.sides)
        opening = game.open_hash is None and given
        part = "seed" if game.mode == "K" else "element"
        return [
            seat
            for seat, side in enumerate(self.sides)
            if not side.silent
            and not side.hidden
            and (opening if not side.value else not getattr(side, part))
        ]

    # --- inside --------------------------------------------------------------------------------

    def _take_up(self, game: GameDice) -> None:
        self.game, self._is_of = game, game.is_of
        # one by one: converting to a list of a type describes that type anew in each call
        self.sides = [msgspec.convert(side, Side) for side in game.sides]

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
        awaited = self.awaited() if game.next_roll < LENGTH else []
        self.table.fair = {
            "protocol": "BGD1",
            "game": game.key,
            "mode": game.mode,
            "terms": game.terms,
            "house": bytes(game.house_tip).hex(),
            "given": [side.value for side in self.sides],
            "revealed": [side.seed is not None for side in self.sides],
            "open": bytes(game.open_hash).hex() if game.open_hash else None,
            "next": game.next_roll,
            "wanted": [seat in awaited for seat in (0, 1)],
            "rolls": [roll_frame(roll) for roll in self._rolls] or last,
        }

    def _known(self) -> GameDice:
        assert self.game is not None, "the dice of a game are known first"
        return self.game

    def _part(self, game: GameDice, seat: int, n: int) -> tuple[bytes, int]:
        """A player's part in roll `n`; flagged if it only stands for their absence."""
        side = self.sides[seat]
        given = side.seed if game.mode == "K" else side.element
        if given is None:
            side.silent = True
            last = part_bytes(side.seen or side.value) if side.value else NO_TIP
            return absent_element(game.id.bytes, ROLES[seat], n, last), ABSENT[seat]
        if game.mode == "L":
            side.seen, side.depth, side.element = given, n + 1, None
        return part_bytes(given), 0

    def _open(self, game: GameDice) -> None:
        """From here on everything about this game's dice is fixed, and the game must be played."""
        if game.open_hash is not None:
            return
        white, black = (part_bytes(side.value) if side.value else NO_TIP for side in self.sides)
        ctx = context_hash(game.terms.encode())
        mode: Mode = "K" if game.mode == "K" else "L"
        hashed = open_hash(game.id.bytes, ctx, mode, bytes(game.house_tip), white, black)
        game.open_hash, game.signature = hashed, opening_sign(hashed)
        game.opened_at = timezone.now()
        for seat, side in enumerate(self.sides):
            bot_reveal(game, seat, side)
        self._opened.append(game)
        self._changed = True
