"""Dice that nobody can choose or know: protocol BGD1 at a table (docs/dice.md).

Everything here happens under the lock of the table. A roll is asked for, joined by the parts of
both players and of the house, written under its number once, and told only after the commit; after
a crash it is completed from what was written, never drawn anew.
"""

import re
import secrets
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.db import OperationalError, connection
from django.utils import timezone

from games.fairness.chain import (
    BLACK,
    LENGTH,
    NO_TIP,
    VALUE_BYTES,
    WHITE,
    absent_element,
    chains_back,
)
from games.fairness.opening import (
    LOG_START,
    canonical_json,
    commitment,
    context_hash,
    log_hash,
    open_hash,
)
from games.fairness.rolls import Flag, Kind, roll_dice
from games.models import DiceLogEntry, GameDice, Table
from games.services.dice.house_chain import house_element
from games.services.dice.keys import opening_sign, secret_hide
from games.services.dice.rolls import Drawn, roll_frame, rolls_store
from games.table.errors import Busy, TableError
from games.table.events import Event, GameEnded, MatchStarted
from games.table.machine import dice_count
from games.table.state import RUNNING_PHASES, TableState

#: how long a roll waits for the parts of players whose clients take part.
ROLL_WAIT_MS: Final = 1500

#: rules of the game as the opening names them; raised whenever a rule changes its meaning.
RULES_VERSION: Final = "2026-11"

ROLES: Final = (WHITE, BLACK)
ABSENT: Final = (Flag.WHITE_ABSENT, Flag.BLACK_ABSENT)
HEXADECIMAL: Final = re.compile("[0-9a-f]{64}")

#: whoever is quicker here appends to the log first; held until the commit.
LOG_LOCK: Final = "dice log"


class DiceRefused(TableError):
    """A player's part in the dice does not fit: another game, too late, or not of his chain."""

    code = "dice_refused"


class Side(msgspec.Struct, kw_only=True):
    """What one player gave, in hexadecimal. `value` is his tip (mode L) or commitment (mode K).

    `seen` is the last real element, the `depth`-th of his chain. A `silent` side has not answered
    last time (the house bot never does) and is not waited for until its client is there again.
    """

    value: str | None = None
    seed: str | None = None
    seen: str | None = None
    depth: int = 0
    element: str | None = None
    silent: bool = False


