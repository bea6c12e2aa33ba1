"""Dice that neither side can choose or predict: protocol BGD1 at a table (docs/dice.md).

A roll is requested, made of the parts of both players and of the house, written under its number
once, and sent only after the commit; after a crash it is completed from the written rows, never
drawn anew. Nothing is written here: `FairDice.finish` returns the rows to write.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import OperationalError, connection
from django.utils.module_loading import import_string

from backgammon.dice.chain import LENGTH, VALUE_BYTES
from backgammon.dice.opening import Mode, canonical_json
from backgammon.dice.rolls import RollKind
from games.models import GameDice, Table
from games.modes.terms import Terms
from games.services.dice.keys import secret_hide
from games.services.dice.parts import (
    ROLL_WAIT_MS,
    DiceGame,
    DiceSide,
    Parts,
    bot_side,
    house_element,
)
from games.table.errors import Busy
from games.table.events import Event, GameEnded, MatchStarted
from games.table.machine import dice_count
from games.table.state import RUNNING_PHASES, TableState, variant_of
from games.wire import encode

#: rules of the game as the opening names them; raised whenever a rule changes its meaning.
RULES_VERSION: Final = "2026-12"


def dice_mode(terms: Terms, *, team: bool = False) -> Mode:
    """The mode of the dice of a game: L wherever anything of value can be won or lost.

    Whoever seats people for an event says so in the terms (`Terms.for_prize`). A `team` plays in
    L, too: a captain who takes over has no seed. Nothing else decides about the mode, and the audit
    (D3) derives from stakes and events what it had to be.
    """
    return "L" if team or terms.has_value else "K"


def dice_begin(
    game: DiceGame,
    terms: Terms,
    agreed: Mapping[str, Any],
    bots: Iterable[bool],
    *,
    team: bool = False,
) -> Mode:
    """Fix what the dice of a game begin with, the house's chain, its tip public; answer their mode.

    Nobody has given anything yet. `agreed` are the terms and players as the opening binds them
    (RFC 8785); mode and rules are added here. `bots` says of each side whether a house bot plays.
    No game of any kind has dice without this: nothing else makes a chain of the house.
    """
    mode = dice_mode(terms, team=team)
    bound = {**agreed, "mode": mode, "rules": RULES_VERSION}
    game.terms = canonical_json(bound).decode()
    game.house_secret = secret_hide(game.id, secrets.token_bytes(VALUE_BYTES))
    game.house_tip = house_element(game, 0)
    sides = [_bot(game, seat, mode) if bot else DiceSide() for seat, bot in enumerate(bots)]
    game.sides = msgspec.to_builtins(sides)
    return mode


def game_stored(table: Table, state: TableState) -> GameDice:
    """The dice of the game that runs or begins next, made on first use."""
    assert state.match is not None, "dice belong to a match"
    number = state.match.games_played + 1
    found = GameDice.objects.filter(match_id=UUID(state.match.id), number=number).first()
    return found or _make(table, state, number)


def opening_store(game: GameDice) -> None:
    """Write what fixes the dice of a game for ever, and enter it in the public log.

    Raises `Busy` when others hold the log for too long.
    """
    game.save(update_fields=["sides", "open_hash", "signature", "opened_at"])
    assert game.open_hash is not None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT games_opening_append(%s, %s)", [game.id, bytes(game.open_hash)])
    except OperationalError as error:
        raise Busy("the log of the dice is busy, try again") from error


def _make(table: Table, state: TableState, number: int) -> GameDice:
    assert state.match is not None
    game = GameDice(table=table, match_id=state.match.id, number=number)
    bots = [bool(person and person.get("plays_as")) for person in table.people]
    game.mode = dice_begin(game, state.terms, _agreed(state, game), bots)
    game.save(force_insert=True)
    return game


def _bot(game: DiceGame, seat: int, mode: Mode) -> DiceSide:
    """The side of a house bot: it gives a seed, and no chain."""
    return bot_side(game, seat) if mode == "K" else DiceSide(silent=True)


def _agreed(state: TableState, game: GameDice) -> dict[str, Any]:
    terms, variant = state.terms, variant_of(state.terms, game.number)
    agreed: dict[str, Any] = {
        "white": str(state.seats[0]),
        "black": str(state.seats[1]),
        "match": str(game.match_id),
        "number": game.number,
        "game": variant.key,
        "table": terms.mode,
        "stake": terms.stake_cents,
        "rake_bps": terms.rake_bps,
        "start_rule": state.start_rule.value,
    }
    if terms.for_prize:
        agreed["prize"] = True
    if variant.dice_count != 2:
        agreed["dice"] = variant.dice_count
    return agreed


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
    dice_json: str


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
        self.give_element(seat, self.game_of(state).next_roll, element)

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
        self._rolls.append(RollRow(self.table.pk, game.id, *made, state.seq + 1, encode(made.dice)))
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
        game = None if self._is_of is None else self.game
        return DiceRows(tuple(self._kept_games), tuple(self._kept_rolls), tuple(self._opened), game)

    def game_of(self, state: TableState) -> GameDice:
        """The dice of the game that runs or begins next."""
        assert state.match is not None, "dice belong to a match"
        if self._is_of != (state.match.id, state.match.games_played + 1):
            self._keep()  # left over from a previous game
            self._take_up(self._find(self.table, state))
        return self.game

    # --- inside --------------------------------------------------------------------------------

    def _take_up(self, game: GameDice) -> None:
        self.game, self._is_of = game, game.is_of
        # one by one: converting to a list of a type describes that type anew in each call
        self.sides = [msgspec.convert(side, DiceSide) for side in game.sides]

    def _keep(self) -> None:
        """Keep what has changed of this game for `finish`, and show what of it may be seen."""
        if not self._changed:
            return
        game = self.game
        game.sides = msgspec.to_builtins(self.sides)
        self._kept_games.append(GameRow(self.table.pk, game.id, encode(game.sides), game.next_roll))
        self._kept_rolls += self._rolls
        self._show()
        self._rolls, self._changed = [], False

    def _show(self) -> None:
        """Put the public view of these dice on the table's row."""
        fair = self.table.fair or {}
        last = fair.get("rolls", []) if fair.get("game") == self.game.key else []
        self.table.fair = self.shown([roll_frame(roll) for roll in self._rolls] or last)