class FairDice:
    """The dice of one table within one transaction that holds the table's lock."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game: GameDice | None = None
        self.sides: list[Side] = []
        self.rolls: list[Drawn] = []
        self.opened = False
        self.changed = False

    # --- what the table asks -----------------------------------------------------------------

    def take(self, state: TableState, seat: int, element: str) -> None:
        """Take in a player's part in the next roll. Raises `DiceRefused`."""
        if element:
            game = self._load(state)
            self.give_element(seat, game.next_roll, element)

    def wait_until_ms(self, state: TableState, now_ms: int) -> int | None:
        """Until when the next roll waits for somebody's part; None if it need not."""
        self._load(state)
        return now_ms + ROLL_WAIT_MS if self.awaited() else None

    def is_over(self, state: TableState) -> bool:
        """Whether the chains of this game have no more elements."""
        return self._load(state).next_roll >= LENGTH

    def draw(self, state: TableState) -> tuple[int, ...]:
        """The dice of the next roll from the parts that are there; its number is used up."""
        game = self._load(state)
        self._open(game)
        n = game.next_roll
        parts = [self._part(game, seat, n) for seat in (0, 1)]
        flags = parts[0][1] | parts[1][1] | (Flag.MODE_K if game.mode == "K" else Flag.NONE)
        off = state.game is not None and state.game.starter is None
        roll = Drawn(
            n=n,
            kind=Kind.OPENING if off else Kind.NORMAL,
            flags=int(flags),
            house=house_element(game, n + 1),
            white=parts[0][0],
            black=parts[1][0],
            seq=state.seq + 1,  # the event that these dice make comes next
        )
        roll.dice += roll_dice(
            roll.house,
            game_id=game.id.bytes,
            ctx=context_hash(game.terms.encode()),
            n=n,
            kind=roll.kind,
            flags=roll.flags,
            white=roll.white,
            black=roll.black,
            count=dice_count(state),
        )
        self.rolls.append(roll)
        game.next_roll = n + 1
        self.changed = True
        return tuple(roll.dice)

    def store(self, state: TableState, events: Sequence[Event]) -> None:
        """Write the rolls, and get the dice of the next game ready."""
        self.save()
        begins = any(isinstance(event, MatchStarted | GameEnded) for event in events)
        if begins and state.phase in RUNNING_PHASES:
            self._load(state)
            self.show()
        elif state.phase not in RUNNING_PHASES and self.table.fair is not None:
            self.table.fair = {**self.table.fair, "wanted": [False, False]}

    # --- what the players give ---------------------------------------------------------------

    def give_value(self, seat: int, value: str) -> None:
        """A player's tip or commitment; the same again says that his client is there.

        Raises `DiceRefused` once the game's dice are open, or if he has given another one.
        """
        game, side = self._loaded(), self.sides[seat]
        _bytes(value)
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
        self.changed = True

    def give_seed(self, seat: int, seed: str) -> None:
        """A player's seed (mode K), told once both commitments are fixed. Raises `DiceRefused`."""
        game, side = self._loaded(), self.sides[seat]
        if game.mode != "K" or game.open_hash is None or side.value is None:
            raise DiceRefused("no seed is wanted now")
        bound = commitment(
            game.id.bytes,
            context_hash(game.terms.encode()),
            ROLES[seat],
            bytes(game.house_tip),
            _bytes(seed),
        )
        if bound.hex() != side.value:
            raise DiceRefused("this is not the seed you are bound to")
        side.seed, side.silent = seed, False
        self.changed = True

    def give_element(self, seat: int, n: int, element: str) -> None:
        """A player's part in roll `n` (mode L). Raises `DiceRefused`."""
        game, side = self._loaded(), self.sides[seat]
        if game.mode != "L" or n != game.next_roll:
            raise DiceRefused(f"roll {n} takes no parts now")
        if side.value is None:
            raise DiceRefused("you take no part in this game's dice")
        seen = _bytes(side.seen or side.value)
        given = _bytes(element)
        if not chains_back(game.id.bytes, ROLES[seat], given, seen, n + 1 - side.depth):
            raise DiceRefused(f"this is not element {n + 1} of your chain")
        side.element = element
        side.silent = False
        self.changed = True

    def awaited(self) -> list[int]:
        """The seats whose parts in the next roll are still to come.

        Before the opening that is who has given nothing yet, if the other one has.
        """
        opening = self._loaded().open_hash is None and any(side.value for side in self.sides)
        part = "seed" if self._loaded().mode == "K" else "element"
        return [
            seat
            for seat, side in enumerate(self.sides)
            if not side.silent and (opening if not side.value else not getattr(side, part))
        ]

    def save(self) -> None:
        """Write what has changed, and what of it may be seen."""
        if not self.changed:
            return
        game = self._loaded()
        game.sides = [msgspec.to_builtins(side) for side in self.sides]
        self._write(game)
        self.show()
        self.rolls, self.opened, self.changed = [], False, False

    def _write(self, game: GameDice) -> None:
        game.save(update_fields=["sides", "next_roll", "open_hash", "signature", "opened_at"])
        rolls_store(game, self.rolls)
        if self.opened:
            _log(game)

    def load(self, game: GameDice) -> None:
        """Work on these dice."""
        self.game = game
        self.sides = msgspec.convert(game.sides, list[Side])

    # --- inside --------------------------------------------------------------------------------

    def show(self) -> None:
        """Put what everybody may know of these dice on the table's row."""
        game = self._loaded()
        last = (self.table.fair or {}).get("rolls", [])
        if (self.table.fair or {}).get("game") != str(game.id):
            last = []
        awaited = self.awaited() if game.next_roll < LENGTH else []
        self.table.fair = {
            "protocol": "BGD1",
            "game": str(game.id),
            "mode": game.mode,
            "terms": game.terms,
            "house": bytes(game.house_tip).hex(),
            "given": [side.value for side in self.sides],
            "revealed": [side.seed is not None for side in self.sides],
            "open": bytes(game.open_hash).hex() if game.open_hash else None,
            "next": game.next_roll,
            "wanted": [seat in awaited for seat in (0, 1)],
            "rolls": [roll_frame(roll) for roll in self.rolls] or last,
        }

    def _loaded(self) -> GameDice:
        assert self.game is not None, "the dice of a game are loaded first"
        return self.game

    def _load(self, state: TableState) -> GameDice:
        """The dice of the game that runs or begins next, made if they are the first to be asked."""
        assert state.match is not None, "dice belong to a match"
        number = state.match.games_played + 1
        if self.game is not None and (str(self.game.match_id), self.game.number) == (
            str(state.match.id),
            number,
        ):
            return self.game
        self.save()  # of a game before
        game = GameDice.objects.filter(match=state.match.id, number=number).first()
        if game is None:
            game = _make(self.table, state, number)
        self.load(game)
        return game

    def _part(self, game: GameDice, seat: int, n: int) -> tuple[bytes, Flag]:
        """A player's part in roll `n`; flagged if it only stands for his absence."""
        side = self.sides[seat]
        given = side.seed if game.mode == "K" else side.element
        if given is None:
            side.silent = True
            last = _bytes(side.seen or side.value) if side.value else NO_TIP
            return absent_element(game.id.bytes, ROLES[seat], n, last), ABSENT[seat]
        if game.mode == "L":
            side.seen, side.depth, side.element = given, n + 1, None
        return _bytes(given), Flag.NONE

    def _open(self, game: GameDice) -> None:
        """From here on everything about this game's dice is fixed, and the game must be played."""
        if game.open_hash is not None:
            return
        white, black = (_bytes(side.value) if side.value else NO_TIP for side in self.sides)
        ctx = context_hash(game.terms.encode())
        hashed = open_hash(game.id.bytes, ctx, game.mode, bytes(game.house_tip), white, black)
        game.open_hash, game.signature = hashed, opening_sign(hashed)
        game.opened_at = timezone.now()
        self.opened = self.changed = True


def _make(table: Table, state: TableState, number: int) -> GameDice:
    """The dice of a game before anybody has given anything: the house's chain, its tip public."""
    assert state.match is not None
    game = GameDice(table=table, match_id=state.match.id, number=number)
    game.mode = "L" if state.terms.stake_cents else "K"
    game.terms = _terms_text(state, game)
    secret = secrets.token_bytes(VALUE_BYTES)
    game.house_secret = secret_hide(game.id, secret)
    game.house_tip = house_element(game, 0)
    programs = [bool(person and person.get("plays_as")) for person in table.people]
    game.sides = [msgspec.to_builtins(Side(silent=program)) for program in programs]
    game.save(force_insert=True)
    return game


def _terms_text(state: TableState, game: GameDice) -> str:
    """What is played, for what and by whom, as the opening binds it (RFC 8785)."""
    terms = state.terms
    agreed: dict[str, Any] = {
        "white": str(state.seats[0]),
        "black": str(state.seats[1]),
        "match": str(game.match_id),
        "number": game.number,
        "game": terms.variant,
        "table": terms.mode,
        "mode": game.mode,
        "stake": terms.stake_cents,
        "rake_bps": terms.rake_bps,
        "rules": RULES_VERSION,
        "start_rule": terms.start.value,
    }
    if state.variant.dice_count != 2:
        agreed["dice"] = state.variant.dice_count
    return canonical_json(agreed).decode()


def _bytes(value: str) -> bytes:
    """32 bytes from 64 small hexadecimal digits. Raises `DiceRefused`."""
    if not HEXADECIMAL.fullmatch(value):
        raise DiceRefused("a part in the dice is 32 bytes in small hexadecimal digits")
    return bytes.fromhex(value)


def _log(game: GameDice) -> None:
    """Append the opening to the public log; the lock of the log is held until the commit.

    Raises `Busy` when others hold it for too long.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [LOG_LOCK])
    except OperationalError as error:
        raise Busy("the log of the dice is busy, try again") from error
    last = DiceLogEntry.objects.order_by("-number").first()
    number = last.number + 1 if last else 1
    previous = bytes(last.hash) if last else LOG_START
    opened = bytes(game.open_hash)
    DiceLogEntry.objects.create(
        number=number,
        game=game,
        open_hash=opened,
        previous=previous,
        hash=log_hash(number, previous, opened),
    )
